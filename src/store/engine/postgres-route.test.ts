import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startBadPeer } from '#test/support/bad-peer.ts';
import { needs } from '#test/support/needs.ts';
import { startPostgres, type Postgres } from '#test/support/postgres.ts';
import { connectStore } from '../open.ts';
import { postgresRoute } from './postgres-route.ts';
import { storeAlive } from '../store.ts';

describe('the way to a PostgreSQL with several addresses', () => {
  it('is that of one address where there is one', () => {
    const url = 'postgres://u:p@db1:5433/hostyard?sslmode=require';
    assert.deepEqual(postgresRoute(url).options, { connectionString: url });
  });

  it('keeps name, password, database and parameters, and knows addresses of the sixth version and usual ports', () => {
    const route = postgresRoute('postgres://u:p@[::1]:5433,db2/hostyard?target_session_attrs=read-write');
    assert.equal(route.options.connectionString, 'postgres://u:p@[::1]:5433/hostyard?target_session_attrs=read-write');
    assert.equal(route.addresses, 2);
  });

  it('is refused where an address is none', () => {
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
      await storeAlive(store);
    } finally {
      await store.close();
    }
  }

  it('passes over one that is gone', async () => {
    await answersBehind('127.0.0.1:1');
  });

  it('passes over one that hangs up', async () => {
    await using peer = await startBadPeer('hangs up');
    await answersBehind(`127.0.0.1:${peer.port}`);
  });

  it('passes over one that hangs', async () => {
    await using peer = await startBadPeer('hangs');
    await answersBehind(`127.0.0.1:${peer.port}`);
  });
});
