// The Node of people who use our npm packages.
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';

/** Returns the machine's own `node`, which may be older than ours. */
export function oldestNode(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const versions = folders
    .map((folder) => join(folder, 'node'))
    .map((program) => ({ program, version: spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout ?? '' }))
    .filter(({ version }) => Number(/^v(\d+)/.exec(version)?.[1] ?? 0) >= 20);
  return (
    versions.sort((left, right) => left.version.localeCompare(right.version, 'en', { numeric: true }))[0]?.program ??
    process.execPath
  );
}
