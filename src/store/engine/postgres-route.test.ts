import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startBadPeer } from '#test/support/bad-peer.ts';
import { needs } from '#test/support/needs.ts';
import { startPostgres, type Postgres } from '#test/support/postgres.ts';
import { connectStore } from '../open.ts';
import { pingStore } from '../store.ts';
import { postgresRoute } from './postgres-route.ts';

describe('the route to a PostgreSQL with several addresses', () => {
  it('is the URL itself if there is only one address', () => {
    const url = 'postgres://u:p@db1:5433/hostyard?sslmode=require';
    assert.deepEqual(postgresRoute(url).options, { connectionString: url });
  });

  it('keeps name, password, database and parameters, and supports IPv6 addresses and default ports', () => {
    const route = postgresRoute('postgres://u:p@[::1]:5433,db2/hostyard?target_session_attrs=read-write');
    assert.equal(route.options.connectionString, 'postgres://u:p@[::1]:5433/hostyard?target_session_attrs=read-write');
    assert.equal(route.addresses, 2);
  });

  it('is rejected if an address is invalid', () => {
    assert.throws(() => postgresRoute('postgres://u:p@db1:x,db2/hostyard'), /db1:x is not an address/);
  });
});

describe('a store with several addresses', needs('initdb', 'postgres'), () => {
  let postgres: Postgres;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres[Symbol.asyncDispose]());

  async function answersBehind(first: string): Promise<void> {
    const { host } = new URL(postgres.url);
    const store = await connectStore({ dataFolder: '', database: postgres.url.replace(host, `${first},${host}`) });
    try {
      await pingStore(store);
    } finally {
      await store.close();
    }
  }

  it('skips an address where nothing listens', async () => {
    await answersBehind('127.0.0.1:1');
  });

  it('skips an address that closes the connection', async () => {
    await using peer = await startBadPeer('hangs up');
    await answersBehind(`127.0.0.1:${peer.port}`);
  });

  it('skips an address that never responds', async () => {
    await using peer = await startBadPeer('hangs');
    await answersBehind(`127.0.0.1:${peer.port}`);
  });
});
