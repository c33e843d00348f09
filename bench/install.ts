// Installing a clone of the last commit: `npm ci` with the packages in npm's cache, because a download says more about the network, next
// to the same without building anything (`--ignore-scripts`). Medians count.
//
//   node bench/install.ts
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../test/support/folder.ts';
import { median, printFigure } from './support/figures.ts';

const maxSeconds = 40;
const rounds = 3;

await using folder = await temporaryFolder('install');
const clone = join(folder.path, 'clone');
execFileSync('git', ['clone', '--quiet', join(import.meta.dirname, '..'), clone]);

function install(...options: string[]): number {
  for (const created of ['node_modules', 'out']) rmSync(join(clone, created), { recursive: true, force: true });
  // Otherwise the disk would still be busy with the round before.
  execFileSync('sync');
  const startMs = performance.now();
  execFileSync('npm', ['ci', ...options], { cwd: clone, stdio: ['ignore', 'ignore', 'inherit'] });
  return (performance.now() - startMs) / 1000;
}

// Fills npm's cache.
install('--ignore-scripts');
const runs = Array.from({ length: rounds }, () => ({ whole: install(), packages: install('--ignore-scripts') }));
const seconds = median(runs.map(({ whole }) => whole));
const peer = `without scripts, ${median(runs.map(({ packages }) => packages)).toFixed(1)}`;
printFigure('npm ci, seconds', seconds.toFixed(1), `< ${maxSeconds}`, seconds < maxSeconds, peer);
