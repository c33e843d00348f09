// Plants secrets wherever one can come in, makes everything fail that can, and then searches for each, in every form,
// in all that leaves the process: database, logs, metrics, responses, exports, backups, and the doctor's output.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import SQLite from 'better-sqlite3';
import { Check } from 'typebox/schema';
import { HttpUrl } from '#contract/site/systems.ts';
import { sqliteName } from '#store/location.ts';
import { ada } from '#test/support/customer-fixture.ts';
import { anna } from '#test/support/contacts.ts';
import { canary, findSecrets, secretsOf, secretPaths } from '#test/support/canaries.ts';
import { canaryDkimKey, canaryKey, canarySite, canaryTransferSite } from '#test/support/canary-site.ts';
import { watchConsoleAt } from '#test/support/console.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { notDurable, startPostgres } from '#test/support/postgres.ts';
import { request, requestResult } from '#test/support/request.ts';
import { startServer, startSite, type Server } from '#test/support/server.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');

/**
 * All files of the folder, except the key itself and the state of the lab's simulators, which stand in for equipment.
 */
function filesOf(folder: string): [name: string, text: string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^(?:secret\.key|lab)/.test(entry.name))
    .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'latin1')]);
}

/** Asserts that none of the texts contains any of the secrets. */
function assertNowhere(secrets: ReadonlyMap<string, string>, texts: readonly (readonly [string, string])[]): void {
  for (const [name, text] of texts) assert.deepEqual(findSecrets(text, secrets), [], name);
}

describe('a planted secret', () => {
  test('would be found in any form', () => {
    const canaries = new Map([['it', canary(1)]]);
    const basic = ['a:', 'ab:', 'abc:'].map((user) => Buffer.from(`${user}${canary(1)}!`).toString('base64'));
    for (const text of [JSON.stringify({ it: canary(1) }), encodeURIComponent(canary(1)), ...basic])
      assert.deepEqual(findSecrets(text, canaries), ['it'], text);
    assert.deepEqual(findSecrets(canary(2), canaries), []);
  });

  test('in the URL of an image or a mirror is rejected, because it would be stored in clear text', () => {
    for (const url of ['https://anna:secret@example.com/a.iso', 'http://secret@example.com'])
      assert.ok(!Check(HttpUrl, url), url);
    for (const url of ['https://example.com/a.iso?at=a@b', 'http://[::1]:8080/@/x', 'http://example.com'])
      assert.ok(Check(HttpUrl, url), url);
  });

  test('in a site file leaks nowhere, whatever fails', async () => {
    const canaries = new Map([...secretsOf(canarySite), ...secretsOf(canaryTransferSite)]);
    assert.deepEqual(new Set(canaries.keys()), secretPaths(), 'a secret of the site file without a canary');
    // Secrets inside URLs or longer texts are searched for on their own as well.
    for (let number = 1; number <= 15; number++) canaries.set(`canary ${number}`, canary(number));
    canaries.set('the key', canaryKey.text.split('_')[2]!);
    // Of several lines, one is enough to find it.
    canaries.set('the DKIM key', canaryDkimKey.split('\n')[3]!);
    const sentPassword = canary(16);
    canaries.set('a password', sentPassword);
    await using server = await startSite(canarySite, { HOSTYARD_LOG_LEVEL: 'trace' });
    canaries.set('the sealing key', readFileSync(join(server.data, 'secret.key'), 'latin1').trim());

    const texts: [string, string][] = [];
    const send = async (
      method: 'GET' | 'POST' | 'PUT' | 'DELETE',
      path: string,
      params: Record<string, unknown> = {},
    ) => {
      const response = await request(server, method, path, {
        key: canaryKey.text,
        params,
        headers: { 'idempotency-key': `${method} ${path}`.replaceAll(/[^A-Za-z0-9]/g, '-') },
      });
      texts.push([`${method} ${path}`, JSON.stringify([response.status, response.headers, response.body])]);
      return response;
    };
    const failures = await Promise.all([
      send('POST', '/v2/device/power', { service: 1001, action: 'off' }),
      send('GET', '/v2/device/power/1002'),
      send('POST', '/ipmi/user', { server: 'dc01r01ds01', username: 'anna', action: 'createUser' }),
      send('GET', '/v2/device/console/1001'),
      send('GET', '/v2/network/port/1001'),
      send('GET', '/v2/network/port/1002'),
      send('POST', '/vps/power', { vmid: 101, action: 'on' }),
      send('POST', '/v2/dns/domain', { domain: 'example.org' }),
      send('POST', '/v2/session', { email: ada.email, password: sentPassword }),
      send('POST', '/v2/account/contact', { ...anna, password: sentPassword, wrong: sentPassword }),
      send('POST', `/nowhere/${encodeURIComponent(sentPassword)}`),
      send('GET', `/v2/account?password=${encodeURIComponent(sentPassword)}&key=${canaryKey.text}`),
      send('POST', '/v2/session', { email: sentPassword, password: sentPassword }),
      request(server, 'POST', '/v2/account/contact', {
        key: canaryKey.text,
        form: { password: sentPassword },
        headers: { 'content-type': 'application/json' },
      }),
      send('POST', '/hooks/detector/watch', { wrong: true }),
      send('POST', '/hooks/payments/bank', { wrong: true }),
    ]);
    assert.ok(
      failures.every(({ status }) => status >= 400),
      JSON.stringify(failures.map(({ status }) => status)),
    );
    const second = { ...anna, email: 'b@example.com', password: sentPassword };
    assert.equal((await send('POST', '/v2/account/contact', second)).status, 200);
    for (const path of [
      '/v2/account/audit',
      '/v2/event',
      '/v2/action',
      '/v2/device/list',
      '/healthz',
      '/readyz',
      '/docs',
    ])
      await send('GET', path);

    const env = {
      ...process.env,
      HOSTYARD_DATA: server.data,
      NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compile'),
    };
    /** The doctor's exit code depends on its findings, which do not matter here. */
    const command = async (statuses: readonly number[], ...args: string[]): Promise<void> => {
      const output = await run(process.execPath, ['bin/hostyard.js', ...args], { cwd: root, env }).then(
        (ran) => ({ ...ran, code: 0 }),
        (error: { code: number; stdout: string; stderr: string }) => error,
      );
      assert.ok(statuses.includes(output.code), `hostyard ${args[0]}: ${output.stdout}${output.stderr}`);
      texts.push([`hostyard ${args[0]}`, output.stdout + output.stderr]);
    };
    const { secret } = await requestResult<{ secret: string }>(server, 'POST', '/v2/account/webhook', {
      key: canaryKey.text,
      params: { url: 'http://127.0.0.1:9/' },
      headers: { 'idempotency-key': 'webhook' },
    });
    canaries.set('the secret of a webhook', secret);
    await send('POST', '/v2/account/contact', { ...anna, email: 'c@example.com', password: sentPassword });

    await using folder = await temporaryFolder('canaries');
    const file = join(folder.path, 'site.yaml');
    writeFileSync(file, JSON.stringify(canaryTransferSite), { mode: 0o600 });
    const backup = join(folder.path, 'backup');
    await server.kill('SIGTERM');
    await command([1], 'diff', file);
    await command([0], 'apply', file);
    await Promise.all([command([0], 'export'), command([0, 1], 'doctor'), command([0], 'backup', backup)]);
    texts.push(['the log', server.logs()], ...filesOf(server.data), [
      'the backup',
      readFileSync(join(folder.path, 'backup'), 'latin1'),
    ]);
    assert.match(server.logs(), /"level":(?:40|50)/, 'nothing failed that is worth a line');
    assertNowhere(canaries, texts);
  });

  test('in a response leaks nowhere else', needs('initdb', 'postgres', 'pg_dump'), async () => {
    await using postgres = await startPostgres(notDurable);
    const database = await postgres.createStoreDatabase();
    await using server = await startServer({ database, env: { HOSTYARD_LOG_LEVEL: 'trace' } });
    const { customer, operator, dedicated, vps } = server.lab;
    const returnedSecrets = new Map<string, string>();
    /** Collects the secrets in a response: every field that is called one, or the response itself. */
    const collect = async (
      method: 'GET' | 'POST' | 'PUT',
      path: string,
      params: Record<string, unknown>,
      by = customer.key,
    ) => {
      const options = { key: by, params, headers: { 'idempotency-key': path } };
      const result = await requestResult<string | Record<string, string>>(server, method, path, options);
      const fields = typeof result === 'string' ? { password: result } : result;
      const secrets = Object.entries(fields).filter(([name]) => /^(?:key|secret|password|pass|ticket)$/.test(name));
      assert.notDeepEqual(secrets, [], `${path} returns no secret: ${JSON.stringify(result)}`);
      for (const [name, value] of secrets)
        returnedSecrets.set(`${name} of ${path}`, name === 'key' ? value.split('_')[2]! : value);
      return fields;
    };
    await collect('POST', '/v2/account/key', { name: 'canary', scopes: ['dns:read'] });
    await collect('POST', '/ipmi/user', { server: dedicated.server, username: 'anna', action: 'createUser' });
    const session = await collect('POST', '/v2/session', { email: customer.email, password: customer.password });
    await collect('POST', '/v2/session/totp', { password: customer.password }, session['key']);
    await collect('POST', '/operator/operator', { name: 'canary', role: 'support' }, operator.key);
    await collect('POST', '/v2/device/console', { service: dedicated.service });
    await collect('GET', `/v2/device/console/${vps.service}`, {});
    await collect('POST', '/v2/device/password', { service: vps.service });
    await printOnConsole(server, canary(17));
    returnedSecrets.set('output of the serial console', canary(17));
    returnedSecrets.set('the password of the customer', customer.password);
    returnedSecrets.set('the key of the customer', customer.key.split('_')[2]!);
    returnedSecrets.set('the key of the operator', operator.key.split('_')[2]!);
    returnedSecrets.set('the password of the controller', dedicated.bmc.password);
    const texts: [string, string][] = [];
    for (const path of [
      '/v2/account/audit',
      '/v2/event',
      '/v2/action',
      '/v2/account/key',
      '/v2/account/webhook',
      '/v2/session',
    ])
      texts.push([path, JSON.stringify((await request(server, 'GET', path, { key: customer.key })).body)]);
    for (const path of ['/operator/audit', '/operator/operator', '/operator/job', '/metrics'])
      texts.push([path, JSON.stringify((await request(server, 'GET', path, { key: operator.key })).body)]);
    await server.kill('SIGTERM');
    const dump = await run('pg_dump', [database], { maxBuffer: 2 ** 28 });
    assert.match(dump.stdout, /COPY public\.keys/);
    assert.match(dump.stdout, /COPY public\.serial_output .*\n\S+\t\d+\t1001\t\d+\t\\\\x[0-9a-f]{50}/);
    texts.push(['the dump of the database', dump.stdout]);
    returnedSecrets.set('the sealing key', readFileSync(join(server.data, 'secret.key'), 'latin1').trim());
    // The lab's banner shows its key on purpose.
    const logged = server
      .logs()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    texts.push(['the log', logged.join('\n')], ...filesOf(server.data));
    assertNowhere(returnedSecrets, texts);
  });

  test('on a serial console is sealed in the database file', async () => {
    await using server = await startServer();
    await printOnConsole(server, canary(17));
    await server.kill('SIGTERM');
    const database = new SQLite(join(server.data, sqliteName), { readonly: true });
    const output = database.prepare('select output from serial_output where service_id = 1001').pluck().get() as Buffer;
    database.close();
    assert.ok(output.length > canary(17).length);
    assertNowhere(new Map([['output', canary(17)]]), filesOf(server.data));
  });
});

/** Types a text into the lab server's login prompt, which echoes it. */
async function printOnConsole({ url, lab }: Server, text: string): Promise<void> {
  const params = { service: lab.dedicated.service };
  const ticket = requestResult<{ url: string }>({ url }, 'POST', '/v2/device/console', {
    key: lab.customer.key,
    params,
  });
  await using viewer = await watchConsoleAt(url, (await ticket).url);
  viewer.type('\r');
  await viewer.shows('login: ');
  viewer.type(`${text}\r`);
  await viewer.shows(text);
}
