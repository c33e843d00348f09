// The tests that every queue backend must pass. Two instances are two `Queue`s on one database.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metaInsertOnce } from '#store/meta.ts';
import type { Queries, Store } from '#store/store.ts';
import { JobLost, jobWorker, type JobAttempt, type JobKind, type Queue } from './queue.ts';

export interface JobsUnderTest extends AsyncDisposable {
  readonly store: Store;
  /** Starts another instance; all are stopped at the end. */
  instance(): Promise<Queue>;
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
    maxRetrySeconds: 1,
    concurrency: 5,
    ...change,
  };
}

/** `open` creates a database for each test. */
export function jobsConformance(open: () => Promise<JobsUnderTest>): void {
  test('a job enqueued in a transaction that is rolled back does not exist', async () => {
    await using world = await open();
    const queue = await world.instance();
    const kind = kindOf('rolled-back');
    const seen = Promise.withResolvers<number>();
    await queue.start([jobWorker(kind, async ({ payload }) => seen.resolve(payload.number))]);
    await assert.rejects(
      world.store.transaction(async (queries) => {
        await queue.enqueue(queries, kind, { number: 1 });
        throw new Error('rolled back');
      }),
    );
    await world.store.transaction((queries) => queue.enqueue(queries, kind, { number: 2 }));
    assert.equal(await seen.promise, 2);
  });

  test('many jobs are enqueued together, each with its key', async () => {
    await using world = await open();
    const queue = await world.instance();
    const kind = kindOf('together', { key: ({ number }) => String(number) });
    const payloads = Array.from({ length: 250 }, (_, number) => ({ number }));
    await world.store.transaction((queries) => queue.enqueueAll(queries, kind, payloads));
    const keys = payloads.map(({ number }) => String(number));
    assert.deepEqual(await queue.keysAlive(kind, [...keys, 'another']), new Set(keys));
    const seen = new Set<number>();
    const all = Promise.withResolvers<void>();
    await queue.start([
      jobWorker(kind, async ({ payload }) => {
        seen.add(payload.number);
        if (seen.size === payloads.length) all.resolve();
      }),
    ]);
    await all.promise;
  });

  test('a payload is delivered unchanged', async () => {
    await using world = await open();
    const queue = await world.instance();
    const payload = {
      text: 'ü – "quoted" \\ \n 漢',
      none: null,
      list: [1, 2.5, -3e21, { deep: [true, false] }],
      empty: {},
    };
    const kind: JobKind<typeof payload> = { ...kindOf('payload'), name: 'payload', key: () => 'a key' };
    const seen = Promise.withResolvers<{ id: string; payload: object; attempt: number }>();
    await queue.start([jobWorker(kind, async (job) => seen.resolve(job))]);
    const id = await world.store.transaction((queries) => queue.enqueue(queries, kind, payload));
    const job = await seen.promise;
    assert.deepEqual(job.payload, payload);
    assert.deepEqual([job.id, job.attempt], [id, 1]);
  });

  test('a job runs at its time and not before', async () => {
    await using world = await open();
    const queue = await world.instance();
    const kind = kindOf('later');
    const ran = Promise.withResolvers<number>();
    await queue.start([jobWorker(kind, async () => ran.resolve(Date.now()))]);
    const runAt = Date.now() + 1500;
    await world.store.transaction((queries) => queue.enqueue(queries, kind, { number: 1 }, { runAt }));
    assert.ok((await ran.promise) >= runAt);
  });

  test('jobs with one key run one at a time over all instances, in the order they were enqueued', async () => {
    await using world = await open();
    const instances = [await world.instance(), await world.instance()];
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
    for (const instance of instances) await instance.start([worker]);
    await world.store.transaction(async (queries) => {
      for (const number of numbers) await instances[0]!.enqueue(queries, kind, { number });
    });
    await all.promise;
    for (const rest of [0, 1, 2]) {
      const ofKey = (number: number): boolean => number % 3 === rest;
      assert.deepEqual(order.filter(ofKey), numbers.filter(ofKey));
    }
  });

  test('a job that fails is retried, then stays failed until an operator restarts it', async () => {
    await using world = await open();
    const queue = await world.instance();
    const kind = kindOf('failing', { retries: 1 });
    const attempts: number[] = [];
    let isFixed = false;
    const succeeded = Promise.withResolvers<void>();
    await queue.start([
      jobWorker(kind, async ({ attempt }) => {
        attempts.push(attempt);
        if (!isFixed) throw new Error('out of paper');
        succeeded.resolve();
      }),
    ]);
    const id = await world.store.transaction((queries) => queue.enqueue(queries, kind, { number: 7 }));
    await until(async () => (await queue.failed()).length === 1);
    const [failed] = await queue.failed();
    const { failedAt, ...rest } = failed!;
    assert.deepEqual(rest, { id, kind: kind.name, payload: { number: 7 }, attempts: 2, error: 'Error: out of paper' });
    assert.ok(Math.abs(failedAt - Date.now()) < 60_000);
    assert.deepEqual((await queue.counts()).get(kind.name), { queued: 0, running: 0, failed: 1 });
    isFixed = true;
    assert.equal(await queue.retry(id), true);
    await succeeded.promise;
    assert.deepEqual(attempts, [1, 2, 3]);
    assert.deepEqual(await queue.failed(), []);
    assert.equal(await queue.retry(id), false);
  });

  test('an attempt past its deadline is aborted, and the job is retried', async () => {
    await using world = await open();
    const queue = await world.instance();
    const kind = kindOf('deadline', { deadlineSeconds: 1 });
    const again = Promise.withResolvers<number>();
    await queue.start([
      jobWorker(kind, async ({ attempt, signal }) => {
        if (attempt > 1) return again.resolve(attempt);
        await aborted(signal);
        throw signal.reason;
      }),
    ]);
    await world.store.transaction((queries) => queue.enqueue(queries, kind, { number: 1 }));
    assert.equal(await again.promise, 2);
  });

  test('an attempt that was only slow cannot write once its job was retried', async () => {
    await using world = await open();
    const queue = await world.instance();
    const kind = kindOf('slow', { deadlineSeconds: 1, key: () => 'one' });
    const second = Promise.withResolvers<void>();
    const refused = Promise.withResolvers<unknown[]>();
    const write = (text: string) => (queries: Queries) => metaInsertOnce(queries, `written by ${text}`, text);
    await queue.start([
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
    await world.store.transaction((queries) => queue.enqueue(queries, kind, { number: 1 }));
    for (const error of await refused.promise) assert.ok(error instanceof JobLost, String(error));
    await until(async () => (await queue.counts()).size === 0);
    assert.equal(await metaInsertOnce(world.store.queries, 'written by the second', 'nobody'), 'the second');
    assert.equal(await metaInsertOnce(world.store.queries, 'written by the first', 'nobody'), 'nobody');
  });

  test('the writes of a failing completion are rolled back, and the job stays', async () => {
    await using world = await open();
    const queue = await world.instance();
    const kind = kindOf('half');
    const seen = Promise.withResolvers<string>();
    await queue.start([
      jobWorker(kind, (job) =>
        job.complete(async (queries) => {
          const value = await metaInsertOnce(queries, 'half', `attempt ${job.attempt}`);
          if (job.attempt === 1) throw new Error('failed half-way');
          seen.resolve(value);
        }),
      ),
    ]);
    await world.store.transaction((queries) => queue.enqueue(queries, kind, { number: 1 }));
    assert.equal(await seen.promise, 'attempt 2');
  });

  test('stopping lets running jobs end and claims no others', async () => {
    await using world = await open();
    const queue = await world.instance();
    const kind = kindOf('stopping', { concurrency: 1 });
    const begun = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const ended: number[] = [];
    await queue.start([
      jobWorker(kind, async ({ payload }) => {
        begun.resolve();
        await gate.promise;
        ended.push(payload.number);
      }),
    ]);
    await world.store.transaction(async (queries) => {
      for (const number of [1, 2]) await queue.enqueue(queries, kind, { number });
    });
    await begun.promise;
    const stopped = queue.stop();
    gate.resolve();
    await stopped;
    assert.deepEqual(ended, [1]);
    assert.deepEqual((await (await world.instance()).counts()).get(kind.name), { queued: 1, running: 0, failed: 0 });
  });

  test('a job that does not end when its instance stops runs again elsewhere, without counting a failure', async () => {
    await using world = await open();
    const [first, second] = [await world.instance(), await world.instance()];
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
    const third = await world.instance();
    await third.start([worker]);
    assert.equal(await again.promise, 2);
  });

  test('500 jobs on two instances with all kinds of failures are each published exactly once', async () => {
    await using world = await open();
    const instances = [await world.instance(), await world.instance()];
    const kind = kindOf('many', { concurrency: 20, retries: 50 });
    const insert = (job: JobAttempt<Numbered>) => async (queries: Queries) => {
      const value = `${job.id}:${job.attempt}`;
      // A row that exists already was published twice.
      assert.equal(await metaInsertOnce(queries, `job ${job.payload.number}`, value), value);
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
    for (const instance of instances) await instance.start([worker]);
    await world.store.transaction(async (queries) => {
      for (let number = 0; number < 500; number++) await instances[number % 2]!.enqueue(queries, kind, { number });
    });
    await until(async () => (await instances[0]!.counts()).size === 0);
    assert.deepEqual(twice, []);
    for (let number = 0; number < 500; number++)
      assert.notEqual(await metaInsertOnce(world.store.queries, `job ${number}`, 'nobody'), 'nobody');
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
