import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openQueue } from '#queue/open.ts';
import { systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { addAccount } from '#test/support/accounts.ts';
import { openOwnedStore } from '#test/support/store.ts';
import { cancelWorkflow, startWorkflow, workflowJob } from '#workflows/engine/runner.ts';
import { workflowWorker } from '#workflows/engine/worker.ts';
import { workflowLoad } from '#store/work/workflows.ts';
import { done, wait, workflow } from '#workflows/engine/workflow.ts';
import { until } from '#test/support/until.ts';
import { workflowSweep } from './workflow-sweep.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';

const log = createLog('silent');
const hour = 3_600_000;
const sleeper = workflow<object, object>('sleeper', 1).step('sleep', {
  do: async ({ now, since }) => (now - since < hour ? wait(hour) : done()),
  undo: 'nothing',
  limit: { ms: 2 * hour, code: 'internal_error', reason: 'overslept' },
});

describeOnEngines('workflows without a job', ({ engine, newDatabase }) => {
  test('get a new one, once, and others are left alone', async () => {
    await using owned = new AsyncDisposableStack();
    const { database } = await newDatabase();
    const store = await openOwnedStore(owned, 'sweep', database);
    const queue = await openQueue({ store, clock: systemClock, log, instanceId: 'one' }, database);
    owned.defer(() => queue.stop());
    const account = await addAccount(store, 1);
    const parts = { store, clock: systemClock, log, queue, deps: {}, workflows: [sleeper] };
    const begin = (): Promise<string> =>
      store.transaction((queries) =>
        startWorkflow(parts, queries, sleeper, { account, service: undefined, operation: 'test', input: {} }),
      );
    const sweep = (): Promise<object> => workflowSweep(parts, workflowJob).run(new AbortController().signal);
    const queued = async (): Promise<number> => (await queue.counts()).get(workflowJob.name)?.queued ?? 0;

    const lost = await begin();
    const jobTable = engine === 'sqlite' ? sql`jobs` : sql`pgboss.job`;
    await sql`delete from ${jobTable}`.execute(store.queries);
    const withJob = await begin();
    await sweep();
    await sweep();
    assert.equal(await queued(), 2);

    await queue.start([workflowWorker(parts)]);
    for (const id of [lost, withJob]) {
      await store.transaction((queries) => cancelWorkflow(parts, queries, id));
      await until(async () => (await workflowLoad(store.queries, id))!.ended_at !== null);
    }
    await queue.stop();
    await sql`delete from ${jobTable}`.execute(store.queries);
    await sweep();
    assert.equal(await queued(), 0, 'an ended workflow needs no job');
  });
});
