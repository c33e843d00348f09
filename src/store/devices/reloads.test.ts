// A server has at most one network boot at a time, and states change only as the state table allows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { reloadStates, type ReloadState } from '#contract/states/reloads.ts';
import { addAccount } from '#test/support/accounts.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { openTestStore } from '#test/support/store.ts';
import { reloadInsert, reloadLoad, reloadMove } from './reloads.ts';
import { serverPut } from './servers.ts';

async function openWithServer() {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('reloads'));
  const store = await openTestStore({ dataFolder: folder.path, database: undefined });
  owned.defer(() => store.close());
  const account = await addAccount(store, 1);
  const server = 'dc01r01ds01';
  const bmc = { bmc_driver: 'ipmi', bmc_settings: '', bmc_model: 'lab', console_host: server };
  await serverPut(store.queries, { name: server, ...bmc, parts: '{}' });
  const insert = (id: string): Promise<boolean> =>
    reloadInsert(store.queries, {
      id,
      account_id: account,
      service_id: 1001,
      server,
      kind: 'reload',
      system: '{}',
      secret_hash: id,
      password_hash: null,
      new_password: null,
      ssh_keys: '[]',
      created_at: 0,
    });
  const resources = owned.move();
  return { queries: store.queries, insert, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

test('a server has one network boot at a time, and the next once that has ended', async () => {
  await using fixture = await openWithServer();
  assert.equal(await fixture.insert('first'), true);
  assert.equal(await fixture.insert('second'), false);
  assert.equal(await reloadMove(fixture.queries, 'first', 'Failed', { ended_at: 1 }), true);
  assert.equal(await fixture.insert('second'), true);
});

test('no sequence of changes leaves the state table', async () => {
  await using fixture = await openWithServer();
  const states = Object.keys(reloadStates) as ReloadState[];
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...states), { maxLength: 12 }), async (sequence) => {
      const id = `boot${count++}`;
      await fixture.insert(id);
      let state: ReloadState = 'Queued';
      for (const next of sequence) {
        const allowed = (reloadStates[state] as readonly ReloadState[]).includes(next);
        assert.equal(await reloadMove(fixture.queries, id, next), allowed);
        if (allowed) state = next;
        assert.equal((await reloadLoad(fixture.queries, id))?.status, state);
      }
      await fixture.queries.deleteFrom('reloads').execute();
    }),
    { numRuns: 50 },
  );
});
