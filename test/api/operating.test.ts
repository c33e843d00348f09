// Hostyard as its operator sees it: health, metrics, the site file and the lab's files.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import SQLite from 'better-sqlite3';
import { operatorResult } from '#test/support/operators.ts';
import { request, requestResult } from '#test/support/request.ts';
import { startServer, type Server } from '#test/support/server.ts';
import { freePort } from '#test/support/ports.ts';

const root = join(import.meta.dirname, '..', '..');

/** Runs a server that is expected to exit with an error. */
async function failToStart(env: Record<string, string>): Promise<string> {
  const settings = { ...process.env, HOSTYARD_LISTEN: '127.0.0.1:0', ...env };
  try {
    await promisify(execFile)(process.execPath, ['src/main.ts'], { cwd: root, env: settings, timeout: 60_000 });
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    assert.equal(code, 1);
    return stderr;
  }
  throw new Error('it exited successfully');
}

/** Returns the addresses that the customer's keys were last used from, according to a call with these headers. */
async function addressesOfKeys(server: Server, headers: Record<string, string>): Promise<string[]> {
  const { key } = server.lab.customer;
  const keys = await requestResult<{ lastaddress: string }[]>(server, 'GET', '/v2/account/key', { key, headers });
  return keys.map(({ lastaddress }) => lastaddress).filter(Boolean);
}

/** Returns what is in lab.json, without ports: while the server restarts, another test may take one of them. */
function readLab(folder: string): Record<string, unknown> {
  const isPort = (name: string) => /^(port|ports|webPort|url)$/.test(name);
  const text = readFileSync(join(folder, 'lab.json'), 'utf8');
  return JSON.parse(text, (name, value: unknown) => (isPort(name) ? undefined : value)) as Record<string, unknown>;
}

describe('a running server', () => {
  let server: Server;
  let metricsPort: number;
  before(async () => {
    metricsPort = await freePort();
    server = await startServer({
      env: { HOSTYARD_METRICS_LISTEN: `127.0.0.1:${metricsPort}`, HOSTYARD_LOG_LEVEL: 'trace' },
    });
  });
  after(() => server[Symbol.asyncDispose]());

  test('reports that it is alive and ready', async () => {
    assert.deepEqual((await request(server, 'GET', '/healthz')).body, { status: 'ok' });
    assert.deepEqual((await request(server, 'GET', '/readyz')).body, { status: 'ready' });
  });

  test('shows its metrics to an operator, and on a separate listener to anyone who can reach it', async () => {
    assert.equal((await request(server, 'GET', '/metrics')).status, 401);
    assert.equal((await request(server, 'GET', '/metrics', { key: server.lab.customer.key })).status, 403);
    const { status, body } = await request<string>(server, 'GET', '/metrics', { key: server.lab.operator.key });
    assert.equal(status, 200);
    assert.match(body, /hostyard_http_request_seconds/);
    const open = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    assert.equal(open.status, 200);
    assert.match(await open.text(), /process_cpu_seconds_total/);
    assert.equal((await fetch(`http://127.0.0.1:${metricsPort}/v2/account`)).status, 404);
  });

  test('trusts no proxy that is not configured', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.77' };
    assert.deepEqual(await addressesOfKeys(server, headers), ['127.0.0.1']);
  });

  test('is alone on its data folder', async () => {
    // The database is not touched before that is known: a newer version would migrate it.
    const database = new SQLite(join(server.data, 'hostyard.sqlite'));
    database.exec("insert into migrations (name) values ('9999-later')");
    const output = await failToStart({ HOSTYARD_DATA: server.data });
    database.exec("delete from migrations where name = '9999-later'");
    database.close();
    assert.match(output, /another Hostyard server is using this data folder/);
    assert.equal((await request(server, 'GET', '/readyz')).status, 200);
  });

  test('lets the customer of the lab order a machine at once, although an invoice is overdue', async () => {
    const { key } = server.lab.customer;
    const overdue = await request<{ results: number }>(server, 'GET', '/v2/account/invoice', {
      key,
      params: { status: 'Overdue' },
    });
    assert.equal(overdue.body.results, 1);
    const { obstacle } = await requestResult<{ obstacle: string }>(server, 'GET', '/v2/machine/options', { key });
    assert.equal(obstacle, '');
  });

  test('keeps the lab unchanged across restarts, readable by its owner only', async () => {
    const lab = readLab(server.data);
    for (const name of ['lab.env', 'lab.json', 'lab.yaml', 'secret.key'])
      assert.equal(statSync(join(server.data, name)).mode & 0o777, 0o600, name);
    const key = server.lab.customer.key;
    const contacts = () => request<{ result: { id: string }[] }>(server, 'GET', '/v2/account/contact', { key });
    const [first] = (await contacts()).body.result;
    await request(server, 'DELETE', '/v2/account/contact', { key, params: { id: first!.id } });
    const left = (await contacts()).body;
    const { account } = server.lab.customer;
    await operatorResult(server, 'POST', 'dunning/resume', { account, reason: 'They pay no more' });
    await server.restart();
    assert.deepEqual((await contacts()).body, left, 'a deleted contact stays deleted');
    assert.equal((await operatorResult<{ held: string }>(server, 'GET', 'dunning', { account })).held, '0');
    assert.deepEqual(readLab(server.data), lab);
    const signIns = { '/v2/session': lab['colleague'], '/operator/session': lab['staff'] };
    for (const [path, params] of Object.entries(signIns)) {
      const { status } = await request(server, 'POST', path, { params: params as Record<string, unknown> });
      assert.equal(status, 200, path);
    }
    const invoices = await request<{ results: number }>(server, 'GET', '/v2/account/invoice', { key });
    assert.equal(invoices.body.results, 4);
  });

  test('reports all problems of a site file at once, each with its position', async () => {
    const folder = server.data;
    const bad = join(folder, 'bad.yaml');
    writeFileSync(
      bad,
      'provider:\n  name: Test\n  currency: { code: euro }\ncustomers:\n  - id: one\n    colour: red\n',
    );
    const output = await failToStart({ HOSTYARD_DATA: join(folder, 'other'), HOSTYARD_SITE: bad });
    for (const path of [
      'bad.yaml:3:',
      'bad.yaml:5:',
      'bad.yaml:6:5: colour is not a known field here',
      'firstname is missing',
    ])
      assert.ok(output.includes(path), `${path} in:\n${output}`);
    assert.doesNotMatch(output, /^\s+at /m);
  });
});

describe('a server behind a proxy', () => {
  test("takes the caller's address from the configured proxy's header", async () => {
    await using server = await startServer({ env: { HOSTYARD_TRUSTED_PROXIES: '127.0.0.1' } });
    const headers = { 'x-forwarded-for': '203.0.113.200, 198.51.100.77' };
    assert.deepEqual(
      await addressesOfKeys(server, headers),
      ['198.51.100.77'],
      'the last hop that is not ours, not what the caller made up',
    );
  });

  test('reports all problems of its settings at once', async () => {
    const output = await failToStart({
      HOSTYARD_LISTEN: '127.0.0.1:99999',
      HOSTYARD_DATABASE: 'mysql://x',
      HOSTYARD_TRUSTED_PROXIES: 'proxy.example.com',
      HOSTYARD_LOG_LEVEL: 'loud',
      HOSTYARD_METRICS_LISTEN: 'x:y:z',
      HOSTYARD_SEALING_KEY_FILE: '/nowhere',
    });
    for (const name of ['LISTEN', 'DATABASE', 'TRUSTED_PROXIES', 'LOG_LEVEL', 'METRICS_LISTEN', 'SEALING_KEY_FILE'])
      assert.ok(output.includes(`HOSTYARD_${name}`), `${name} in:\n${output}`);
  });
});
