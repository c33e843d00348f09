import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { needs } from '#test/support/needs.ts';
import { notDurable, startPostgres, type Postgres } from '#test/support/postgres.ts';
import { openPipelines, type Pipelines } from './postgres-pipelines.ts';
import { isUnavailable } from './unavailable.ts';

describe('reads in a pipeline', needs('initdb', 'postgres'), () => {
  let postgres: Postgres;
  let pipelines: Pipelines;
  before(async () => {
    postgres = await startPostgres(notDurable);
    pipelines = openPipelines(postgres.url);
  });
  after(async () => {
    await pipelines.end();
    await postgres[Symbol.asyncDispose]();
  });

  const readMany = (count: number): Promise<unknown[][]> =>
    Promise.all(Array.from({ length: count }, (_, index) => pipelines.read('select $1::int + 1 as next', [index])));

  it('each get their own answer, on few connections', async () => {
    const answers = await readMany(500);
    assert.deepEqual(
      answers,
      Array.from({ length: 500 }, (_, index) => [{ next: index + 1 }]),
    );
    const counting = 'select count(*)::int as count from pg_stat_activity where state is not null and datname = $1';
    const [row] = await pipelines.read(counting, [new URL(postgres.url).pathname.slice(1)]);
    assert.ok((row as { count: number }).count <= 4, JSON.stringify(row));
  });

  it('find the same values in one row as in several', async () => {
    const property = fc.asyncProperty(
      fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
      fc.maxSafeInteger(),
      fc.option(fc.boolean()),
      async (...values) => {
        const sql = 'select $1::text as text, $2::bigint as number, $3::boolean as flag, $2::bigint * 0.5 as half';
        assert.deepEqual(await pipelines.readRow(sql, values), await pipelines.read(sql, values));
      },
    );
    await fc.assert(property);
    assert.deepEqual(await pipelines.readRow('select 1 as one where $1::int = 0', [1]), []);
  });

  it('fail alone', async () => {
    const outcomes = await Promise.allSettled([
      pipelines.read('select $1::int as value', [1]),
      pipelines.read('select 1 / $1::int as value', [0]),
      pipelines.read('select $1::int as value', [3]),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
  });

  it('continue on a new connection once theirs was closed', async () => {
    const closing = 'select pg_terminate_backend(pg_backend_pid(), $1::int)';
    await assert.rejects(pipelines.read(closing, [0]), isUnavailable);
    assert.deepEqual(await readMany(2), [[{ next: 1 }], [{ next: 2 }]]);
  });
});
