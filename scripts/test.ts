// Runs all checks, cheapest first: installs Debian packages for the real daemons, then checks types, lint and format
// (silent on success), then runs the tests. The summary of the test runner comes last, and its exit code is ours.
//
//   npm test                            everything except test/long
//   npm test -- src/protocols test/api  only the test files under these paths
//   npm test -- --quick                 no daemons and no browser: units, API tests and sweeps
//   npm test -- --long                  test/long as well, and all suites on PostgreSQL

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, constants } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { temporaryFolder } from '../test/support/folder.ts';
import { fetchGuestPackages } from './guest-packages.ts';
import { installMissingPackages, packagesByBinary, packagesOfLongTests } from './packages.ts';

const root = join(import.meta.dirname, '..');
// One checker per module: several would each load all types, for twice the CPU time.
const checks = [['tsc', '-b', '--checkers', '1', '--builders', '2'], ['oxlint'], ['oxfmt', '--check']] as const;

// For tests that hang, not for slow ones: an emulated machine takes three times as long on a busy CPU.
const testTimeoutMs = 420_000;
// A test in a busy loop misses its own timeout. Interrupting the runner lets it name the file. A run should take 15
// minutes; this is for one that hangs, because a shared machine can be slower by half.
const runTimeoutMs = 40 * 60_000;

const quickFolders = ['src/', 'test/api/', 'test/sweeps/', 'test/support/', 'test/upgrade/'];
/** Each takes more than ten seconds beside others. */
const slowTests = new Set([
  'src/app/billing/year.test.ts',
  'src/workflows/machine/crashes.test.ts',
  'src/workflows/registry.test.ts',
  'src/workflows/server/crashes.test.ts',
  ...'boot-neighbour devices-console devices-users dns-large images machines-reinstall reclaim-lab reloads rescues sign-in'
    .split(' ')
    .map((name) => `test/api/${name}.test.ts`),
  ...'answers bodies crossing parameters passwords races restrictions roles sign-in-proofs terminated'
    .split(' ')
    .map((name) => `test/sweeps/${name}.test.ts`),
]);
/** Processes take seconds to start, and the fuzzer half a minute; suites that need other daemons leave themselves out. */
const isQuick = (file: string): boolean => isComputing(file) && !isSlow(file);
const isSlow = (file: string): boolean =>
  slowTests.has(file) || /\bstart(?:Server|Site|Daemon)\b|\bfuzz\(/.test(readFileSync(file, 'utf8'));

// Loading the server takes longer than most files take to run, so these many share a process. Unit tests come last,
// because they are short: a long file that starts last would leave a core idle.
const filesShared = { slow: 2, story: 12, unit: 24 };
const longestFirst = 'fastnetmon routes dns-publishing virtual-lxd newcomer devices-witness'.split(' ');

process.chdir(root);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { long: { type: 'boolean', default: false }, quick: { type: 'boolean', default: false } },
});
process.exitCode = await main();

async function main(): Promise<number> {
  const files = testFiles(positionals);
  if (files.length === 0) {
    console.error(`no test files under ${positionals.join(', ')}`);
    return 1;
  }
  if (!values.quick) {
    installMissingPackages(values.long ? { ...packagesByBinary, ...packagesOfLongTests } : packagesByBinary);
    fetchGuestPackages();
  }
  for (const [program, ...args] of checks) {
    const status = check(program, args);
    if (status !== 0) return status;
  }
  // The servers that tests start load it.
  const bundled = spawnSync(process.execPath, ['scripts/bundle-sources.ts'], { stdio: 'inherit' });
  return bundled.status === 0 ? runTests(groupFiles(files)) : 1;
}

/** Lets files share processes, and returns what to run, in this order. */
function groupFiles(files: string[]): string[] {
  const folder = join(root, 'node_modules', '.cache', 'shared-tests');
  mkdirSync(folder, { recursive: true });
  const write = ([name, members]: Group): string => {
    const path = join(folder, `${name}.js`);
    writeFileSync(path, members.map((member) => `import '${pathToFileURL(member)}';\n`).join(''));
    return relative(root, path);
  };
  const { libvirt, waiting = [] } = Object.groupBy(
    files.filter((file) => !isComputing(file)),
    (file) => (file.startsWith('test/peers/virtual-libvirt') ? 'libvirt' : 'waiting'),
  );
  return inTurns(
    // One after another: libvirt daemons share a network namespace, and its filters are not made for two of them.
    libvirt === undefined ? waiting : [write(['libvirt', libvirt]), ...waiting],
    sharingGroups(files.filter(isComputing)).map(write),
  );
}

/** Most others wait for a daemon or a browser. */
function isComputing(file: string): boolean {
  return quickFolders.some((folder) => file.startsWith(folder));
}

/** Files that wait run next to files that compute, so that neither the CPU nor the files wait long. */
function inTurns(...lists: string[][]): string[] {
  return lists
    .flatMap((list) => list.map((file, index) => ({ file, place: index / list.length })))
    .toSorted((a, b) => a.place - b.place)
    .map(({ file }) => file);
}

type Group = readonly [name: string, members: string[]];

function sharingGroups(files: string[]): Group[] {
  const byKind = Object.groupBy(files, (file) => (isSlow(file) ? 'slow' : file.startsWith('src/') ? 'unit' : 'story'));
  return (['slow', 'story', 'unit'] as const).flatMap((kind) => {
    const members = byKind[kind] ?? [];
    const count = Math.ceil(members.length / filesShared[kind]);
    // Dealt out like cards, because files with similar names take similarly long.
    return Array.from({ length: count }, (_, index): Group => [
      `${kind}-${index + 1}`,
      members.filter((_, place) => place % count === index),
    ]);
  });
}

function testFiles(paths: string[]): string[] {
  const folders = paths.map((path) => resolve(path));
  return globSync(['src/**/*.test.ts', 'test/**/*.test.ts'])
    .filter((file) => values.long || !file.startsWith('test/long/'))
    .filter((file) => !values.quick || isQuick(file))
    .filter((file) => folders.length === 0 || folders.some((path) => isWithin(path, resolve(file))))
    .sort((a, b) => startOrder(a) - startOrder(b) || (a < b ? -1 : 1));
}

/** Tests with whole machines and networks take longest, so they start first. */
function startOrder(file: string): number {
  const place = longestFirst.findIndex((name) => file.startsWith(`test/peers/${name}`));
  return place === -1 ? longestFirst.length : place;
}

function isWithin(folder: string, file: string): boolean {
  return !relative(folder, file).startsWith('..');
}

function check(program: string, args: readonly string[]): number {
  const path = join(root, 'node_modules', '.bin', program);
  const { status, stdout, stderr, error } = spawnSync(path, args, { encoding: 'utf8' });
  if (status === 0) return 0;
  console.error(`${[program, ...args].join(' ')} failed:\n${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`);
  return status ?? 1;
}

async function runTests(files: string[]): Promise<number> {
  // All temporary files of the run are in one folder, which shows what tests have left behind.
  await using folder = await temporaryFolder('run');
  // Lets daemons of other users pass through.
  chmodSync(folder.path, 0o711);

  const timeoutMs = values.long ? 0 : testTimeoutMs;
  // Most files wait for a daemon or a disk; with five for two cores, a fifth of the CPU was idle.
  const concurrency = Math.floor(3.5 * availableParallelism());
  // The same compile cache as `npm start`: test processes start faster, and npm does not create one in the temporary
  // folder.
  const compiled = join(root, 'node_modules', '.cache', 'compile');
  const env = {
    ...process.env,
    TMPDIR: folder.path,
    NODE_COMPILE_CACHE: compiled,
    ...(values.quick && { HOSTYARD_TEST_QUICK: '1' }),
    ...(values.long && { HOSTYARD_TEST_LONG: '1' }),
  };
  const runner = spawn(process.execPath, ['scripts/run-tests.ts', String(concurrency), String(timeoutMs), ...files], {
    env,
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => runner.kill(signal));
  const deadline = values.long ? undefined : setTimeout(() => runner.kill('SIGINT'), runTimeoutMs);
  const [code, signal] = (await once(runner, 'exit')) as [number | null, NodeJS.Signals | null];
  clearTimeout(deadline);
  if (code !== 0) return code ?? 128 + constants.signals[signal ?? 'SIGKILL'];

  const leftovers = readdirSync(folder.path);
  if (leftovers.length > 0) console.error(`left behind by tests in the temporary folder: ${leftovers.join(', ')}`);
  return leftovers.length === 0 ? 0 : 1;
}
