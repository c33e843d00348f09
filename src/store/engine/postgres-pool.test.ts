import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { needs } from '#test/support/needs.ts';
import { notDurable, startPostgres } from '#test/support/postgres.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { plannedEachTime } from './plan-mark.ts';
import { openPostgresPool } from './postgres-pool.ts';

describe('a connection to PostgreSQL', needs('initdb', 'postgres'), () => {
  const owned = suiteResources();
  let url: string;
  before(async () => {
    ({ url } = owned.use(await startPostgres(notDurable)));
  });

  it('plans marked statements for their values, and the others once', async () => {
    const pool = openPostgresPool(url, 1);
    const client = await pool.connect();
    const filtered = 'select * from pg_class where relkind = $1 order by oid limit $2';
    for (const text of [filtered, `${filtered} ${plannedEachTime}`]) await client.query(text, ['r', 10]);
    const { rows } = await client.query(
      "select statement from pg_prepared_statements where statement like '%relkind%'",
    );
    assert.deepEqual(rows, [{ statement: filtered }]);
    client.release();
    await pool.end();
  });

  it('expects pages in memory, unless the connection is shared by a pooler', async () => {
    const costs: unknown[] = [];
    for (const given of [url, `${url}${url.includes('?') ? '&' : '?'}direct=127.0.0.1:1`]) {
      const pool = openPostgresPool(given, 1);
      const client = await pool.connect();
      costs.push(...(await client.query('show random_page_cost')).rows);
      client.release();
      await pool.end();
    }
    assert.deepEqual(costs, [{ random_page_cost: '1.1' }, { random_page_cost: '4' }]);
  });
});
