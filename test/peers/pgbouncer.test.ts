// Hostyard behind a PgBouncer in transaction mode, as docs/guides/clusters.md describes it.
import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { before, describe, test } from 'node:test';
import { createContact } from '#test/support/contacts.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { needs } from '#test/support/needs.ts';
import { startPgBouncer } from '#test/support/pgbouncer.ts';
import { startPostgres, type Postgres } from '#test/support/postgres.ts';
import { operatorResult } from '#test/support/operators.ts';
import { request, requestResult } from '#test/support/request.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until } from '#test/support/until.ts';

describe('Hostyard behind PgBouncer in transaction mode', needs('initdb', 'postgres', 'pgbouncer', 'pg_dump'), () => {
  const owned = suiteResources();
  let postgres: Postgres;
  let app: TestApp;
  before(async () => {
    postgres = owned.use(await startPostgres());
    const database = await postgres.createStoreDatabase();
    const { url } = owned.use(await startPgBouncer(database));
    app = owned.use(await openTestApp({ database: `${url}?direct=${new URL(database).host}`, worksOffJobs: true }));
  });

  test('executes many changes at once, each once', async () => {
    const agent = new Agent({ keepAlive: true });
    owned.defer(() => agent.destroy());
    const numbers = Array.from({ length: 60 }, (_, index) => index % 30);
    const responses = await Promise.all(
      numbers.map((number) => createContact(app.url, app.lab.customer.key, number, agent)),
    );
    assert.deepEqual(
      responses.filter((response) => response?.startsWith('200 ') !== true),
      [],
    );
    const { key } = app.lab.customer;
    const contacts = await requestResult<{ firstname: string }[]>(app, 'GET', '/v2/account/contact', { key });
    assert.equal(contacts.filter(({ firstname }) => firstname.startsWith('Nr')).length, 30);
  });

  test('runs jobs', async () => {
    const { key } = app.lab.customer;
    const { vmid } = app.lab.vps;
    await requestResult(app, 'POST', '/vps/reinstall', { key, params: { vmid, template: 'debian-12' } });
    await until(async () => {
      const actions = await requestResult<{ status: string }[]>(app, 'GET', '/v2/action', { key });
      return actions.length > 0 && actions.every(({ status }) => status === 'Completed');
    });
  });

  test('makes backups from PostgreSQL itself', async () => {
    const { file } = await operatorResult<{ file: string }>(app, 'POST', 'backup', {});
    assert.match(file, /tar$/);
    // pg_dump changes settings of its connection, which must not be one of the pool.
    const { key } = app.lab.customer;
    const accounts = Array.from({ length: 20 }, () => request(app, 'GET', '/v2/account/contact', { key }));
    for (const { status } of await Promise.all(accounts)) assert.equal(status, 200);
  });

  test('returns 503 while PostgreSQL is away', async () => {
    await postgres.daemon.stop();
    const { status, body } = await request<{ result: { code: string } }>(app, 'GET', '/v2/account/contact', {
      key: app.lab.customer.key,
    });
    assert.deepEqual([status, body.result.code], [503, 'overloaded']);
  });
});
