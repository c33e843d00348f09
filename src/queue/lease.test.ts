// Two instances on one database, of which one loses its connection: it must stop a job before the other takes it over, however
// long its database is silent. On SQLite, all timers and clocks are the test's own.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { pino } from 'pino';
import { systemClock } from '#lib/clock.ts';
import { startHangingRelay } from '#test/support/hanging-relay.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { needs } from '#test/support/needs.ts';
import { notDurable, startPostgres } from '#test/support/postgres.ts';
import { withResources } from '#test/support/resources.ts';
import { openOwnedStore } from '#test/support/store.ts';
import { unreliable, type Connection } from '#test/support/unreliable-store.ts';
import { until } from '#test/support/until.ts';
import { embeddedQueue } from './embedded.ts';
import { openQueue } from './open.ts';
import { jobWorker, type JobKind } from './queue.ts';

const kind: JobKind<object> = {
  name: 'dangerous',
  deadlineSeconds: 600,
  retries: 1,
  firstRetrySeconds: 600,
  maxRetrySeconds: 600,
  concurrency: 1,
};
const log = pino({ level: 'silent' });
const startMs = Date.now();

test('an instance that loses its database stops a job two seconds before another takes it over', async (context) => {
  await using cluster = await openCluster(context, ['one', 'other']);
  await cluster.passUntil(() => cluster.seen.at(-1)?.what === 'attempt 2 starts');
  const [started, stopped, restarted] = cluster.seen;
  assert.deepEqual(
    [started, stopped, restarted].map((moment) => moment?.what),
    ['attempt 1 starts', 'attempt 1 stops', 'attempt 2 starts'],
  );
  assert.ok(stopped!.atMs - started!.atMs >= 15_000, 'heartbeats may fail for a while');
  assert.ok(restarted!.atMs - stopped!.atMs >= 2000, `${restarted!.atMs - stopped!.atMs} ms`);
});

test('a job that was stopped runs again as soon as the database responds, without counting a failure', async (context) => {
  await using cluster = await openCluster(context, ['one'], { ...kind, retries: 0 });
  await cluster.passUntil(() => cluster.seen.at(-1)?.what === 'attempt 1 stops');
  cluster.reconnect();
  // No time passes, so it does not wait until its heartbeat is missed.
  await until(() => cluster.seen.at(-1)?.what === 'attempt 2 starts', { saw: () => cluster.seen });
});

test('one heartbeat that hangs does not stop a job, because others follow', async (context) => {
  await using cluster = await openCluster(context, ['one'], kind, 'hangs once');
  await cluster.passUntil(() => cluster.seen.length > 1);
  assert.deepEqual(
    cluster.seen.map(({ what }) => what),
    ['attempt 1 starts'],
  );
});

test('a process that was paused notices when it reads the signal, before its timers run', async (context) => {
  await using cluster = await openCluster(context, ['one']);
  await cluster.passUntil(() => cluster.seen.length > 0);
  const job = cluster.job!;
  assert.equal(job.signal.aborted, false);
  cluster.pause(18_001);
  assert.equal(job.signal.aborted, true);
});

// PostgreSQL measures with its own clock, so the time really passes.
if (isLongRun)
  test(
    'an instance whose connections to PostgreSQL hang stops a job before another takes it over',
    needs('initdb', 'postgres'),
    async () => {
      await using owned = new AsyncDisposableStack();
      const postgres = owned.use(await startPostgres(notDurable));
      const database = await postgres.createStoreDatabase();
      const seen: string[] = [];
      for (const instanceId of ['one', 'other']) {
        const relay = owned.use(await startHangingRelay(database));
        const store = await openOwnedStore(owned, 'lease', relay.url);
        const queue = await openQueue({ store, clock: systemClock, log, instanceId }, relay.url);
        owned.defer(() => queue.stop());
        owned.defer(() => relay.resume());
        await queue.start([
          jobWorker(kind, async ({ attempt, signal }) => {
            seen.push(`attempt ${attempt} starts`);
            if (attempt > 1) return;
            relay.hang();
            await once(signal, 'abort');
            seen.push('attempt 1 stops');
            throw signal.reason;
          }),
        ]);
        if (instanceId === 'other') await store.transaction((queries) => queue.enqueue(queries, kind, {}));
      }
      await until(() => seen.includes('attempt 2 starts'), { saw: () => seen });
      assert.deepEqual(seen, ['attempt 1 starts', 'attempt 1 stops', 'attempt 2 starts']);
    },
  );

/** Instances on one database. The one that gets the job has a problem with its connection at the first attempt. */
async function openCluster(
  context: TestContext,
  instanceIds: readonly string[],
  jobKind = kind,
  problem: Connection = 'is cut',
) {
  await using owned = new AsyncDisposableStack();
  const store = await openOwnedStore(owned, 'lease');
  let passedMs = 0;
  context.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  context.mock.method(performance, 'now', () => passedMs);
  const seen: { readonly what: string; readonly atMs: number }[] = [];
  const see = (what: string): void => void seen.push({ what, atMs: passedMs });
  const lines = instanceIds.map(() => unreliable(store));
  const reconnect = (): void => lines.forEach((line) => line.become('works'));
  const over = Promise.withResolvers<void>();
  let job: { readonly signal: AbortSignal } | undefined;
  for (const [index, instanceId] of instanceIds.entries()) {
    const line = lines[index]!;
    const queue = embeddedQueue({ store: line.store, clock: { now: () => startMs + passedMs }, log, instanceId });
    owned.defer(() => queue.stop());
    await queue.start([
      jobWorker(jobKind, async (attempt) => {
        see(`attempt ${attempt.attempt} starts`);
        if (attempt.attempt > 1) return;
        job = attempt;
        line.become(problem);
        await Promise.race([once(attempt.signal, 'abort'), over.promise]);
        see('attempt 1 stops');
        throw attempt.signal.reason;
      }),
    ]);
    if (index === instanceIds.length - 1) await store.transaction((queries) => queue.enqueue(queries, jobKind, {}));
  }
  owned.defer(() => {
    over.resolve();
    reconnect();
  });
  return withResources(owned, {
    seen,
    get job() {
      return job;
    },
    reconnect,
    /** Without timers. */
    pause: (milliseconds: number) => void (passedMs += milliseconds),
    async passUntil(condition: () => boolean) {
      for (const endMs = passedMs + 60_000; passedMs < endMs && !condition();) {
        passedMs += 100;
        context.mock.timers.tick(100);
        for (let turn = 0; turn < 20; turn++) await new Promise<void>((resolve) => void setImmediate(resolve));
      }
    },
  });
}
