// The repositories of restic, in a local folder and on an OpenSSH server.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { chunksOf, collect, describeRepository } from '#drivers/backup/conformance.ts';
import type { RepositorySettings } from '#drivers/backup/driver.ts';
import { openRestic } from '#drivers/backup/restic.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { needsSftp, startSftpServer } from '#test/support/sftp-server.ts';
import { until } from '#test/support/until.ts';

/** With the usual one, it would wait for all other tests. */
const niceness = 0;
const access = { name: 'machine-1', password: 'correct horse' };
const stranger = { name: 'machine-1', password: 'battery staple' };

describeRepository(
  'a restic repository in a local folder',
  needs('restic'),
  async () => {
    const folder = await temporaryFolder('restic');
    const settings = { driver: 'local', path: folder.path } as const;
    return {
      repository: openRestic(settings, access, niceness),
      stranger: openRestic(settings, stranger, niceness),
      takeOffline: () => rename(folder.path, `${folder.path}.away`),
      async [Symbol.asyncDispose]() {
        await rename(`${folder.path}.away`, folder.path).catch(() => {});
        await folder[Symbol.asyncDispose]();
      },
    };
  },
  'encrypted and deduplicated',
);

// Starting SSH for each command takes a minute in total.
if (isLongRun)
  describeRepository(
    'a restic repository on an SFTP server',
    needsSftp(),
    async () => {
      const server = await startSftpServer();
      const { port, key, hostKey, path } = server;
      const settings: RepositorySettings = {
        driver: 'sftp',
        host: 'localhost',
        port,
        user: 'root',
        key,
        hostKey,
        path,
      };
      return {
        repository: openRestic(settings, access, niceness),
        stranger: openRestic(settings, stranger, niceness),
        takeOffline: () => server.stop(),
        [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
      };
    },
    'encrypted and deduplicated',
  );

describe('restic', needs('restic'), () => {
  it('shows no secret in its arguments, removes the lock of a process that died, and dies with its job', async () => {
    await using folder = await temporaryFolder('restic');
    const repository = openRestic({ driver: 'local', path: folder.path }, access, niceness);
    const patience = AbortSignal.timeout(600_000);
    await repository.create(patience);
    const locks = join(folder.path, access.name, 'locks');
    const controller = new AbortController();
    const waiting = Promise.withResolvers<void>();
    const stalled = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.alloc(1000);
      await waiting.promise;
    };
    const storing = assert.rejects(repository.store(stalled(), controller.signal));
    await until(async () => (await readdir(locks)).length > 0, { patienceMs: 600_000 });
    const { stdout } = await promisify(execFile)('pgrep', ['-f', `restic.*${'stdin-filename'}`]);
    const lines = await Promise.all(
      stdout.split('\n').map((id) => (id === '' ? '' : readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => ''))),
    );
    assert.ok(lines.every((line) => !line.includes(access.password)));
    controller.abort(new Error('stop'));
    waiting.resolve();
    await storing;
    assert.equal((await readdir(locks)).length, 1);
    assert.equal(await repository.keepOnly([], patience), 0);
    const { snapshot } = await repository.store(chunksOf(Buffer.from('later')), patience);
    assert.ok((await repository.keepOnly([snapshot], patience)) > 0);
  });

  it('stores and returns content after a process that had the repository to itself was killed', async () => {
    await using folder = await temporaryFolder('restic');
    const repository = openRestic({ driver: 'local', path: folder.path }, access, niceness);
    const patience = AbortSignal.timeout(600_000);
    await repository.create(patience);
    const locks = join(folder.path, access.name, 'locks');
    const killCheck = async (): Promise<void> => {
      const controller = new AbortController();
      const checking = assert.rejects(repository.check(controller.signal), /stop/);
      await until(async () => (await readdir(locks)).length > 0, { patienceMs: 600_000, pollMs: 20 });
      controller.abort(new Error('stop'));
      await checking;
      assert.equal((await readdir(locks)).length, 1);
    };
    await killCheck();
    const { snapshot } = await repository.store(chunksOf(Buffer.from('content')), patience);
    await killCheck();
    assert.equal((await collect(repository.read(snapshot, patience))).toString(), 'content');
  });
});
