import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { startBadPeer } from '#test/support/bad-peer.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { startPostgres, type Postgres } from '#test/support/postgres.ts';
import { until } from '#test/support/until.ts';
import { connectStore } from '../open.ts';
import { pingStore } from '../store.ts';
import { checkPostgresDump, postgresDump } from './postgres-dump.ts';
import { openPostgresPool } from './postgres-pool.ts';
import { directUrl, postgresRoute } from './postgres-route.ts';

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

  it('leads to PostgreSQL itself if the address is a pooler', () => {
    const pooled = 'postgres://u:p@127.0.0.1:6432/hostyard?direct=db1:5432,db2:5432&sslmode=require';
    assert.equal(directUrl(pooled), 'postgres://u:p@db1:5432,db2:5432/hostyard?sslmode=require');
    assert.equal(directUrl('postgres://u:p@db1,db2/hostyard?sslmode=require'), undefined);
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

  it('is dumped', needs('pg_dump'), async () => {
    await using folder = await temporaryFolder('dump');
    const file = join(folder.path, 'dump');
    const { host } = new URL(postgres.url);
    await postgresDump(postgres.url.replace(host, `127.0.0.1:1,${host}`), file);
    await checkPostgresDump(file);
  });

  it('is never a read-only server, even if there is only one address, if the URL says so', async () => {
    const database = await postgres.createDatabase('readonly');
    const admin = await connectStore({ dataFolder: '', database: postgres.url });
    await sql`alter database readonly set default_transaction_read_only = on`.execute(admin.queries);
    await admin.close();
    const ping = async (url: string): Promise<void> => {
      const store = await connectStore({ dataFolder: '', database: url });
      await pingStore(store).finally(() => store.close());
    };
    await ping(database);
    await assert.rejects(ping(`${database}?target_session_attrs=read-write`), /can only be read/);
  });

  it('is left by connections that only read, if it becomes read-only', async () => {
    const database = `${await postgres.createDatabase('demoted')}?target_session_attrs=read-write`;
    const pool = openPostgresPool(database, 1, { timeoutMs: 10_000 }, { lifetimeSeconds: 1 });
    const read = async (): Promise<void> => {
      const client = await pool.connect();
      await client.query('select 1').finally(() => client.release());
    };
    await read();
    const admin = await connectStore({ dataFolder: '', database: postgres.url });
    await sql`alter database demoted set default_transaction_read_only = on`.execute(admin.queries);
    await admin.close();
    await until(() =>
      read().then(
        () => false,
        () => true,
      ),
    );
    await pool.end();
  });
});
