// Two servers on one PostgreSQL, and a PostgreSQL that goes away and comes back.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createContact } from '#test/support/contacts.ts';
import { needs } from '#test/support/needs.ts';
import { startPostgres, type Postgres } from '#test/support/postgres.ts';
import { request } from '#test/support/request.ts';
import { startServer, type Server } from '#test/support/server.ts';

describe('two servers on one PostgreSQL', needs('initdb', 'postgres'), () => {
  let postgres: Postgres;
  let one: Server;
  let other: Server;
  let url: string;
  before(async () => {
    postgres = await startPostgres();
    url = await postgres.createDatabase();
    one = await startServer({ database: url });
    // The second has the first one's data folder, as nodes share their sealing key.
    other = await startServer({ database: url, env: { HOSTYARD_SEALING_KEY_FILE: `${one.data}/secret.key` } });
  });
  after(async () => {
    await one?.[Symbol.asyncDispose]();
    await other?.[Symbol.asyncDispose]();
    await postgres?.[Symbol.asyncDispose]();
  });

  test('a key that is revoked on one is refused by the other within a second', async () => {
    const { key } = one.lab.customer;
    for (let round = 0; round < 3; round++) {
      const params = { name: 'short', scopes: ['all'] };
      const made = await request<{ result: { id: string; key: string } }>(one, 'POST', '/v2/account/key', {
        key,
        params,
      });
      const { id, key: short } = made.body.result;
      const status = async () => (await request(other, 'GET', '/v2/account', { key: short })).status;
      assert.equal(await status(), 200);
      await request(one, 'DELETE', '/v2/account/key', { key, params: { id } });
      // Every answer that begins a second later is a refusal; what the machine's load does before is its own affair.
      await sleep(1000);
      assert.equal(await status(), 401);
    }
  });

  test('one Idempotency-Key on both at once makes one contact', async () => {
    const agent = new Agent({ keepAlive: true });
    const { key } = one.lab.customer;
    const calls = Array.from({ length: 200 }, (_, index) =>
      createContact((index % 2 === 0 ? one : other).url, key, 7, agent),
    );
    const answers = new Set(await Promise.all(calls));
    agent.destroy();
    assert.equal(answers.size, 1, [...answers].slice(0, 3).join('\n'));
    assert.match([...answers][0] ?? '', /^200 /);
  });

  test('a database whose connections are cut is used again by itself, and no request goes without an answer', async () => {
    const { key } = one.lab.customer;
    const agent = new Agent({ keepAlive: true });
    const cut = new AbortController();
    let next = 1000;
    const seen = new Map<string, number>();
    const load = Array.from({ length: 4 }, async () => {
      while (!cut.signal.aborted) {
        const answer = await createContact(one.url, key, next++, agent);
        const status = answer?.slice(0, 3) ?? 'none';
        seen.set(status, (seen.get(status) ?? 0) + 1);
        if (answer !== undefined && status !== '200') {
          const body = JSON.parse(answer.slice(4)) as {
            success: boolean;
            results: number;
            result: { code: string; message: string };
          };
          assert.deepEqual([body.success, body.results], [false, 0]);
          assert.match(status, /^5\d\d$/);
          assert.doesNotMatch(body.result.message, /postgres|connection|127\.0\.0\.1/i);
        }
      }
    });
    const admin = new pg.Client(postgres.url);
    await admin.connect();
    for (let round = 0; round < 10; round++) {
      await sleep(100);
      await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1`, [
        new URL(url).pathname.slice(1),
      ]);
    }
    await admin.end();
    cut.abort();
    await Promise.all(load);
    agent.destroy();
    assert.equal(seen.get('none') ?? 0, 0, `${JSON.stringify([...seen])}\n${one.logs().slice(-2000)}`);
    assert.equal((await request(one, 'GET', '/v2/account', { key })).status, 200);
    assert.equal((await request(one, 'GET', '/readyz')).status, 200);
  });

  test('a database that is gone for a while is a 5xx meanwhile, in the usual shape, and found again by itself', async () => {
    const { key } = one.lab.customer;
    const admin = new pg.Client(postgres.url);
    await admin.connect();
    const name = new URL(url).pathname.slice(1);
    await admin.query(`alter database ${pg.escapeIdentifier(name)} with allow_connections false`);
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    // What is remembered of the key lapses.
    await sleep(600);
    for (const [method, path, params] of [
      ['GET', '/v2/account', {}],
      ['POST', '/v2/account/key', { name: 'x', scopes: ['all'] }],
    ] as const) {
      const { status, body } = await request<{ success: boolean; results: number; result: { code: string } }>(
        one,
        method,
        path,
        { key, params },
      );
      assert.ok(status >= 500, String(status));
      assert.deepEqual([body.success, body.results], [false, 0]);
      assert.doesNotMatch(JSON.stringify(body), /postgres|test_|connect|stack/i);
    }
    assert.equal((await request(one, 'GET', '/readyz')).status, 503);
    assert.equal((await request(one, 'GET', '/healthz')).status, 200);
    await admin.query(`alter database ${pg.escapeIdentifier(name)} with allow_connections true`);
    await admin.end();
    assert.equal((await request(one, 'GET', '/readyz')).status, 200);
    assert.equal((await request(one, 'GET', '/v2/account', { key })).status, 200);
    assert.equal(one.process.exitCode, null);
  });
});
