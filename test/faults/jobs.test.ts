// kill -9 of a process that runs a job. On PostgreSQL another running instance notices the missing heartbeat; on SQLite
// there is only one server, and the next one to start takes the job over at once.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pino } from 'pino';
import { jobWorker } from '#queue/queue.ts';
import { openQueue } from '#queue/open.ts';
import { systemClock } from '#lib/clock.ts';
import { startProgram } from '#test/support/daemon.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { notDurable, startPostgres } from '#test/support/postgres.ts';
import { openTestStore } from '#test/support/store.ts';
import { killedKind } from './jobs-kind.ts';

describe('the job of a killed process', { concurrency: true }, () => {
  test('runs again on another instance on PostgreSQL within 30 s', needs('initdb', 'postgres'), async () => {
    await using postgres = await startPostgres(notDurable);
    const { attempt, afterMs } = await killWorker(postgres.url, 'before');
    assert.equal(attempt, 2);
    assert.ok(afterMs < 30_000, `${afterMs} ms`);
  });

  test('runs again on SQLite when the server starts again', async () => {
    assert.equal((await killWorker(undefined, 'after')).attempt, 2);
  });
});

/** Kills the instance that holds a job, and returns what becomes of it. The survivor starts before or after the kill. */
async function killWorker(
  database: string | undefined,
  survivorStarts: 'before' | 'after',
): Promise<{ attempt: number; afterMs: number }> {
  await using folder = await temporaryFolder('jobs');
  await using owned = new AsyncDisposableStack();
  const store = await openTestStore({ dataFolder: folder.path, database });
  owned.defer(() => store.close());
  const log = pino({ level: 'silent' });
  const survivor = await openQueue({ store, clock: systemClock, log, instanceId: 'survivor' }, database);
  owned.defer(() => survivor.stop());
  const again = Promise.withResolvers<number>();
  const worker = jobWorker(killedKind, async ({ attempt }) => again.resolve(attempt));

  const program = join(import.meta.dirname, 'jobs-node.ts');
  await using node = await startProgram(program, folder.path, ...(database === undefined ? [] : [database]));
  await node.printed('holds 1');
  if (survivorStarts === 'before') await survivor.start([worker]);
  await node.stop('SIGKILL');
  const killedAt = Date.now();
  if (survivorStarts === 'after') await survivor.start([worker]);
  const attempt = await again.promise;
  return { attempt, afterMs: Date.now() - killedAt };
}
