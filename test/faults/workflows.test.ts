// kill -9 in the midst of 200 workflows, some of which cannot be done: all end done or wholly undone, nothing is made twice, and
// nobody lends a hand. On PostgreSQL the other of two nodes goes on; on SQLite the server is started again.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openJobs } from '#jobs/open.ts';
import { systemClock } from '#kernel/clock.ts';
import { makeLog } from '#kernel/log.ts';
import { openStore } from '#store/open.ts';
import type { Store } from '#store/store.ts';
import { workflowList, workflowsUnderWay } from '#store/work/workflows.ts';
import { addAccount } from '#test/support/accounts.ts';
import { startDaemon, type Daemon } from '#test/support/daemon.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { startPostgres } from '#test/support/postgres.ts';
import { fickle, shelfCounts, type Fickle } from '#test/support/shelf.ts';
import { startWorkflow } from '#workflows/runner.ts';

const count = 200;
const kinds = ['box', 'label', 'seal'] as const;

/** Every second one can be done; the others fail at every step, before and after its effect. */
function inputOf(number: number): Fickle {
  return {
    fails: [undefined, 'box', undefined, 'label', undefined, 'seal'][number % 6] as Fickle['fails'],
    noticed: number % 4 < 2 ? 'before' : 'after',
  };
}

describe('200 workflows and kill -9', { concurrency: true }, () => {
  test('of one of two nodes on PostgreSQL', needs('initdb', 'postgres'), async () => {
    await using postgres = await startPostgres();
    await using world = await open(postgres.url);
    await using killed = await world.node();
    await using other = await world.node();
    await killedMidway(world, killed);
    await allEnded(world);
    assert.match(other.output(), /jobs of a process that is gone are run again/);
  });

  test('of the only one on SQLite, which is started again', async () => {
    await using world = await open(undefined);
    await using killed = await world.node();
    await killedMidway(world, killed);
    await using again = await world.node();
    await allEnded(world);
    assert.match(again.output(), /jobs of a process that is gone are run again/);
  });
});

async function open(database: string | undefined) {
  await using owned = new AsyncDisposableStack();
  const { path } = owned.use(await temporaryFolder('workflows'));
  const shelf = { folder: join(path, 'shelf') };
  mkdirSync(shelf.folder);
  const store = await openStore({ dataFolder: path, database });
  owned.defer(() => store.close());
  const account = await addAccount(store, 1);
  const jobs = await openJobs({ store, clock: systemClock, log: makeLog('silent'), node: 'test' }, database);
  owned.defer(() => jobs.stop());
  const kept = owned.move();
  return {
    store,
    jobs,
    account,
    shelf,
    async node(): Promise<Daemon> {
      const file = join(import.meta.dirname, 'workflows-node.ts');
      const args = [file, shelf.folder, path, ...(database === undefined ? [] : [database])];
      const daemon = await startDaemon(process.execPath, args);
      await daemon.printed('works');
      return daemon;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
type World = Awaited<ReturnType<typeof open>>;

async function killedMidway({ store, jobs, account }: World, node: Daemon): Promise<void> {
  for (let number = 0; number < count; number++) {
    const start = { account, service: undefined, operation: 'test', input: inputOf(number) };
    await store.transaction((queries) => startWorkflow({ jobs, clock: systemClock }, queries, fickle, start));
  }
  while ((await underWay(store)) > count * 0.8) await pause(20);
  await node.stop('SIGKILL');
  assert.ok((await underWay(store)) > 0, 'it was killed in the midst of them');
}

async function allEnded({ store, jobs, account, shelf }: World): Promise<void> {
  while ((await underWay(store)) > 0) await pause(100);
  const page = { service: undefined, statuses: undefined, before: undefined, limit: 2 * count };
  const records = await workflowList(store.queries, account, page);
  assert.equal(records.length, count);
  const there = new Set(readdirSync(shelf.folder));
  const made = shelfCounts(shelf);
  for (const { id, status, input } of records) {
    const { fails, noticed } = JSON.parse(input) as Partial<Fickle>;
    assert.equal(status, fails === undefined ? 'Completed' : 'Failed');
    const reached = fails === undefined ? kinds.length : kinds.indexOf(fails) + (noticed === 'after' ? 1 : 0);
    for (const [index, kind] of kinds.entries()) {
      assert.equal(there.has(`${kind}-${id}`), fails === undefined, `${kind} of one that ${status}`);
      assert.equal(made.get(`${kind}-${id}`) ?? 0, index < reached ? 1 : 0, `how often a ${kind} was made`);
    }
  }
  assert.deepEqual(await jobs.failed(), []);
}

async function underWay(store: Store): Promise<number> {
  return (await workflowsUnderWay(store.queries, '', 2 * count)).length;
}
