import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { addAccount, addService } from '#test/support/accounts.ts';
import { openOwnedStore } from '#test/support/store.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { serviceSearch } from '../operator/operator-services.ts';
import type { Store } from '../store.ts';

describe('a search on SQLite', () => {
  const owned = suiteResources();
  let store: Store;
  const hostnames = ['web1.example.net', 'WEB2.example.net', 'größe.example.org', '100%_"quoted".test'];
  before(async () => {
    store = await openOwnedStore(owned, 'search');
    const account = await addAccount(store, 1);
    for (const [index, hostname] of hostnames.entries()) await addService(store, account, index + 1, { hostname });
  });
  const search = async (text: string, page: { after?: number; limit?: number } = {}): Promise<number[]> => {
    const all = { account: undefined, type: undefined, status: undefined, after: 0, limit: 10, ...page };
    return (await serviceSearch(store.queries, { ...all, search: text })).map(({ id }) => id);
  };

  test('finds any part of a text, in any case, page by page', async () => {
    assert.deepEqual(await search('EXAMPLE.n'), [1, 2]);
    assert.deepEqual(await search('web2.exa'), [2]);
    assert.deepEqual([await search('eb2.'), await search('eb3.'), await search('b21')], [[2], [], []]);
    assert.deepEqual(await search('ö'), [3]);
    assert.deepEqual(await search('röße'), [3]);
    assert.deepEqual(await search('0%_"q'), [4]);
    assert.deepEqual(await search('0%_q'), []);
    assert.deepEqual(await search('exa', { limit: 2 }), [1, 2]);
    assert.deepEqual(await search('exa', { after: 2 }), [3]);
  });

  test('follows changes, and reads no row that the index does not have', async () => {
    await store.queries.updateTable('services').set({ hostname: 'renamed.test' }).where('id', '=', 1).execute();
    assert.deepEqual([await search('web1'), await search('renamed')], [[], [1]]);
    await store.queries.deleteFrom('services').where('id', '=', 1).execute();
    assert.deepEqual(await search('renamed'), []);
    await sql`insert into services_search (services_search) values ('delete-all')`.execute(store.queries);
    assert.deepEqual(await search('example'), []);
  });
});
