// The time that a build gives to its files instead of the current one, so that everybody who builds a commit gets the same bytes:
// SOURCE_DATE_EPOCH, or the time of the commit. In seconds.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export function sourceDate(root = join(import.meta.dirname, '..')): number {
  const given = process.env['SOURCE_DATE_EPOCH'];
  return Number(given ?? execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }));
}
