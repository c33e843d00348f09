// The runner by itself: what becomes of a workflow whose steps throw, wait, are cancelled, or are not known here. The fence
// of its writes is the jobs' own and tried there; here it is only lost.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { embeddedJobs } from '#jobs/embedded.ts';
import { JobLost, type JobAttempt, type Jobs } from '#jobs/jobs.ts';
import { systemClock } from '#kernel/clock.ts';
import { makeLog } from '#kernel/log.ts';
import type { Queries, Store } from '#store/store.ts';
import { workflowLoad, workflowRequestCancel, workflowsUnderWay, type WorkflowRecord } from '#store/work/workflows.ts';
import { makeShelf } from '#test/support/shelf.ts';
import { cancelWorkflow, runWorkflow, startWorkflow, workflowWorker, type Boundaries } from './runner.ts';
import { done, failed, wait, workflow, type AnyWorkflow } from './workflow.ts';

const log = makeLog('silent');
const nothing: Boundaries = {
  before: async () => undefined,
  after: async () => undefined,
  saved: async () => undefined,
};
type Fence = JobAttempt<{ id: string }>['publish'];

/** A store with one workflow on it, and an attempt at its job whenever it is asked for. */
async function table(definition: AnyWorkflow<object>) {
  const world = await makeShelf();
  const { store, account } = world;
  const enqueued: (number | undefined)[] = [];
  const jobs = {
    enqueue: async (_queries: Queries, _kind: object, _payload: object, when?: { runAt: number }) => {
      enqueued.push(when && when.runAt - Date.now());
      return '';
    },
  } as Partial<Jobs> as Jobs;
  const parts = { store, clock: systemClock, log, jobs, deps: {} };
  const start = { account, service: undefined, operation: 'test', input: {} };
  const id = await store.transaction((queries) => startWorkflow(parts, queries, definition, start));
  enqueued.length = 0;
  const open: Fence = (work) => store.transaction(work);
  return {
    store,
    id,
    /** How many milliseconds from now each job was enqueued to run. */
    enqueued,
    record: async (): Promise<WorkflowRecord> => (await workflowLoad(store.queries, id))!,
    /** Answers what the attempt threw. */
    attempt: async ({
      workflows = [definition],
      boundaries = {} as Partial<Boundaries>,
      publish = open,
      complete = open,
    } = {}) => {
      const job = { id: '', attempt: 1, payload: { id }, signal: AbortSignal.abort(), publish, complete };
      return runWorkflow({ ...parts, workflows }, job, { ...nothing, ...boundaries }).then(
        () => undefined,
        (error: unknown) => error,
      );
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** Two steps; `answers` are what the second one's `do` or `undo` does, in turn. */
function twoSteps(turns: { do?: (() => ReturnType<typeof wait>)[]; undo?: (() => ReturnType<typeof wait>)[] }) {
  const log_: string[] = [];
  const next = async (name: 'do' | 'undo') => {
    log_.push(name);
    return turns[name]?.shift()?.() ?? done();
  };
  const definition = workflow<object, object>('two', 1)
    .step('first', { do: async () => done(), undo: async () => (log_.push('undo first'), done()) })
    .step('second', { do: () => next('do'), undo: () => next('undo') });
  return { definition, log: log_ };
}

const throws = (): never => {
  throw new Error('no answer');
};
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe('the workflow runner', { concurrency: true }, () => {
  test('a step that throws eight times is given up, and all is undone', async () => {
    const { definition, log: seen } = twoSteps({ do: times(20, throws) });
    await using at = await table(definition);
    for (let count = 0; count < 8; count++) assert.match(String(await at.attempt()), /no answer/);
    assert.equal(await at.attempt(), undefined);
    const { status, error_code } = await at.record();
    assert.deepEqual({ status, error_code }, { status: 'Failed', error_code: 'internal_error' });
    assert.deepEqual(seen, [...times(8, 'do'), 'undo', 'undo first']);
  });

  test('a step that waits begins to count its throws anew', async () => {
    const { definition } = twoSteps({ do: [...times(7, throws), () => wait(1), ...times(7, throws)] });
    await using at = await table(definition);
    for (let count = 0; count < 15; count++) await at.attempt();
    assert.equal((await at.record()).status, 'Running');
    await at.attempt();
    const { status, error_code } = await at.record();
    assert.deepEqual({ status, error_code }, { status: 'Completed', error_code: null });
  });

  test('an undo that keeps throwing is stuck, tried once a minute, and ends when it succeeds', async () => {
    const { definition, log: seen } = twoSteps({ do: [() => failed('device_busy', 'busy')], undo: times(10, throws) });
    await using at = await table(definition);
    for (let count = 0; count < 8; count++) assert.match(String(await at.attempt()), /no answer/);
    assert.equal((await at.record()).status, 'Running');
    assert.equal(await at.attempt(), undefined);
    assert.equal((await at.record()).status, 'Stuck');
    for (const round of [2, 3]) {
      assert.match(String(await at.attempt()), /no answer/);
      assert.equal((await at.record()).status, 'Stuck', 'it is stuck until something succeeds');
      assert.equal(await at.attempt(), undefined);
      assert.equal(at.enqueued.length, round);
      assert.ok(at.enqueued.at(-1)! > 50_000);
    }
    assert.equal(await at.attempt(), undefined);
    const { status, error_code, error_reason } = await at.record();
    assert.deepEqual(
      { status, error_code, error_reason },
      { status: 'Failed', error_code: 'device_busy', error_reason: 'busy' },
    );
    assert.equal(seen.filter((name) => name === 'undo').length, 11);
  });

  test('an undo that answers failed is tried again like one that throws', async () => {
    const { definition } = twoSteps({
      do: [() => failed('device_busy', 'busy')],
      undo: [() => failed('bmc_unreachable', 'silent')],
    });
    await using at = await table(definition);
    assert.match(String(await at.attempt()), /undo of second failed: silent/);
    await at.attempt();
    assert.equal((await at.record()).status, 'Failed');
    assert.equal((await at.record()).error_code, 'device_busy');
  });

  test('a node without the definition leaves the workflow as it is, and one that has it goes on', async () => {
    const { definition, log: seen } = twoSteps({ do: [throws, () => wait(1)] });
    await using at = await table(definition);
    await at.attempt();
    const before = await at.record();
    for (const workflows of [[], [{ ...definition, version: 2 }]]) {
      assert.equal(await at.attempt({ workflows }), undefined);
      const left = await at.record();
      assert.deepEqual({ ...left, status: before.status, revision: before.revision }, before);
      assert.equal(left.status, 'Stuck');
      assert.ok(at.enqueued.at(-1)! < 10_000, 'soon, since another node may have it');
    }
    await at.attempt();
    assert.equal((await at.record()).status, 'Running');
    await at.attempt();
    const { status, error_code, error_reason } = await at.record();
    assert.deepEqual(
      { status, error_code, error_reason },
      { status: 'Completed', error_code: null, error_reason: null },
    );
    assert.equal(seen.includes('undo'), false);
  });

  test('an attempt that has lost its job writes nothing, at whichever write it loses it', async () => {
    for (let writes = 0; writes < 5; writes++) {
      const { definition } = twoSteps({});
      await using at = await table(definition);
      let left = writes;
      const fence: Fence = async (work) => {
        if (left-- > 0) return at.store.transaction(work);
        throw new JobLost();
      };
      assert.ok((await at.attempt({ publish: fence, complete: fence })) instanceof JobLost);
      const { position, tries, ended_at } = await at.record();
      assert.deepEqual({ position, tries, ended_at }, { position: writes >> 1, tries: writes & 1, ended_at: null });
    }
  });

  test('progress never goes back, and the revision counts what an account can see', async () => {
    const { definition } = twoSteps({
      do: [() => wait(1), throws, () => wait(1), () => failed('device_busy', 'busy')],
    });
    await using at = await table(definition);
    const seen: WorkflowRecord[] = [await at.record()];
    const boundaries = {
      saved: async () => {
        seen.push(await at.record());
        return undefined;
      },
    };
    for (let count = 0; count < 4; count++) {
      await at.attempt({ boundaries });
      seen.push(await at.record());
    }
    assert.equal(seen.at(-1)!.status, 'Failed');
    for (const [index, record] of seen.entries()) {
      const earlier = seen[index - 1];
      if (earlier === undefined) continue;
      assert.ok(record.progress >= earlier.progress);
      const visible = ({ status, step, progress, error_code, ended_at }: WorkflowRecord): string =>
        JSON.stringify([status, step, progress, error_code, ended_at]);
      assert.equal(record.revision > earlier.revision, visible(record) !== visible(earlier));
    }
  });

  test('a cancel that comes just before the end is not passed over', async () => {
    const { definition, log: seen } = twoSteps({});
    await using at = await table(definition);
    const complete: Fence = async (work) => {
      assert.equal(await workflowRequestCancel(at.store.queries, at.id), true);
      return at.store.transaction(work);
    };
    await at.attempt({ complete });
    assert.equal((await at.record()).ended_at, null);
    assert.deepEqual(at.enqueued, [undefined]);
    await at.attempt();
    assert.equal((await at.record()).status, 'Cancelled');
    assert.deepEqual(seen, ['do', 'undo', 'undo first']);
    assert.equal(await workflowRequestCancel(at.store.queries, at.id), false);
  });
});

describe('workflows on their queue', { concurrency: true }, () => {
  const hour = 3_600_000;
  const patient = workflow<object, object>('patient', 1).step('sleep', {
    do: async ({ now, since }) => (now - since < hour ? wait(hour) : done()),
    undo: 'nothing',
  });
  const opened = async () => {
    await using owned = new AsyncDisposableStack();
    const { store, account } = owned.use(await makeShelf());
    const jobs = embeddedJobs({ store, clock: systemClock, log, node: 'one' });
    owned.defer(() => jobs.stop());
    const parts = { store, clock: systemClock, log, jobs, deps: {}, workflows: [patient] };
    const start = (queries: Queries): Promise<string> =>
      startWorkflow(parts, queries, patient, { account, service: undefined, operation: 'test', input: {} });
    const kept = owned.move();
    return { store, jobs, parts, start, [Symbol.asyncDispose]: () => kept.disposeAsync() };
  };
  const until = async (store: Store, id: string, holds: (record: WorkflowRecord) => boolean): Promise<void> => {
    while (!holds((await workflowLoad(store.queries, id))!)) await pause(10);
  };

  test('one that is started in a transaction that is rolled back leaves nothing', async () => {
    await using world = await opened();
    const { store, jobs, start } = world;
    await assert.rejects(
      store.transaction(async (queries) => {
        await start(queries);
        throw new Error('changed its mind');
      }),
    );
    assert.deepEqual(await workflowsUnderWay(store.queries, '', 10), []);
    assert.equal((await jobs.counts()).size, 0);
  });

  test('one that waits for an hour is cancelled now', async () => {
    await using world = await opened();
    const { store, jobs, parts, start } = world;
    await jobs.start([workflowWorker(parts)]);
    const id = await store.transaction(start);
    await until(store, id, ({ status, tries }) => status === 'Running' && tries === 0);
    assert.equal(await store.transaction((queries) => cancelWorkflow(parts, queries, id)), true);
    await until(store, id, ({ ended_at }) => ended_at !== null);
    assert.equal((await workflowLoad(store.queries, id))!.status, 'Cancelled');
  });
});
