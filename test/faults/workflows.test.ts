// kill -9 in the middle of 200 workflows, some of which cannot succeed: all end completed or fully undone, nothing is
// created twice, and nobody intervenes. On PostgreSQL the other of two instances continues; on SQLite the server is
// started again.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openQueue } from '#queue/open.ts';
import { systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import type { Store } from '#store/store.ts';
import { workflowSearch, workflowsRunning } from '#store/work/workflows.ts';
import { addAccount } from '#test/support/accounts.ts';
import { startProgram, type Daemon } from '#test/support/daemon.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { notDurable, startPostgres } from '#test/support/postgres.ts';
import { fickle, shelfCounts, type FlakyInput } from '#test/support/shelf-fixture.ts';
import { startWorkflow } from '#workflows/engine/runner.ts';
import { openTestStore } from '#test/support/store.ts';
import { until } from '#test/support/until.ts';
import { withResources } from '#test/support/resources.ts';

const count = 200;
const kinds = ['box', 'label', 'seal'] as const;

/** Every second one can succeed; the others fail at each step, before and after its effect. */
function inputOf(number: number): FlakyInput {
  return {
    fails: [undefined, 'box', undefined, 'label', undefined, 'seal'][number % 6] as FlakyInput['fails'],
    noticed: number % 4 < 2 ? 'before' : 'after',
  };
}

describe('200 workflows and kill -9', { concurrency: true }, () => {
  test('of one of two instances on PostgreSQL', needs('initdb', 'postgres'), async () => {
    await using postgres = await startPostgres(notDurable);
    await using fixtures = await open(postgres.url);
    await using killed = await fixtures.node();
    await using other = await fixtures.node();
    await killMidway(fixtures, killed);
    await assertAllEnd(fixtures);
    assert.match(other.output(), /restarting jobs of a process that ended/);
  });

  test('of the only one on SQLite, which is started again', async () => {
    await using fixtures = await open(undefined);
    await using killed = await fixtures.node();
    await killMidway(fixtures, killed);
    await using again = await fixtures.node();
    await assertAllEnd(fixtures);
    assert.match(again.output(), /restarting jobs of a process that ended/);
  });
});

async function open(database: string | undefined) {
  await using owned = new AsyncDisposableStack();
  const { path } = owned.use(await temporaryFolder('workflows'));
  const shelf = { folder: join(path, 'shelf') };
  mkdirSync(shelf.folder);
  const store = await openTestStore({ dataFolder: path, database });
  owned.defer(() => store.close());
  const account = await addAccount(store, 1);
  const queue = await openQueue({ store, clock: systemClock, log: createLog('silent'), instanceId: 'test' }, database);
  owned.defer(() => queue.stop());
  return withResources(owned, {
    store,
    queue,
    account,
    shelf,
    async node(): Promise<Daemon> {
      const file = join(import.meta.dirname, 'workflows-node.ts');
      const daemon = await startProgram(file, shelf.folder, path, ...(database === undefined ? [] : [database]));
      await daemon.printed('works');
      return daemon;
    },
  });
}
type Fixtures = Awaited<ReturnType<typeof open>>;

async function killMidway({ store, queue, account }: Fixtures, node: Daemon): Promise<void> {
  for (let number = 0; number < count; number++) {
    const start = { account, service: undefined, operation: 'test', input: inputOf(number) };
    await store.transaction((queries) => startWorkflow({ queue, clock: systemClock }, queries, fickle, start));
  }
  await until(async () => (await countRunning(store)) <= count * 0.8, { saw: () => countRunning(store), pollMs: 20 });
  await node.stop('SIGKILL');
  assert.ok((await countRunning(store)) > 0, 'it was killed in the middle of them');
}

async function assertAllEnd({ store, queue, account, shelf }: Fixtures): Promise<void> {
  await until(async () => (await countRunning(store)) === 0, { saw: () => countRunning(store) });
  const page = { service: undefined, statuses: undefined, before: undefined, limit: 2 * count };
  const records = await workflowSearch(store.queries, { ...page, account, name: undefined });
  assert.equal(records.length, count);
  const items = new Set(readdirSync(shelf.folder));
  const counts = shelfCounts(shelf);
  for (const { id, status, input } of records) {
    const { fails, noticed } = JSON.parse(input) as Partial<FlakyInput>;
    assert.equal(status, fails === undefined ? 'Completed' : 'Failed');
    const reached = fails === undefined ? kinds.length : kinds.indexOf(fails) + (noticed === 'after' ? 1 : 0);
    for (const [index, kind] of kinds.entries()) {
      assert.equal(items.has(`${kind}-${id}`), fails === undefined, `${kind} of one that ${status}`);
      assert.equal(counts.get(`${kind}-${id}`) ?? 0, index < reached ? 1 : 0, `how often a ${kind} was created`);
    }
  }
  assert.deepEqual(await queue.failed(), []);
}

async function countRunning(store: Store): Promise<number> {
  return (await workflowsRunning(store.queries, '', 2 * count)).length;
}
