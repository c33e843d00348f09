// Runs the tests and all checks: types, lint and format (silent on success; a failure ends the tests). Meanwhile it installs the
// Debian packages of the real daemons; only the suites that need them wait for that. The summary of the test runner comes last, and
// its exit code is ours.
//
//   npm test                            everything except test/long
//   npm test -- src/protocols test/api  only the test files under these paths
//   npm test -- --quick                 no daemons and no browser: units, API tests and sweeps, except slow ones
//   npm test -- --long                  all suites on PostgreSQL as well, then test/long, one file at a time
//   npm test -- --long test/long        only test/long

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, constants } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { temporaryFolder } from '../test/support/folder.ts';
import { findBinary } from '../test/support/needs.ts';
import { clusterTemplate } from '../test/support/postgres.ts';
import { ensureTables } from '../test/support/sqlite-tables.ts';
import { fetchGuestPackages } from './guest-packages.ts';
import { installMissingPackages, packagesByBinary, packagesOfLongTests } from './packages.ts';

const root = join(import.meta.dirname, '..');
// One checker per module: several would each load all types, for twice the CPU time.
const checks = [['tsc', '-b', '--checkers', '1', '--builders', '2'], ['oxlint'], ['oxfmt', '--check']] as const;
/** The same as that of `npm start`: test processes start faster, and npm does not create one in the temporary folder. */
const compileCache = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compile') };

// For tests that hang, not for slow ones: an emulated machine takes three times as long on a busy CPU.
const testTimeoutMs = 420_000;
// A test in a busy loop misses its own timeout. Interrupting the runner lets it name the file. A run should take 15
// minutes; this is for one that hangs, because a shared machine can be slower by half.
const runTimeoutMs = 40 * 60_000;

const quickFolders = ['src/', 'test/api/', 'test/sweeps/', 'test/support/', 'test/upgrade/'];
/** Quick runs leave these out: each takes seconds of CPU time, or much longer beside others. */
const slowTests = new Set([
  ...testsOf('src/app/billing', 'documents/electronic-invoice year'),
  ...testsOf('src/workflows', 'machine/crashes registry server/crashes'),
  ...testsOf('test/api', 'account-sign-on address-quotas attacks boot-neighbour boot-server cli devices'),
  ...testsOf('test/api', 'devices-console devices-power devices-users dns-large doctor events images invoice-pdf'),
  ...testsOf('test/api', 'machine-deletion machine-orders machines machines-console machines-reinstall'),
  ...testsOf('test/api', 'network-traffic nullroutes reclaim-lab reloads reloads-lab rescues serial-history sign-in'),
  ...testsOf('test/api', 'sign-in-passkeys webhooks'),
  ...testsOf('test/sweeps', 'answers bodies crossing dns-limits parameters passwords patterns query-plans races'),
  ...testsOf('test/sweeps', 'restrictions roles sign-in-proofs terminated'),
  'test/upgrade/releases.test.ts',
]);
/** Processes take seconds to start, and the fuzzer half a minute; suites that need other daemons leave themselves out. */
const isQuick = (file: string): boolean => isComputing(file) && !isSlow(file);
const isSlow = (file: string): boolean =>
  slowTests.has(file) || /\bstart(?:Server|Site|Daemon)\b|\bfuzz\(/.test(readFileSync(file, 'utf8'));

// Loading the server takes longer than most files take to run, so these many share a process.
const filesShared = { slow: 7, waiting: 8, story: 32, unit: 80 };
/** These run alone in a process: they take long, measure their process, or load the machine. Short ones are last. */
const aloneFiles = [
  ...'fastnetmon routes dns-publishing virtual-lxd newcomer devices-witness'.split(' ').map((name) => `peers/${name}`),
  ...'pages everyday stories impersonation'.split(' ').map((name) => `panel/${name}`),
  ...'package routed-addresses'.split(' ').map((name) => `peers/${name}`),
  ...'canaries stop devices-cluster bad-peers endless-peers hostile dns-flood'
    .split(' ')
    .map((name) => `faults/${name}`),
  'long/',
];

process.chdir(root);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { long: { type: 'boolean', default: false }, quick: { type: 'boolean', default: false } },
});
/** Until the packages are installed. */
let installation: Promise<unknown> | undefined;
process.exitCode = await main();

async function main(): Promise<number> {
  const files = testFiles(positionals);
  if (files.length === 0) {
    console.error(`no test files under ${positionals.join(', ')}`);
    return 1;
  }
  if (!values.quick) {
    const packages = values.long ? { ...packagesByBinary, ...packagesOfLongTests } : packagesByBinary;
    installation = Promise.all([prepareDatabases(installMissingPackages(packages)), fetchGuestPackages()]).then(
      () => (installation = undefined),
    );
  }
  // The tests do not wait for the checks: the compiler uses a single core most of the time, because modules wait for those
  // that they import.
  const failing = new AbortController();
  const checking = checks.map(([name, ...args]) =>
    execute(join(root, 'node_modules', '.bin', name), args).catch((error: unknown) => {
      failing.abort();
      throw error;
    }),
  );
  const testing = prepareServer().then(() => runTests(groupFiles(files), failing.signal));
  const results = await Promise.allSettled([...checking, testing]);
  const errors = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason as ExecError);
  // The message contains the command and what it wrote to stderr.
  for (const { message, stdout = '' } of errors) console.error(`${message}\n${stdout}`);
  return errors.length > 0 ? 1 : testing;
}

type ExecError = Error & { readonly stdout?: string };

/** The servers that tests start load the bundle, and what they compile comes from a cache. */
async function prepareServer(): Promise<void> {
  await execute(process.execPath, ['scripts/bundle-sources.ts']);
  await execute(process.execPath, ['--import=./test/support/preload.ts', 'scripts/warm-tests.ts']);
}

/** The first test files would all make the same empty databases at the same time. */
async function prepareDatabases(packages: Promise<void>): Promise<void> {
  await using folder = await temporaryFolder('databases');
  await ensureTables(folder.path);
  await packages;
  if (findBinary('initdb') !== undefined) await clusterTemplate();
}

/** Lets files share processes, and returns what to run, in this order. */
function groupFiles(files: string[]): string[] {
  const folder = join(root, 'node_modules', '.cache', 'shared-tests');
  mkdirSync(folder, { recursive: true });
  const write = ([name, members]: Group): string => {
    const path = join(folder, `${name}.js`);
    const imports = name.startsWith('unit-') ? members : ['test/support/after-installation.ts', ...members];
    writeFileSync(path, imports.map((file) => `import '${pathToFileURL(file)}';\n`).join(''));
    return relative(root, path);
  };
  const {
    libvirt,
    alone = [],
    shared = [],
  } = Object.groupBy(files, (file) => {
    if (file.startsWith('test/peers/virtual-libvirt')) return 'libvirt';
    return startOrder(file) < aloneFiles.length ? 'alone' : 'shared';
  });
  const { slow, waiting, story, unit } = sharingGroups(shared);
  // The longest groups come first and unit tests last, because a long group that starts last would leave a core idle.
  // During an installation unit tests come first, because they do not wait for it.
  const [first, last] = installation === undefined ? [[], unit] : [unit, []];
  return [
    ...first.map(write),
    ...inTurns(
      // One after another: libvirt daemons share a network namespace, and its filters are not made for two of them.
      [...(libvirt === undefined ? [] : [write(['libvirt', libvirt])]), ...waiting.map(write), ...alone],
      [...story, ...slow, ...last].map(write),
    ),
  ];
}

function testsOf(folder: string, names: string): string[] {
  return names.split(' ').map((name) => `${folder}/${name}.test.ts`);
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

type Kind = keyof typeof filesShared;

function sharingGroups(files: string[]): Record<Kind, Group[]> {
  const byKind = Object.groupBy(files, kindOf);
  const groupsOf = (kind: Kind): Group[] => {
    const members = byKind[kind] ?? [];
    // A quick run has few groups, and one that takes long would leave a core idle.
    const count = Math.ceil(members.length / filesShared[kind]) * (values.quick ? 3 : 1);
    // Dealt out like cards, because files with similar names take similarly long.
    return Array.from({ length: count }, (_, index): Group => [
      `${kind}-${index + 1}`,
      members.filter((_, place) => place % count === index),
    ]);
  };
  return {
    slow: groupsOf('slow'),
    waiting: groupsOf('waiting'),
    story: groupsOf('story'),
    unit: groupsOf('unit'),
  };
}

function kindOf(file: string): Kind {
  if (!isComputing(file)) return 'waiting';
  if (isSlow(file)) return 'slow';
  const usesDaemons = /\bneeds|ngines\b/.test(readFileSync(file, 'utf8'));
  return file.startsWith('src/') && !usesDaemons ? 'unit' : 'story';
}

function testFiles(paths: string[]): string[] {
  const folders = paths.map((path) => resolve(path));
  return globSync(['src/**/*.test.ts', 'test/**/*.test.ts'])
    .filter((file) => values.long || !file.startsWith('test/long/'))
    .filter((file) => !values.quick || isQuick(file))
    .filter((file) => folders.length === 0 || folders.some((path) => isWithin(path, resolve(file))))
    .sort((a, b) => startOrder(a) - startOrder(b) || (a < b ? -1 : 1));
}

function startOrder(file: string): number {
  const place = aloneFiles.findIndex((name) => file.startsWith(`test/${name}`));
  return place === -1 ? aloneFiles.length : place;
}

function isWithin(folder: string, file: string): boolean {
  return !relative(folder, file).startsWith('..');
}

function execute(program: string, args: readonly string[]): Promise<unknown> {
  return promisify(execFile)(program, args, { maxBuffer: Infinity, env: { ...process.env, ...compileCache } });
}

async function runTests(files: string[], stopping: AbortSignal): Promise<number> {
  // All temporary files of the run are in one folder, which shows what tests have left behind.
  await using folder = await temporaryFolder('run');
  // Lets daemons of other users pass through.
  chmodSync(folder.path, 0o711);

  const timeoutMs = values.long ? 0 : testTimeoutMs;
  // Most files wait for a daemon or a disk: with five for two cores, the CPU was idle at times. With seven, the run took as
  // long, and each test longer.
  const concurrency = 3 * availableParallelism();
  const installing = join(folder.path, 'installing');
  if (installation !== undefined) {
    writeFileSync(installing, '');
    void installation.then(() => rmSync(installing));
  }
  const env = {
    ...process.env,
    ...compileCache,
    TMPDIR: folder.path,
    ...(values.quick && { HOSTYARD_TEST_QUICK: '1' }),
    ...(values.long && { HOSTYARD_TEST_LONG: '1' }),
    ...(installation !== undefined && { HOSTYARD_TEST_INSTALLING: installing }),
  };
  const runner = spawn(process.execPath, ['scripts/run-tests.ts', String(concurrency), String(timeoutMs), ...files], {
    env,
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => runner.kill(signal));
  stopping.addEventListener('abort', () => runner.kill('SIGINT'));
  if (stopping.aborted) runner.kill('SIGINT');
  const deadline = values.long ? undefined : setTimeout(() => runner.kill('SIGINT'), runTimeoutMs);
  const [code, signal] = (await once(runner, 'exit')) as [number | null, NodeJS.Signals | null];
  clearTimeout(deadline);
  await installation;
  if (code !== 0) return code ?? 128 + constants.signals[signal ?? 'SIGKILL'];

  const leftovers = readdirSync(folder.path);
  if (leftovers.length > 0) console.error(`left behind by tests in the temporary folder: ${leftovers.join(', ')}`);
  return leftovers.length === 0 ? 0 : 1;
}
