// Hostyard as a process, started in the usual ways: signals reach the server, its files are private, and a start that fails ends.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { startDaemon } from '#test/support/daemon.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

const root = join(import.meta.dirname, '..', '..');
const hostyard = join(root, 'bin', 'hostyard.js');
/** Far longer than a start takes. */
const maxStartMs = 60_000;

function environment(data: string): NodeJS.ProcessEnv {
  return { ...process.env, HOSTYARD_DATA: data, HOSTYARD_LISTEN: '127.0.0.1:0' };
}
async function startProcess(program: string, args: string[], data: string) {
  const daemon = await startDaemon(program, args, { cwd: root, env: environment(data) });
  await daemon.printed('Hostyard is running.');
  return daemon;
}
const mode = (path: string): string => (statSync(path).mode & 0o7777).toString(8);

describe('the server', () => {
  for (const [name, program, args, signal] of [
    ['npm start', 'npm', ['start'], 'SIGTERM'],
    ['hostyard serve', process.execPath, [hostyard, 'serve'], 'SIGINT'],
  ] as const) {
    test(`started by ${name} shuts down cleanly on ${signal}`, async () => {
      await using folder = await temporaryFolder('process');
      await using daemon = await startProcess(program, [...args], folder.path);
      const { url } = JSON.parse(readFileSync(join(folder.path, 'lab.json'), 'utf8')) as { url: string };
      // Resolves when the last process that can print is gone, so that orphans are noticed.
      await daemon.stop(signal);
      assert.match(daemon.output(), /"msg":"stopping"/);
      assert.ok(!existsSync(join(folder.path, 'hostyard.sqlite-wal')), 'the database was closed');
      await assert.rejects(fetch(`${url}/healthz`));
      if (name === 'hostyard serve') assert.equal(await daemon.ended, 0);
    });
  }

  test('creates files that only its owner can read, in a folder that only its owner can enter', async () => {
    await using folder = await temporaryFolder('process');
    const data = join(folder.path, 'data');
    mkdirSync(data);
    chmodSync(data, 0o755);
    const open = `umask 000; exec "${process.execPath}" src/main.ts`;
    await using daemon = await startProcess('sh', ['-c', open], data);
    assert.equal(mode(data), '700');
    const entries = readdirSync(data, { recursive: true, withFileTypes: true });
    for (const file of ['hostyard.sqlite', 'hostyard.sqlite-wal', 'hostyard.sqlite-shm', 'server.lock'])
      assert.ok(
        entries.some(({ name }) => name === file),
        file,
      );
    for (const entry of entries)
      assert.equal(mode(join(entry.parentPath, entry.name)), entry.isDirectory() ? '700' : '600', entry.name);
    await daemon.stop('SIGTERM');
  });

  test('leaves a shared folder unchanged', async () => {
    await using folder = await temporaryFolder('process');
    chmodSync(folder.path, 0o1777);
    await using daemon = await startProcess(process.execPath, ['src/main.ts'], folder.path);
    assert.equal(mode(folder.path), '1777');
    await daemon.stop('SIGTERM');
  });
});

describe('a start that fails', () => {
  const owned = suiteResources();
  const media = { listen: '127.0.0.1:0', certificate: '/nonexistent/media.crt', key: '/nonexistent/media.key' };
  let taken: string;
  let takenUdp: string;
  before(async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    owned.defer(() => void holder.close());
    await once(holder, 'listening');
    taken = `127.0.0.1:${(holder.address() as AddressInfo).port}`;
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    owned.defer(() => void socket.close());
    await once(socket, 'listening');
    takenUdp = `127.0.0.1:${socket.address().port}`;
  });

  const cases: [name: string, broken: () => { env?: NodeJS.ProcessEnv; site?: object; files?: object }, RegExp][] = [
    [
      'of the API, whose port is in use',
      () => ({ env: { HOSTYARD_LISTEN: taken } }),
      /cannot listen on 127[.0-9:]+: another program is using it/,
    ],
    [
      'of the name server, whose port is in use',
      () => ({ site: { nameserver: { listen: takenUdp, names: ['ns1.example.net'] } } }),
      /cannot listen on 127[.0-9:]+: another program is using it/,
    ],
    ['without its certificate', () => ({ site: { media } }), /media\.crt/],
    ['on a damaged database', () => ({ files: { 'hostyard.sqlite': 'not a database' } }), /file is not a database/],
    [
      'without a database',
      () => ({ env: { HOSTYARD_DATABASE: 'postgres://nobody@127.0.0.1:1/none' } }),
      /ECONNREFUSED/,
    ],
    [
      'with a site file that does not exist and no earlier state',
      () => ({ env: { HOSTYARD_SITE: '/nonexistent/site.yaml' } }),
      /^The site file \/nonexistent\/site\.yaml does not exist\. Correct HOSTYARD_SITE/m,
    ],
    ['with a broken site file and no earlier state', () => ({ site: { provider: 3 } }), /site\.yaml:1:/],
  ];
  for (const [name, broken, message] of cases)
    test(`${name} ends with 1, a message, and nothing left running`, async () => {
      await using folder = await temporaryFolder('process');
      const { env, site = {}, files = {} } = broken();
      const file = join(folder.path, 'site.yaml');
      writeFileSync(file, stringify({ provider: { name: 'Test', currency: { code: 'EUR' } }, ...site }));
      for (const [path, text] of Object.entries(files)) writeFileSync(join(folder.path, path), text as string);
      await using daemon = await startDaemon(process.execPath, [hostyard, 'serve'], {
        cwd: root,
        env: { ...environment(folder.path), HOSTYARD_SITE: file, ...env },
      });
      // All output has ended as well, so that no child process is left that could print.
      const code = await Promise.race([daemon.ended, sleep(maxStartMs, 'still running', { ref: false })]);
      assert.equal(code, 1, daemon.output());
      assert.match(daemon.output(), message);
      assert.doesNotMatch(daemon.output(), /Hostyard is running|^ {4}at /m);
      assert.ok(!existsSync(join(folder.path, 'hostyard.sqlite-wal')), 'the database was closed');
    });
});

describe('the command line', () => {
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [hostyard, ...args], { cwd: root, env: environment('/nonexistent') });

  test('prints what the command prints and exits with its code', async () => {
    const { stdout } = await run('key', 'draw');
    assert.match(stdout, /^key {3}hy_/);
    const failure = await run('apply', '--check', '/nonexistent/site.yaml').catch((error: unknown) => error);
    const { code, stderr } = failure as { code: number; stderr: string };
    assert.equal(code, 1);
    assert.equal(stderr, '/nonexistent/site.yaml does not exist.\n');
  });

  test('hostyard seal says when it creates a key, and seals nothing that is empty', async () => {
    await using folder = await temporaryFolder('process');
    const seal = (input: string) =>
      promisify(execFile)('sh', ['-c', `printf '${input}' | "${process.execPath}" "${hostyard}" seal`], {
        cwd: folder.path,
        env: environment('data'),
      });
    await assert.rejects(seal(''), /Write the secret to standard input\./);
    assert.deepEqual(readdirSync(folder.path), []);
    assert.match((await seal('secret')).stderr, /^Created a sealing key in .*\/data, for a new installation\.$/m);
    assert.deepEqual({ ...(await seal('secret')) }.stderr, '');
  });

  const shell = (line: string) =>
    promisify(execFile)('sh', ['-c', line.replace('hostyard', `"${process.execPath}" "${hostyard}"`)], {
      env: environment('/nonexistent'),
    });

  test('hostyard password waits for who types it', async () => {
    assert.match((await shell('(sleep 3; echo a-long-passphrase) | hostyard password')).stdout, /^\$argon2id\$/);
  });

  test('a command whose messages nobody reads exits with its code', async () => {
    const { stdout } = await shell('{ { hostyard nothing; echo $? >&3; } 2>&1 >/dev/null | true; } 3>&1');
    assert.equal(stdout, '2\n');
  });

  for (const args of [['machines'], ['key', 'list', '--account', '1'], ['export'], ['audit'], ['backup', 'b.tar']])
    test(`hostyard ${args[0]} in the wrong folder says so, and creates nothing`, async () => {
      await using folder = await temporaryFolder('process');
      const command = promisify(execFile)(process.execPath, [hostyard, ...args], {
        cwd: folder.path,
        env: environment('data'),
      });
      const { code, stderr } = (await command.catch((error: unknown) => error)) as { code: number; stderr: string };
      assert.equal(code, 1);
      assert.match(stderr, /data\/hostyard\.sqlite does not exist\. Start the server once, or set HOSTYARD_DATA/);
      assert.deepEqual(readdirSync(folder.path), []);
    });
});
