// Two servers on one PostgreSQL, and a PostgreSQL that goes away and comes back.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { dig } from '#drivers/dns/conformance.ts';
import { createContact } from '#test/support/contacts.ts';
import { dnsCalls, untilAnswered } from '#test/support/dns-fixtures.ts';
import { needs } from '#test/support/needs.ts';
import { startPostgres, type Postgres } from '#test/support/postgres.ts';
import { createKey, request } from '#test/support/request.ts';
import { startServer, type Server } from '#test/support/server.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until } from '#test/support/until.ts';

describe('two servers on one PostgreSQL', needs('initdb', 'postgres', 'dig'), () => {
  const owned = suiteResources();
  let postgres: Postgres;
  let first: Server;
  let other: Server;
  let url: string;
  before(async () => {
    postgres = owned.use(await startPostgres());
    url = await postgres.createStoreDatabase();
    first = owned.use(await startServer({ database: url }));
    // The second uses the first one's sealing key, as the instances of a cluster do.
    other = owned.use(
      await startServer({ database: url, env: { HOSTYARD_SEALING_KEY_FILE: `${first.data}/secret.key` } }),
    );
  });

  test('a key revoked on one is rejected by the other within a second', async () => {
    const { key } = first.lab.customer;
    for (let round = 0; round < 3; round++) {
      const { id, key: short } = await createKey(first, key, { scopes: ['all'] });
      const status = async () => (await request(other, 'GET', '/v2/account', { key: short })).status;
      assert.equal(await status(), 200);
      await request(first, 'DELETE', '/v2/account/key', { key, params: { id } });
      // Every response to a request from a second later on must be a rejection; earlier ones depend on the machine's
      // load.
      await sleep(1000);
      assert.equal(await status(), 401);
    }
  });

  test('a change of a zone made on one is answered by the other', async () => {
    const { add, makeZone } = dnsCalls(first, first.lab.customer.key);
    const zone = await makeZone('both.example.org');
    await add(zone, 'www.both.example.org', 'A', '192.0.2.7');
    await untilAnswered(() => dig(other.lab.dns, 'www.both.example.org', 'A'), ['192.0.2.7']);
  });

  test('one Idempotency-Key on both at once creates one contact', async () => {
    const agent = new Agent({ keepAlive: true });
    const { key } = first.lab.customer;
    const calls = Array.from({ length: 200 }, (_, index) =>
      createContact((index % 2 === 0 ? first : other).url, key, 7, agent),
    );
    const statuses = new Set(await Promise.all(calls));
    agent.destroy();
    assert.equal(statuses.size, 1, [...statuses].slice(0, 3).join('\n'));
    assert.match([...statuses][0] ?? '', /^200 /);
  });

  test('a database whose connections are cut is used again, and every request gets a response', async () => {
    const { key } = first.lab.customer;
    const agent = new Agent({ keepAlive: true });
    const cut = new AbortController();
    let next = 1000;
    const statusCounts = new Map<string, number>();
    const load = Array.from({ length: 4 }, async () => {
      while (!cut.signal.aborted) {
        const response = await createContact(first.url, key, next++, agent);
        const status = response?.slice(0, 3) ?? 'none';
        statusCounts.set(status, (statusCounts.get(status) ?? 0) + 1);
        if (response !== undefined && status !== '200') {
          const body = JSON.parse(response.slice(4)) as {
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
    assert.equal(
      statusCounts.get('none') ?? 0,
      0,
      `${JSON.stringify([...statusCounts])}\n${first.logs().slice(-2000)}`,
    );
    assert.equal((await request(first, 'GET', '/v2/account', { key })).status, 200);
    assert.equal((await request(first, 'GET', '/readyz')).status, 200);
  });

  test('an unavailable database is a 5xx in the usual shape, and is found again when it is back', async () => {
    const { key } = first.lab.customer;
    const admin = new pg.Client(postgres.url);
    await admin.connect();
    const name = new URL(url).pathname.slice(1);
    await admin.query(`alter database ${pg.escapeIdentifier(name)} with allow_connections false`);
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    // The cached key expires.
    await sleep(600);
    for (const [method, path, params] of [
      ['GET', '/v2/account', {}],
      ['POST', '/v2/account/key', { name: 'x', scopes: ['all'] }],
    ] as const) {
      const { status, body } = await request<{ success: boolean; results: number; result: { code: string } }>(
        first,
        method,
        path,
        { key, params },
      );
      assert.ok(status >= 500, String(status));
      assert.deepEqual([body.success, body.results], [false, 0]);
      assert.doesNotMatch(JSON.stringify(body), /postgres|test_|connect|stack/i);
    }
    assert.equal((await request(first, 'GET', '/readyz')).status, 503);
    assert.equal((await request(first, 'GET', '/healthz')).status, 200);
    for (const { lab } of [first, other])
      assert.deepEqual(await dig(lab.dns, 'www.both.example.org', 'A'), ['192.0.2.7']);
    await admin.query(`alter database ${pg.escapeIdentifier(name)} with allow_connections true`);
    await admin.end();
    await until(async () => (await request(first, 'GET', '/readyz')).status === 200);
    assert.equal((await request(first, 'GET', '/v2/account', { key })).status, 200);
    const { add, makeZone } = dnsCalls(first, key);
    await add(await makeZone('back.example.org'), 'www.back.example.org', 'A', '192.0.2.8');
    await untilAnswered(() => dig(other.lab.dns, 'www.back.example.org', 'A'), ['192.0.2.8']);
    assert.equal(first.process.exitCode, null);
  });
});
