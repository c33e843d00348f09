import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { systemClock } from '#kernel/clock.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { embeddedJobs } from './embedded.ts';
import { JobLost, jobWorker, type JobKind } from './jobs.ts';
import { openTestStore } from '#test/support/store.ts';

const kind: JobKind<{ number: number }> = {
  name: 'held',
  deadlineSeconds: 600,
  retries: 1,
  firstRetrySeconds: 600,
  longestRetrySeconds: 600,
  concurrency: 1,
};

test('a job whose process has been silent for 20 s is given away, and what the silent one writes is refused', async () => {
  await using folder = await temporaryFolder('jobs');
  await using owned = new AsyncDisposableStack();
  const store = await openTestStore({ dataFolder: folder.path, database: undefined });
  owned.defer(() => store.close());
  const log = pino({ level: 'silent' });
  const silent = embeddedJobs({ store, clock: systemClock, log, node: 'silent' });
  owned.defer(() => silent.stop());
  // To one whose clock is ahead, every heartbeat of the other is long ago.
  const ahead = { now: () => Date.now() + 25_000 };
  const other = embeddedJobs({ store, clock: ahead, log, node: 'other' });
  owned.defer(() => other.stop());

  // The other one is busy until the silent one has the job.
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
