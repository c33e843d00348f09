// npm test: everything that must hold, in the order in which a fault is cheapest to learn of. The packages for real daemons,
// then types, lint and format (silent unless they fail), then the tests by Node's own runner, whose summary is the last thing
// printed and whose exit code is ours.
//
//   npm test                      everything but test/long
//   npm test -- src/wire test/api only the test files under these paths
//   npm test -- --long            test/long as well

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, globSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, constants } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { temporaryFolder } from '../test/support/folder.ts';
import { fetchGuestPackages } from './guest-packages.ts';
import { installMissingPackages } from './packages.ts';

const root = join(import.meta.dirname, '..');
// One checker for each room: several of them would each learn all types anew, for twice the processor time.
const checks = [['tsc', '-b', '--checkers', '1', '--builders', '2'], ['oxlint'], ['oxfmt', '--check']] as const;

// For what hangs, not for what is slow: a machine that is emulated takes three times as long where four others want the cores.
const testTimeoutMs = 420_000;
// CI gives the whole run 15 minutes. A test in a busy loop hears no timeout of its own; interrupting the runner before CI
// does lets it name the file.
const runTimeoutMs = 14 * 60_000;

const filesShared = 6;
// Stories that are short and leave their process as they found it: most of what each would take alone is to load the server.
const toldTogether: Record<string, string[]> = {
  account: ['api/account', 'api/actions', 'api/contacts', 'api/keys', 'api/limits', 'api/people'],
  attacks: ['api/attacks', 'api/nullroutes'],
  billing: ['api/billing', 'api/billing-commands', 'api/invoice-pdf', 'api/licences'],
  clients: ['api/cli', 'api/panel', 'api/sdk'],
  devices: ['api/devices', 'api/devices-power', 'api/devices-users'],
  dns: ['api/dns', 'api/dns-source'],
  events: ['api/events', 'api/webhooks'],
  images: ['api/boot-server', 'api/images'],
  machines: ['api/machines-console', 'api/machines-placement', 'api/machines-reinstall'],
  network: ['api/network-ports', 'api/network-traffic'],
  operator: ['api/operator', 'api/operator-services', 'api/operator-work', 'api/plans'],
  reloads: ['api/reloads-lab', 'api/rescues'],
  site: ['api/packaging', 'api/site', 'api/site-keys', 'api/site-round-trip'],
  sweeps: ['cli', 'commands', 'contract', 'docs', 'golden', 'keys', 'operator', 'rooms', 'schema'].map(
    (name) => `sweeps/${name}`,
  ),
};
const longestFirst = ['reload-qemu', 'fastnetmon', 'routes', 'dns-publishing', 'virtual-lxd', 'virtual-libvirt-story'];

process.chdir(root);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { long: { type: 'boolean', default: false } },
});
process.exitCode = await main();

async function main(): Promise<number> {
  const files = testFiles(positionals);
  if (files.length === 0) {
    console.error(`no test files under ${positionals.join(', ')}`);
    return 1;
  }
  installMissingPackages();
  fetchGuestPackages();
  for (const [program, ...args] of checks) {
    const status = check(program, args);
    if (status !== 0) return status;
  }
  return runTests(inShared(files));
}

/** Units of a room share processes, a few files in each, and so do short stories; every other file has a process of its own. */
function inShared(files: string[]): string[] {
  const folder = join(root, 'node_modules', '.cache', 'shared-tests');
  mkdirSync(folder, { recursive: true });
  const groups = [...storyGroups(files), ...unitGroups(files)];
  const shared = new Set(groups.flatMap(([, members]) => members));
  const paths = groups.map(([name, members]) => {
    const path = join(folder, `${name}.js`);
    writeFileSync(path, members.map((member) => `import '${pathToFileURL(member)}';\n`).join(''));
    return relative(root, path);
  });
  return [...files.filter((file) => !shared.has(file)), ...paths];
}

type Group = readonly [name: string, members: string[]];

function unitGroups(files: string[]): Group[] {
  const units = files.filter((file) => file.startsWith('src/'));
  return [...Map.groupBy(units, (file) => file.split('/')[1]!)].flatMap(([room, members]) =>
    Array.from({ length: Math.ceil(members.length / filesShared) }, (_, index): Group => {
      const first = index * filesShared;
      return [`${room}-${index + 1}`, members.slice(first, first + filesShared)];
    }),
  );
}

function storyGroups(files: string[]): Group[] {
  return Object.entries(toldTogether)
    .map(([subject, names]): Group => [
      `stories-${subject}`,
      names.map((name) => `test/${name}.test.ts`).filter((file) => files.includes(file)),
    ])
    .filter(([, members]) => members.length > 0);
}

function testFiles(paths: string[]): string[] {
  const wanted = paths.map((path) => resolve(path));
  return globSync(['src/**/*.test.ts', 'test/**/*.test.ts'])
    .filter((file) => values.long || !file.startsWith('test/long/'))
    .filter((file) => wanted.length === 0 || wanted.some((path) => isWithin(path, resolve(file))))
    .sort((one, other) => placeOf(one) - placeOf(other) || (one < other ? -1 : 1));
}

/** Whole machines and networks take longest: they begin first, so that the run does not end waiting for them; the two that are
 * emulated not at once. */
function placeOf(file: string): number {
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
  // All temporary files of the run are in one folder: what is in it at the end was left behind by a test.
  await using folder = await temporaryFolder('run');
  // Daemons that run under another account pass through it.
  chmodSync(folder.path, 0o711);

  // The tests of test/long set their own limits.
  const timeoutMs = values.long ? 0 : testTimeoutMs;
  // Most files wait for a daemon; five for two cores keep them busy.
  const concurrency = Math.ceil(2.5 * availableParallelism());
  // Compiled code is kept where `npm start` keeps it: every test process starts quicker, and npm, which keeps its own in the
  // temporary folder unless told, leaves nothing there.
  const compiled = join(root, 'node_modules', '.cache', 'compile');
  const env = { ...process.env, TMPDIR: folder.path, NODE_COMPILE_CACHE: compiled };
  const runner = spawn(process.execPath, ['scripts/run-tests.ts', String(concurrency), String(timeoutMs), ...files], {
    env,
    stdio: 'inherit',
  });
  // The runner, told to stop, ends its test processes and prints what was interrupted.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => runner.kill(signal));
  const deadline = values.long ? undefined : setTimeout(() => runner.kill('SIGINT'), runTimeoutMs);
  const [code, signal] = (await once(runner, 'exit')) as [number | null, NodeJS.Signals | null];
  clearTimeout(deadline);
  if (code !== 0) return code ?? 128 + constants.signals[signal ?? 'SIGKILL'];

  const left = readdirSync(folder.path);
  if (left.length > 0) console.error(`left behind by tests in the temporary folder: ${left.join(', ')}`);
  return left.length === 0 ? 0 : 1;
}
