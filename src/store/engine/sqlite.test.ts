// Caching and invalidation of the reader.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { temporaryFolder } from '#test/support/folder.ts';
import { addAccount } from '#test/support/accounts.ts';
import { openTestStore } from '#test/support/store.ts';
import { accountFindWithOwed, accountRecordLogin } from '../account/accounts.ts';

test('a prepared read sees what this process has just committed, in the same turn', async () => {
  await using folder = await temporaryFolder('reader');
  const store = await openTestStore({ dataFolder: folder.path, database: undefined });
  const account = await addAccount(store, 1);
  for (let at = 1; at <= 20; at++) {
    await accountRecordLogin(store.queries, account, { at, address: '192.0.2.1' });
    assert.equal((await accountFindWithOwed(store.queries, account))?.last_login_at, at);
    await store.transaction((queries) => accountRecordLogin(queries, account, { at: at * 100, address: '192.0.2.1' }));
    assert.equal((await accountFindWithOwed(store.queries, account))?.last_login_at, at * 100);
  }
  await store.close();
});

test('a prepared read sees what another process has committed, from the next turn on', async () => {
  await using folder = await temporaryFolder('reader');
  const location = { dataFolder: folder.path, database: undefined };
  const [reader, writer] = [await openTestStore(location), await openTestStore(location)];
  const account = await addAccount(reader, 1);
  for (let at = 1; at <= 20; at++) {
    await accountRecordLogin(writer.queries, account, { at, address: '192.0.2.1' });
    await nextTurn();
    assert.equal((await accountFindWithOwed(reader.queries, account))?.last_login_at, at);
    assert.equal((await accountFindWithOwed(reader.queries, account))?.last_login_at, at);
  }
  await Promise.all([reader.close(), writer.close()]);
});
