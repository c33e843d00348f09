import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { systemClock } from '#lib/clock.ts';
import { openOwnedStore } from '#test/support/store.ts';
import { embeddedQueue } from './embedded.ts';
import { JobLost, jobWorker, type JobKind } from './queue.ts';

const kind: JobKind<{ number: number }> = {
  name: 'held',
  deadlineSeconds: 600,
  retries: 1,
  firstRetrySeconds: 600,
  maxRetrySeconds: 600,
  concurrency: 1,
};

test('a job whose process was silent for 20 s is handed to another, and the silent process can no longer write', async () => {
  await using owned = new AsyncDisposableStack();
  const store = await openOwnedStore(owned, 'jobs');
  const log = pino({ level: 'silent' });
  const silent = embeddedQueue({ store, clock: systemClock, log, instanceId: 'silent' });
  owned.defer(() => silent.stop());
  // To an instance whose clock is ahead, every heartbeat of the other is long ago.
  const ahead = { now: () => Date.now() + 25_000 };
  const other = embeddedQueue({ store, clock: ahead, log, instanceId: 'other' });
  owned.defer(() => other.stop());

  // The other instance is busy until the silent one has the job.
  const taken = Promise.withResolvers<void>();
  const again = Promise.withResolvers<number>();
  const refused = Promise.withResolvers<unknown>();
  const busy = Promise.withResolvers<void>();
  await other.start([
    jobWorker(kind, async ({ attempt, payload }) => {
      busy.resolve();
      if (payload.number === 1) await taken.promise;
      else again.resolve(attempt);
    }),
  ]);
  await store.transaction((queries) => other.enqueue(queries, kind, { number: 1 }));
  await busy.promise;
  await silent.start([
    jobWorker(kind, async (job) => {
      taken.resolve();
      await again.promise;
      await job.publish(async () => {}).catch(refused.resolve);
    }),
  ]);
  await store.transaction((queries) => silent.enqueue(queries, kind, { number: 2 }));
  assert.equal(await again.promise, 2);
  assert.ok((await refused.promise) instanceof JobLost);
});
