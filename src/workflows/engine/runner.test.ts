// The runner alone: workflows whose steps throw, wait, are cancelled or have no definition here. Fencing is tested with the
// queue; here an attempt only loses its job.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { JobLost, type JobAttempt, type Queue } from '#queue/queue.ts';
import { steadyClock, systemClock } from '#lib/clock.ts';
import { createLog, type Log } from '#lib/log.ts';
import type { Queries } from '#store/store.ts';
import { notStarted, workflowLoad, workflowRequestCancel, type WorkflowRecord } from '#store/work/workflows.ts';
import { makeShelf } from '#test/support/shelf-fixture.ts';
import { noBoundaries, type Boundaries } from './boundaries.ts';
import { abandonWorkflow, cancelWorkflow, runWorkflow, startWorkflow } from './runner.ts';
import { done, failed, wait, workflow, type AnyWorkflow, type Failure, type Wait } from './workflow.ts';

const log = createLog('silent');
type Fence = JobAttempt<{ id: string }>['publish'];

/** Opens a store with one workflow, whose job can be attempted on demand. */
async function openWorkflow(definition: AnyWorkflow<object>) {
  const fixture = await makeShelf();
  const { store, account } = fixture;
  const enqueued: (number | undefined)[] = [];
  const queue = {
    enqueue: async (_queries: Queries, _kind: object, _payload: object, when?: { runAt: number }) => {
      enqueued.push(when && when.runAt - Date.now());
      return '';
    },
  } as Partial<Queue> as Queue;
  const logged: Record<string, unknown>[] = [];
  const warn = (fields: (typeof logged)[number]): void => void logged.push(fields);
  const listening = Object.assign(Object.create(log) as Log, { warn });
  const parts = { store, clock: systemClock, log: listening, queue, deps: {} };
  const start = { account, service: undefined, operation: 'test', input: {} };
  const id = await store.transaction((queries) => startWorkflow(parts, queries, definition, start));
  enqueued.length = 0;
  const open: Fence = (work) => store.transaction(work);
  return {
    store,
    queue,
    id,
    /** The delay of each enqueued job in milliseconds. */
    enqueued,
    logged,
    record: async (): Promise<WorkflowRecord> => (await workflowLoad(store.queries, id))!,
    /** Returns what the attempt threw. */
    attempt: async ({
      workflows = [definition],
      boundaries = {} as Partial<Boundaries>,
      publish = open,
      complete = open,
      signal = new AbortController().signal,
      clock = systemClock,
    } = {}) => {
      const job = { id: '', attempt: 1, payload: { id }, signal, publish, complete };
      return runWorkflow({ ...parts, clock, workflows }, job, { ...noBoundaries, ...boundaries }).then(
        () => undefined,
        (error: unknown) => error,
      );
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

const limit = { ms: 7_200_000, code: 'bmc_unreachable', reason: 'too long' } as const;

/** Two steps; `results` are what the second one's `do` or `undo` does, in order. */
function twoSteps(results: { do?: (() => Wait | Failure)[]; undo?: (() => Wait | Failure)[] }) {
  const calls: string[] = [];
  const next = async (name: 'do' | 'undo') => {
    calls.push(name);
    return results[name]?.shift()?.() ?? done();
  };
  const definition = workflow<object, object>('two', 1)
    .step('first', { do: async () => done(), undo: async () => (calls.push('undo first'), done()) })
    .step('second', { do: () => next('do'), undo: () => next('undo'), limit });
  return { definition, calls };
}

const throws = (): never => {
  throw new Error('no response');
};
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe('the workflow runner', { concurrency: true }, () => {
  test('a step that throws eight times fails the workflow, which is rolled back', async () => {
    const { definition, calls } = twoSteps({ do: times(20, throws) });
    await using run = await openWorkflow(definition);
    for (let count = 0; count < 8; count++) assert.match(String(await run.attempt()), /no response/);
    assert.equal(await run.attempt(), undefined);
    const { status, error_code } = await run.record();
    assert.deepEqual({ status, error_code }, { status: 'Failed', error_code: 'internal_error' });
    assert.deepEqual(calls, [...times(8, 'do'), 'undo', 'undo first']);
  });

  test('what equipment says reaches the log and the operator once, and the failure of the customer without it', async () => {
    const refused = () => failed('node_error', 'Try again later.', 'pool vms is not active');
    // PostgreSQL cannot store NUL, and equipment can put anything into its messages.
    const silent = (detail: string) => () => wait(1, `${detail}\0`);
    const { definition } = twoSteps({ do: [...times(3, silent('timeout')), refused], undo: [silent('busy')] });
    await using run = await openWorkflow(definition);
    const details: string[] = [];
    for (let count = 0; count < 5; count++) {
      await run.attempt();
      details.push((await run.record()).detail);
    }
    assert.deepEqual(details, [...times(3, 'timeout'), ...times(2, 'pool vms is not active')]);
    const { status, error_code, error_reason } = await run.record();
    assert.deepEqual([status, error_code, error_reason], ['Failed', 'node_error', 'Try again later.']);
    const step = { workflow: run.id, name: 'two', service: null, step: 'second' };
    assert.deepEqual(run.logged, [
      { ...step, detail: 'timeout' },
      { ...step, code: 'node_error', detail: 'pool vms is not active' },
    ]);
  });

  test('a step that waits resets its count of throws', async () => {
    const { definition } = twoSteps({ do: [...times(7, throws), () => wait(1), ...times(7, throws)] });
    await using run = await openWorkflow(definition);
    for (let count = 0; count < 15; count++) await run.attempt();
    assert.equal((await run.record()).status, 'Running');
    await run.attempt();
    const { status, error_code } = await run.record();
    assert.deepEqual({ status, error_code }, { status: 'Completed', error_code: null });
  });

  test('an undo that keeps throwing is stuck, is retried once a minute, and ends when it succeeds', async () => {
    const { definition, calls } = twoSteps({ do: [() => failed('device_busy', 'busy')], undo: times(10, throws) });
    await using run = await openWorkflow(definition);
    for (let count = 0; count < 8; count++) assert.match(String(await run.attempt()), /no response/);
    assert.equal((await run.record()).status, 'Running');
    assert.equal(await run.attempt(), undefined);
    assert.equal((await run.record()).status, 'Stuck');
    for (const round of [2, 3]) {
      assert.match(String(await run.attempt()), /no response/);
      assert.equal((await run.record()).status, 'Stuck', 'stuck until something succeeds');
      assert.equal(await run.attempt(), undefined);
      assert.equal(run.enqueued.length, round);
      assert.ok(run.enqueued.at(-1)! > 50_000);
    }
    assert.equal(await run.attempt(), undefined);
    const { status, error_code, error_reason } = await run.record();
    assert.deepEqual(
      { status, error_code, error_reason },
      { status: 'Failed', error_code: 'device_busy', error_reason: 'busy' },
    );
    assert.equal(calls.filter((name) => name === 'undo').length, 11);
  });

  test('a step does not run out of time because the clock was set forward while another instance started it', async () => {
    const { definition, calls } = twoSteps({ do: times(2, () => wait(1)) });
    await using run = await openWorkflow(definition);
    await run.attempt();
    const clock = steadyClock(Date.now());
    clock.move(3 * limit.ms);
    await run.attempt({ clock });
    assert.deepEqual([(await run.record()).direction, calls], ['forward', ['do', 'do']]);
  });

  test('an abandoned rollback ends, and what is left is not undone', async () => {
    const { definition, calls } = twoSteps({
      do: [() => failed('device_busy', 'busy')],
      undo: times(10, () => wait(1)),
    });
    await using run = await openWorkflow(definition);
    await run.attempt();
    assert.equal((await run.record()).direction, 'back');
    assert.equal(await abandonWorkflow({ queue: run.queue }, run.store.queries, run.id), true);
    await run.attempt();
    assert.equal((await run.record()).status, 'Failed');
    assert.deepEqual(calls, ['do', 'undo']);
    assert.equal(await abandonWorkflow({ queue: run.queue }, run.store.queries, run.id), false);
  });

  test('an undo that returns failed is retried like one that throws', async () => {
    const { definition } = twoSteps({
      do: [() => failed('device_busy', 'busy')],
      undo: [() => failed('bmc_unreachable', 'silent')],
    });
    await using run = await openWorkflow(definition);
    assert.match(String(await run.attempt()), /undo of second failed: silent/);
    await run.attempt();
    assert.equal((await run.record()).status, 'Failed');
    assert.equal((await run.record()).error_code, 'device_busy');
  });

  test('an instance without the definition leaves the workflow alone, and one that has it continues', async () => {
    const { definition, calls } = twoSteps({ do: [throws, () => wait(1)] });
    await using run = await openWorkflow(definition);
    await run.attempt();
    const before = await run.record();
    for (const workflows of [[], [{ ...definition, version: 2 }]]) {
      assert.equal(await run.attempt({ workflows }), undefined);
      const left = await run.record();
      assert.deepEqual({ ...left, status: before.status, revision: before.revision }, before);
      assert.equal(left.status, 'Stuck');
      assert.ok(run.enqueued.at(-1)! < 10_000, 'soon, because another instance may have it');
    }
    await run.attempt();
    assert.equal((await run.record()).status, 'Running');
    await run.attempt();
    const { status, error_code, error_reason } = await run.record();
    assert.deepEqual(
      { status, error_code, error_reason },
      { status: 'Completed', error_code: null, error_reason: null },
    );
    assert.equal(calls.includes('undo'), false);
  });

  test('an attempt that has to stop starts no other step', async () => {
    const controller = new AbortController();
    const { definition, calls } = twoSteps({});
    await using run = await openWorkflow(definition);
    const saved = async () => void controller.abort(new JobLost());
    assert.ok((await run.attempt({ signal: controller.signal, boundaries: { saved } })) instanceof JobLost);
    assert.deepEqual(calls, []);
    assert.equal(await run.attempt(), undefined);
    assert.deepEqual(calls, ['do']);
  });

  test('an attempt that has lost its job writes nothing', async () => {
    for (let writes = 0; writes < 5; writes++) {
      const { definition } = twoSteps({});
      await using run = await openWorkflow(definition);
      let left = writes;
      const fence: Fence = async (work) => {
        if (left-- > 0) return run.store.transaction(work);
        throw new JobLost();
      };
      assert.ok((await run.attempt({ publish: fence, complete: fence })) instanceof JobLost);
      const { position, tries, ended_at } = await run.record();
      assert.deepEqual(
        { position, tries, ended_at },
        {
          position: writes >> 1,
          tries: writes % 2 === 1 ? 1 : notStarted,
          ended_at: null,
        },
      );
    }
  });

  test('progress never decreases, and the revision counts visible changes', async () => {
    const { definition } = twoSteps({
      do: [() => wait(1), throws, () => wait(1), () => failed('device_busy', 'busy')],
    });
    await using run = await openWorkflow(definition);
    const records: WorkflowRecord[] = [await run.record()];
    const boundaries = {
      saved: async () => {
        records.push(await run.record());
        return undefined;
      },
    };
    for (let count = 0; count < 4; count++) {
      await run.attempt({ boundaries });
      records.push(await run.record());
    }
    assert.equal(records.at(-1)!.status, 'Failed');
    for (const [index, record] of records.entries()) {
      const earlier = records[index - 1];
      if (earlier === undefined) continue;
      assert.ok(record.progress >= earlier.progress);
      const visible = ({ status, step, progress, error_code, ended_at }: WorkflowRecord): string =>
        JSON.stringify([status, step, progress, error_code, ended_at]);
      assert.equal(record.revision > earlier.revision, visible(record) !== visible(earlier));
    }
  });

  test('a cancellation just before the end is honoured', async () => {
    const { definition, calls } = twoSteps({});
    await using run = await openWorkflow(definition);
    const complete: Fence = async (work) => {
      assert.equal(await workflowRequestCancel(run.store.queries, run.id), true);
      return run.store.transaction(work);
    };
    await run.attempt({ complete });
    assert.equal((await run.record()).ended_at, null);
    assert.deepEqual(run.enqueued, [undefined]);
    await run.attempt();
    assert.equal((await run.record()).status, 'Cancelled');
    assert.deepEqual(calls, ['do', 'undo', 'undo first']);
    assert.equal(await workflowRequestCancel(run.store.queries, run.id), false);
  });

  test('a cancellation undoes only steps that were started, a waiting one included', async () => {
    for (const { results, undone } of [
      { results: {}, undone: ['undo first'] },
      { results: { do: [() => wait(1)] }, undone: ['do', 'undo', 'undo first'] },
    ]) {
      const { definition, calls } = twoSteps(results);
      await using run = await openWorkflow(definition);
      const cancel = async (): Promise<undefined> => void (await workflowRequestCancel(run.store.queries, run.id));
      if ('do' in results) {
        await run.attempt();
        await cancel();
        await run.attempt();
      } else await run.attempt({ boundaries: { saved: cancel } });
      assert.equal((await run.record()).status, 'Cancelled');
      assert.deepEqual(calls, undone);
    }
  });

  test('a cancellation before the first step undoes nothing', async () => {
    const { definition, calls } = twoSteps({});
    await using run = await openWorkflow(definition);
    await workflowRequestCancel(run.store.queries, run.id);
    await run.attempt();
    assert.equal((await run.record()).status, 'Cancelled');
    assert.deepEqual(calls, []);
  });

  test('a cancellation aborts a step that can be interrupted, and undoes it', async () => {
    const calls: string[] = [];
    const definition = workflow<object, object>('long', 1).step('build', {
      isInterruptible: true,
      do: async ({ signal }) => {
        calls.push('do');
        await cancel();
        await once(signal, 'abort');
        signal.throwIfAborted();
        return done();
      },
      undo: async () => (calls.push('undo'), done()),
    });
    await using run = await openWorkflow(definition);
    const cancel = () => run.store.transaction((queries) => cancelWorkflow(run, queries, run.id));
    assert.equal(await run.attempt(), undefined);
    assert.equal((await run.record()).status, 'Cancelled');
    assert.deepEqual(calls, ['do', 'undo']);
  });
});
