// The worker on the embedded queue: whole workflows, and how those of several accounts share an instance.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { embeddedQueue } from '#queue/embedded.ts';
import { systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import type { Queries, Store } from '#store/store.ts';
import { workflowLoad, workflowsRunning, type WorkflowRecord } from '#store/work/workflows.ts';
import { addAccount } from '#test/support/accounts.ts';
import { withResources } from '#test/support/resources.ts';
import { makeShelf } from '#test/support/shelf-fixture.ts';
import { until } from '#test/support/until.ts';
import { cancelWorkflow, startWorkflow } from './runner.ts';
import { workflowWorker } from './worker.ts';
import { done, wait, workflow } from './workflow.ts';

const log = createLog('silent');
const limit = { ms: 7_200_000, code: 'bmc_unreachable', reason: 'too long' } as const;

describe('workflows in the queue', { concurrency: true }, () => {
  const hour = 3_600_000;
  const sleeper = workflow<object, object>('sleeper', 1).step('sleep', {
    do: async ({ now, since }) => (now - since < hour ? wait(hour) : done()),
    undo: 'nothing',
    limit,
  });
  const openQueue = async () => {
    await using owned = new AsyncDisposableStack();
    const { store, account } = owned.use(await makeShelf());
    const queue = embeddedQueue({ store, clock: systemClock, log, instanceId: 'one' });
    owned.defer(() => queue.stop());
    const parts = { store, clock: systemClock, log, queue, deps: {}, workflows: [sleeper] };
    const start = (queries: Queries): Promise<string> =>
      startWorkflow(parts, queries, sleeper, { account, service: undefined, operation: 'test', input: {} });
    return withResources(owned, { store, queue, parts, start });
  };
  const untilRecord = async (store: Store, id: string, matches: (record: WorkflowRecord) => boolean): Promise<void> => {
    const load = async () => (await workflowLoad(store.queries, id))!;
    await until(async () => matches(await load()), { saw: load });
  };

  test('a workflow started in a transaction that is rolled back leaves nothing', async () => {
    await using fixture = await openQueue();
    const { store, queue, start } = fixture;
    await assert.rejects(
      store.transaction(async (queries) => {
        await start(queries);
        throw new Error('rolled back');
      }),
    );
    assert.deepEqual(await workflowsRunning(store.queries, '', 10), []);
    assert.equal((await queue.counts()).size, 0);
  });

  test('of one account leave places to others, and to the work of staff', async () => {
    await using fixture = await openQueue();
    const { store, queue, parts } = fixture;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let stuck = 0;
    const build = workflow<object, { isStuck: boolean }>('build', 1).step('build', {
      do: async (_, { isStuck }) => {
        if (isStuck) {
          stuck++;
          await released;
        }
        return done();
      },
      undo: 'nothing',
    });
    const [greedy, other] = [await addAccount(store, 501), await addAccount(store, 502)];
    const start = (account: typeof greedy, operation: string, isStuck: boolean): Promise<string> =>
      store.transaction((queries) =>
        startWorkflow(parts, queries, build, { account, service: undefined, operation, input: { isStuck } }),
      );
    const ids: string[] = [];
    for (let count = 0; count < 60; count++) ids.push(await start(greedy, 'v2.systemReinstall', true));
    await queue.start([workflowWorker({ ...parts, workflows: [build] })]);
    await until(() => stuck >= 24);
    const ends = [await start(other, 'v2.powerSet', false), await start(greedy, 'operator.serviceSuspend', false)];
    for (const id of ends) await untilRecord(store, id, ({ status }) => status === 'Completed');
    assert.equal(stuck, 24);
    release();
    for (const id of ids) await untilRecord(store, id, ({ status }) => status === 'Completed');
  });

  test('a workflow that waits for an hour is cancelled at once', async () => {
    await using fixture = await openQueue();
    const { store, queue, parts, start } = fixture;
    await queue.start([workflowWorker(parts)]);
    const id = await store.transaction(start);
    await untilRecord(store, id, ({ status, tries }) => status === 'Running' && tries === 0);
    assert.equal(await store.transaction((queries) => cancelWorkflow(parts, queries, id)), true);
    await untilRecord(store, id, ({ ended_at }) => ended_at !== null);
    assert.equal((await workflowLoad(store.queries, id))!.status, 'Cancelled');
  });
});
