import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { openJobs } from '#jobs/open.ts';
import { systemClock } from '#kernel/clock.ts';
import { makeLog } from '#kernel/log.ts';
import { openStore } from '#store/open.ts';
import { addAccount } from '#test/support/accounts.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { engines } from '#test/support/yard.ts';
import { cancelWorkflow, startWorkflow, workflowJob, workflowWorker } from '#workflows/runner.ts';
import { workflowLoad } from '#store/work/workflows.ts';
import { done, wait, workflow } from '#workflows/workflow.ts';
import { workflowSweep } from './workflow-sweep.ts';

const log = makeLog('silent');
const hour = 3_600_000;
const patient = workflow<object, object>('patient', 1).step('sleep', {
  do: async ({ now, since }) => (now - since < hour ? wait(hour) : done()),
  undo: 'nothing',
});

for (const { engine, suite, start } of engines) {
  describe(`workflows without a job on ${engine}`, suite, () => {
    let database: Awaited<ReturnType<typeof start>>;
    before(async () => void (database = await start()));
    after(() => database[Symbol.asyncDispose]());

    test('get one again, once, and others are left alone', async () => {
      await using folder = await temporaryFolder('sweep');
      await using owned = new AsyncDisposableStack();
      const { database: url } = await database.newDatabase();
      const store = await openStore({ dataFolder: folder.path, database: url });
      owned.defer(() => store.close());
      const jobs = await openJobs({ store, clock: systemClock, log, node: 'one' }, url);
      owned.defer(() => jobs.stop());
      const account = await addAccount(store, 1);
      const parts = { store, clock: systemClock, log, jobs, deps: {}, workflows: [patient] };
      const begin = (): Promise<string> =>
        store.transaction((queries) =>
          startWorkflow(parts, queries, patient, { account, service: undefined, operation: 'test', input: {} }),
        );
      const sweep = (): Promise<object> => workflowSweep(parts, workflowJob).run(new AbortController().signal);
      const queued = async (): Promise<number> => (await jobs.counts()).get(workflowJob.name)?.queued ?? 0;

      const lost = await begin();
      const jobTable = engine === 'sqlite' ? sql`jobs` : sql`pgboss.job`;
      await sql`delete from ${jobTable}`.execute(store.queries);
      const kept = await begin();
      await sweep();
      await sweep();
      assert.equal(await queued(), 2);

      await jobs.start([workflowWorker(parts)]);
      for (const id of [lost, kept]) {
        await store.transaction((queries) => cancelWorkflow(parts, queries, id));
        while ((await workflowLoad(store.queries, id))!.ended_at === null) await new Promise(setImmediate);
      }
      await jobs.stop();
      await sql`delete from ${jobTable}`.execute(store.queries);
      await sweep();
      assert.equal(await queued(), 0, 'what has ended needs none');
    });
  });
}
