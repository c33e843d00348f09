// What every engine promises, told once. Two nodes are two `Jobs` on one database.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metaSettle } from '#store/meta.ts';
import type { Queries, Store } from '#store/store.ts';
import { JobLost, jobWorker, type JobAttempt, type JobKind, type Jobs } from './jobs.ts';

export interface JobsUnderTest extends AsyncDisposable {
  readonly store: Store;
  /** One more node; all are stopped at the end. */
  node(): Promise<Jobs>;
}

interface Numbered {
  readonly number: number;
}

function kindOf(name: string, change: Partial<JobKind<Numbered>> = {}): JobKind<Numbered> {
  return {
    name,
    deadlineSeconds: 60,
    retries: 3,
    firstRetrySeconds: 1,
    longestRetrySeconds: 1,
    concurrency: 5,
    ...change,
  };
}

/** `open` gives a database of its own to each test. */
export function jobsConformance(open: () => Promise<JobsUnderTest>): void {
  test('a job enqueued in a transaction that is rolled back does not exist', async () => {
    await using world = await open();
    const jobs = await world.node();
    const kind = kindOf('rolled-back');
    const seen = Promise.withResolvers<number>();
    await jobs.start([jobWorker(kind, async ({ payload }) => seen.resolve(payload.number))]);
    await assert.rejects(
      world.store.transaction(async (queries) => {
        await jobs.enqueue(queries, kind, { number: 1 });
        throw new Error('changed its mind');
      }),
    );
    await world.store.transaction((queries) => jobs.enqueue(queries, kind, { number: 2 }));
    assert.equal(await seen.promise, 2);
  });

  test('a payload comes back as it was given', async () => {
    await using world = await open();
    const jobs = await world.node();
    const payload = {
      text: 'ü – "quoted" \\ \n 漢',
      none: null,
      list: [1, 2.5, -3e21, { deep: [true, false] }],
      empty: {},
    };
    const kind: JobKind<typeof payload> = { ...kindOf('payload'), name: 'payload', key: () => 'a key' };
    const seen = Promise.withResolvers<{ id: string; payload: object; attempt: number }>();
    await jobs.start([jobWorker(kind, async (job) => seen.resolve(job))]);
    const id = await world.store.transaction((queries) => jobs.enqueue(queries, kind, payload));
    const job = await seen.promise;
    assert.deepEqual(job.payload, payload);
    assert.deepEqual([job.id, job.attempt], [id, 1]);
  });

  test('a job runs at its time and not before', async () => {
    await using world = await open();
    const jobs = await world.node();
    const kind = kindOf('later');
    const ran = Promise.withResolvers<number>();
    await jobs.start([jobWorker(kind, async () => ran.resolve(Date.now()))]);
    const runAt = Date.now() + 1500;
    await world.store.transaction((queries) => jobs.enqueue(queries, kind, { number: 1 }, { runAt }));
    assert.ok((await ran.promise) >= runAt);
  });

  test('jobs with one key run one at a time on all nodes together, in the order in which they came', async () => {
    await using world = await open();
    const nodes = [await world.node(), await world.node()];
    const kind = kindOf('keyed', { key: ({ number }) => `key ${number % 3}` });
    const numbers = Array.from({ length: 30 }, (_, number) => number);
    const order: number[] = [];
    const running = new Set<string>();
    const all = Promise.withResolvers<void>();
    const worker = jobWorker(kind, async ({ payload }) => {
      const key = kind.key!(payload);
      if (running.has(key)) all.reject(new Error(`two at once of ${key}`));
      running.add(key);
      order.push(payload.number);
      await new Promise((resolve) => void setTimeout(resolve, Math.random() * 10));
      running.delete(key);
      if (order.length === numbers.length) all.resolve();
    });
    for (const node of nodes) await node.start([worker]);
    await world.store.transaction(async (queries) => {
      for (const number of numbers) await nodes[0]!.enqueue(queries, kind, { number });
    });
    await all.promise;
    for (const rest of [0, 1, 2]) {
      const ofKey = (number: number): boolean => number % 3 === rest;
      assert.deepEqual(order.filter(ofKey), numbers.filter(ofKey));
    }
  });

  test('a job that fails is tried again, then stays for the operator, who can have it begin anew', async () => {
    await using world = await open();
    const jobs = await world.node();
    const kind = kindOf('failing', { retries: 1 });
    const attempts: number[] = [];
    let mended = false;
    const succeeded = Promise.withResolvers<void>();
    await jobs.start([
      jobWorker(kind, async ({ attempt }) => {
        attempts.push(attempt);
        if (!mended) throw new Error('out of paper');
        succeeded.resolve();
      }),
    ]);
    const id = await world.store.transaction((queries) => jobs.enqueue(queries, kind, { number: 7 }));
    await until(async () => (await jobs.failed()).length === 1);
    const [failed] = await jobs.failed();
    const { failedAt, ...rest } = failed!;
    assert.deepEqual(rest, { id, kind: kind.name, payload: { number: 7 }, attempts: 2, error: 'Error: out of paper' });
    assert.ok(Math.abs(failedAt - Date.now()) < 60_000);
    assert.deepEqual((await jobs.counts()).get(kind.name), { queued: 0, running: 0, failed: 1 });
    mended = true;
    assert.equal(await jobs.retry(id), true);
    await succeeded.promise;
    assert.deepEqual(attempts, [1, 2, 3]);
    assert.deepEqual(await jobs.failed(), []);
    assert.equal(await jobs.retry(id), false);
  });

  test('an attempt past its deadline is told so, and the job is tried again', async () => {
    await using world = await open();
    const jobs = await world.node();
    const kind = kindOf('deadline', { deadlineSeconds: 1 });
    const again = Promise.withResolvers<number>();
    await jobs.start([
      jobWorker(kind, async ({ attempt, signal }) => {
        if (attempt > 1) return again.resolve(attempt);
        await aborted(signal);
        throw signal.reason;
      }),
    ]);
    await world.store.transaction((queries) => jobs.enqueue(queries, kind, { number: 1 }));
    assert.equal(await again.promise, 2);
  });

  test('an attempt that was only slow can write nothing once its job is tried again', async () => {
    await using world = await open();
    const jobs = await world.node();
    const kind = kindOf('slow', { deadlineSeconds: 1, key: () => 'one' });
    const second = Promise.withResolvers<void>();
    const refused = Promise.withResolvers<unknown[]>();
    const write = (text: string) => (queries: Queries) => metaSettle(queries, `written by ${text}`, text);
    await jobs.start([
      jobWorker(kind, async (job) => {
        if (job.attempt > 1) {
          second.resolve();
          await refused.promise;
          await job.complete(write('the second'));
          return;
        }
        await second.promise;
        refused.resolve([
          await failure(job.publish(write('the first'))),
          await failure(job.complete(write('the first'))),
        ]);
      }),
    ]);
    await world.store.transaction((queries) => jobs.enqueue(queries, kind, { number: 1 }));
    for (const error of await refused.promise) assert.ok(error instanceof JobLost, String(error));
    await until(async () => (await jobs.counts()).size === 0);
    assert.equal(await metaSettle(world.store.queries, 'written by the second', 'nobody'), 'the second');
    assert.equal(await metaSettle(world.store.queries, 'written by the first', 'nobody'), 'nobody');
  });

  test('what a failing completion wrote is rolled back, and the job is still there', async () => {
    await using world = await open();
    const jobs = await world.node();
    const kind = kindOf('half');
    const seen = Promise.withResolvers<string>();
    await jobs.start([
      jobWorker(kind, (job) =>
        job.complete(async (queries) => {
          const value = await metaSettle(queries, 'half', `attempt ${job.attempt}`);
          if (job.attempt === 1) throw new Error('in the midst of it');
          seen.resolve(value);
        }),
      ),
    ]);
    await world.store.transaction((queries) => jobs.enqueue(queries, kind, { number: 1 }));
    assert.equal(await seen.promise, 'attempt 2');
  });

  test('stopping lets running jobs end, and takes no more', async () => {
    await using world = await open();
    const jobs = await world.node();
    const kind = kindOf('stopping', { concurrency: 1 });
    const begun = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const ended: number[] = [];
    await jobs.start([
      jobWorker(kind, async ({ payload }) => {
        begun.resolve();
        await gate.promise;
        ended.push(payload.number);
      }),
    ]);
    await world.store.transaction(async (queries) => {
      for (const number of [1, 2]) await jobs.enqueue(queries, kind, { number });
    });
    await begun.promise;
    const stopped = jobs.stop();
    gate.resolve();
    await stopped;
    assert.deepEqual(ended, [1]);
    assert.deepEqual((await (await world.node()).counts()).get(kind.name), { queued: 1, running: 0, failed: 0 });
  });

  test('a job that does not end when its node stops runs again elsewhere, and no failure is counted', async () => {
    await using world = await open();
    const [first, second] = [await world.node(), await world.node()];
    const kind = kindOf('restarted', { retries: 0 });
    const begun = Promise.withResolvers<void>();
    const again = Promise.withResolvers<number>();
    const worker = jobWorker(kind, async ({ attempt, signal }) => {
      if (attempt > 1) return again.resolve(attempt);
      begun.resolve();
      await aborted(signal);
      throw signal.reason;
    });
    await first.start([worker]);
    await world.store.transaction((queries) => first.enqueue(queries, kind, { number: 1 }));
    await begun.promise;
    await second.start([]);
    await first.stop();
    const third = await world.node();
    await third.start([worker]);
    assert.equal(await again.promise, 2);
  });

  test('500 jobs on two nodes with failures of all sorts are each published exactly once', async () => {
    await using world = await open();
    const nodes = [await world.node(), await world.node()];
    const kind = kindOf('many', { concurrency: 20, retries: 50 });
    const insert = (job: JobAttempt<Numbered>) => async (queries: Queries) => {
      const value = `${job.id}:${job.attempt}`;
      // What is there already was published twice.
      assert.equal(await metaSettle(queries, `job ${job.payload.number}`, value), value);
      if (Math.random() < 0.1) throw new Error('failed in the transaction');
    };
    const twice: unknown[] = [];
    const worker = jobWorker(kind, async (job) => {
      if (Math.random() < 0.1) throw new Error('failed before it');
      await job.complete(insert(job)).catch((error: unknown) => {
        if (error instanceof assert.AssertionError) twice.push(error);
        throw error;
      });
      if (Math.random() < 0.1) throw new Error('failed after it');
    });
    for (const node of nodes) await node.start([worker]);
    await world.store.transaction(async (queries) => {
      for (let number = 0; number < 500; number++) await nodes[number % 2]!.enqueue(queries, kind, { number });
    });
    await until(async () => (await nodes[0]!.counts()).size === 0);
    assert.deepEqual(twice, []);
    for (let number = 0; number < 500; number++)
      assert.notEqual(await metaSettle(world.store.queries, `job ${number}`, 'nobody'), 'nobody');
  });
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => void setTimeout(resolve, 25));
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}
