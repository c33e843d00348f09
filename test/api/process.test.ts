// Hostyard as a process, started in the usual ways: signals reach the server, and its files are private.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { startDaemon } from '#test/support/daemon.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const root = join(import.meta.dirname, '..', '..');
const hostyard = join(root, 'bin', 'hostyard.js');

function environment(data: string): NodeJS.ProcessEnv {
  return { ...process.env, HOSTYARD_DATA: data, HOSTYARD_LISTEN: '127.0.0.1:0' };
}
async function started(program: string, args: string[], data: string) {
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
      await using daemon = await started(program, [...args], folder.path);
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
    await using daemon = await started('sh', ['-c', open], data);
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
    await using daemon = await started(process.execPath, ['src/main.ts'], folder.path);
    assert.equal(mode(folder.path), '1777');
    await daemon.stop('SIGTERM');
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
    assert.match(stderr, /no such file/);
  });
});
