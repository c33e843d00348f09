// A database that is away for a while: callers are told to come back, and the log why; when it is back, so are the answers.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { anna as contact } from '#test/support/anna.ts';
import { needs } from '#test/support/needs.ts';
import { startPostgres } from '#test/support/postgres.ts';
import { request } from '#test/support/request.ts';
import { openTestYard, type TestYard } from '#test/support/yard.ts';

async function create(yard: TestYard) {
  const { key } = yard.lab.customer;
  return request<{ result: { code: string } }>(yard, 'POST', '/v2/account/contact', { key, params: contact });
}
function overloaded({ status, headers, body }: Awaited<ReturnType<typeof create>>): void {
  assert.equal(status, 503, JSON.stringify(body));
  assert.equal(headers.get('retry-after'), '1');
  assert.equal(body.result.code, 'overloaded');
}

test('a full disk under SQLite is 503 for a change, and no matter for a read', async () => {
  await using yard = await openTestYard();
  const { queries } = yard.parts.store;
  // As small as it is now.
  await sql`pragma max_page_count = 1`.execute(queries);
  let answer = await create(yard);
  for (let count = 0; answer.status === 200 && count < 1000; count++) answer = await create(yard);
  overloaded(answer);
  assert.equal((await request(yard, 'GET', '/v2/account', { key: yard.lab.customer.key })).status, 200);
  await sql`pragma max_page_count = 1000000`.execute(queries);
  assert.equal((await create(yard)).status, 200);
});

describe('PostgreSQL that stops', needs('initdb', 'postgres'), () => {
  test('is 503 for whoever asks meanwhile', async () => {
    await using postgres = await startPostgres();
    await using yard = await openTestYard({ database: await postgres.createDatabase() });
    assert.equal((await create(yard)).status, 200);
    await postgres.daemon.stop();
    // The first meets the connections that broke, the second finds nobody to connect to.
    overloaded(await create(yard));
    overloaded(await create(yard));
  });
});
