// Secrets are planted wherever one can come in, everything is made to fail that can, and then each is searched for, in every form
// that it could have, in all that leaves the process: database, logs, metrics, answers, exports, backups, what the doctor says.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { Check } from 'typebox/schema';
import type { Site } from '#contract/site.ts';
import { HttpUrl } from '#contract/site-systems.ts';
import { makeKeyText } from '#kernel/key-text.ts';
import { ada } from '#test/support/ada.ts';
import { canary, foundIn, plantedIn, secretPlaces } from '#test/support/canaries.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { startPostgres } from '#test/support/postgres.ts';
import { request } from '#test/support/request.ts';
import { startServer, startSite } from '#test/support/server.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const key = makeKeyText();
const keySecret = key.text.split('_')[2]!;
const standardWebhooks = (number: number): string =>
  `whsec_${Buffer.from(canary(number).repeat(4)).toString('base64')}`;
/** Nobody listens there. */
const nowhere = (last: number) => ({ address: `127.0.0.${last}`, port: 9 });

const site: Site = {
  provider: { name: 'Canaries', currency: { code: 'EUR' } },
  servers: [
    {
      name: 'dc01r01ds01',
      bmc: {
        driver: 'ipmi',
        settings: {
          ...nowhere(1),
          username: 'admin',
          password: canary(1),
          kg: canary(2),
          redfish: { ...nowhere(2), username: 'admin', password: canary(3) },
        },
      },
    },
    {
      name: 'dc01r01ds02',
      bmc: { driver: 'redfish', settings: { ...nowhere(3), username: 'admin', password: canary(4) } },
    },
  ],
  switches: [
    {
      name: 'sw1',
      driver: 'snmp',
      settings: { ...nowhere(4), timeoutMs: 50, version: '2c', community: canary(5) },
      ports: [{ ifIndex: 1, service: 1001 }],
    },
    {
      name: 'sw2',
      driver: 'snmp',
      settings: {
        ...nowhere(5),
        timeoutMs: 50,
        version: '3',
        username: 'admin',
        authentication: { protocol: 'SHA', password: canary(6) },
        privacy: { protocol: 'AES', password: canary(7) },
      },
      ports: [{ ifIndex: 1, service: 1002 }],
    },
  ],
  nodes: [
    { name: 'node1', driver: 'lab', settings: { ...nowhere(6), token: canary(8) } },
    {
      name: 'node2',
      driver: 'lxd',
      settings: {
        url: 'https://127.0.0.1:9',
        certificate: '-----BEGIN CERTIFICATE-----',
        key: `-----BEGIN ${canary(9)}`,
        pool: 'default',
      },
    },
  ],
  templates: [{ name: 'Debian', value: 'debian-12', type: 'OpenVZ', source: 'debian/12' }],
  nameserver: {
    names: ['ns1.example.net'],
    powerdns: { url: 'http://127.0.0.1:9', apiKey: canary(11), timeoutSeconds: 1 },
  },
  webhooks: { allow: ['127.0.0.0/8'] },
  licenceHook: { url: 'http://127.0.0.1:9', secret: canary(12) },
  billing: { hooks: [{ name: 'bank', secret: standardWebhooks(13) }] },
  detectors: [
    {
      name: 'watch',
      secret: standardWebhooks(14),
      redis: { url: `redis://:${encodeURIComponent(canary(15))}@127.0.0.1:9`, prefix: 'fastnetmon' },
    },
  ],
  customers: [
    {
      ...ada,
      keys: [{ name: 'own', id: key.printableId, hash: key.secretHash.toString('hex'), scopes: ['all'] }],
    },
  ],
  services: [
    {
      id: 1001,
      customer: 1,
      type: 'dedicated',
      name: 'S',
      hostname: 'a.example.net',
      ip: '203.0.113.10',
      server: 'dc01r01ds01',
    },
    {
      id: 1002,
      customer: 1,
      type: 'dedicated',
      name: 'S',
      hostname: 'b.example.net',
      ip: '203.0.113.11',
      server: 'dc01r01ds02',
    },
    {
      id: 2001,
      customer: 1,
      type: 'vps',
      name: 'V',
      hostname: 'v.example.net',
      ip: '203.0.113.12',
      vmid: 101,
      machine: { vcpus: 1, memoryMb: 512, diskGb: 10, bandwidthGb: 100, template: 'debian-12', node: 'node2' },
    },
  ],
};

/** The same with the built-in name server, which PowerDNS is in the place of. */
const siteOfTransfers: Site = {
  ...site,
  nameserver: {
    names: ['ns1.example.net'],
    listen: '127.0.0.1:0',
    transfer: {
      keys: [{ name: 'key.example.net', algorithm: 'hmac-sha256', secret: Buffer.from(canary(10)).toString('base64') }],
    },
  },
};

const person = {
  firstname: 'Anna',
  lastname: 'Berg',
  address1: 'Street',
  city: 'Lyon',
  state: 'Rhone',
  zipcode: '69003',
  country: 'FR',
};

/** All files of the folder but the key itself, and what the lab's simulators remember in the place of equipment. */
function filesOf(folder: string): [name: string, text: string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^(?:secret\.key|lab)/.test(entry.name))
    .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'latin1')]);
}

/** None of the secrets in any of the texts. */
function assertNowhere(secrets: ReadonlyMap<string, string>, texts: readonly (readonly [string, string])[]): void {
  for (const [name, text] of texts) assert.deepEqual(foundIn(text, secrets), [], name);
}

describe('a secret that was planted', () => {
  test('would be found, whatever was made of it', () => {
    const planted = new Map([['it', canary(1)]]);
    const basic = ['a:', 'ab:', 'abc:'].map((user) => Buffer.from(`${user}${canary(1)}!`).toString('base64'));
    for (const text of [JSON.stringify({ it: canary(1) }), encodeURIComponent(canary(1)), ...basic])
      assert.deepEqual(foundIn(text, planted), ['it'], text);
    assert.deepEqual(foundIn(canary(2), planted), []);
  });

  test('in the URL of an image or a mirror is refused: it would stand in the database as it is', () => {
    for (const url of ['https://anna:secret@example.com/a.iso', 'http://secret@example.com'])
      assert.ok(!Check(HttpUrl, url), url);
    for (const url of ['https://example.com/a.iso?at=a@b', 'http://[::1]:8080/@/x', 'http://example.com'])
      assert.ok(Check(HttpUrl, url), url);
  });

  test('in a site file is found nowhere, whatever fails', async () => {
    const planted = new Map([...plantedIn(site), ...plantedIn(siteOfTransfers)]);
    assert.deepEqual(new Set(planted.keys()), secretPlaces(), 'a secret of the site file without a canary');
    // What a URL or a text around it holds is searched for alone as well.
    for (let number = 1; number <= 15; number++) planted.set(`canary ${number}`, canary(number));
    planted.set('the key', keySecret);
    const sentPassword = canary(16);
    planted.set('a password', sentPassword);
    await using server = await startSite(site, { HOSTYARD_LOG_LEVEL: 'trace' });
    planted.set('the sealing key', readFileSync(join(server.data, 'secret.key'), 'latin1').trim());

    const texts: [string, string][] = [];
    const say = async (
      method: 'GET' | 'POST' | 'PUT' | 'DELETE',
      path: string,
      params: Record<string, unknown> = {},
    ) => {
      const told = await request(server, method, path, {
        key: key.text,
        params,
        headers: { 'idempotency-key': `${method} ${path}`.replaceAll(/[^A-Za-z0-9]/g, '-') },
      });
      texts.push([`${method} ${path}`, JSON.stringify([told.status, told.headers, told.body])]);
      return told;
    };
    const failures = await Promise.all([
      say('POST', '/v2/device/power', { service: 1001, action: 'off' }),
      say('GET', '/v2/device/power/1002'),
      say('POST', '/ipmi/user', { server: 'dc01r01ds01', username: 'anna', action: 'createUser' }),
      say('GET', '/v2/device/console/1001'),
      say('GET', '/v2/network/port/1001'),
      say('GET', '/v2/network/port/1002'),
      say('POST', '/vps/power', { vmid: 101, action: 'on' }),
      say('POST', '/v2/dns/domain', { domain: 'example.org' }),
      say('POST', '/v2/session', { email: ada.email, password: sentPassword }),
      say('POST', '/v2/account/contact', {
        ...person,
        email: 'anna@example.com',
        password: sentPassword,
        wrong: sentPassword,
      }),
      say('POST', `/nowhere/${encodeURIComponent(sentPassword)}`),
      say('GET', `/v2/account?password=${encodeURIComponent(sentPassword)}&key=${key.text}`),
      say('POST', '/v2/session', { email: sentPassword, password: sentPassword }),
      request(server, 'POST', '/v2/account/contact', {
        key: key.text,
        form: { password: sentPassword },
        headers: { 'content-type': 'application/json' },
      }),
      say('POST', '/hooks/detector/watch', { wrong: true }),
      say('POST', '/hooks/payments/bank', { wrong: true }),
    ]);
    assert.ok(
      failures.every(({ status }) => status >= 400),
      JSON.stringify(failures.map(({ status }) => status)),
    );
    assert.equal(
      (await say('POST', '/v2/account/contact', { ...person, email: 'b@example.com', password: sentPassword })).status,
      200,
    );
    for (const path of [
      '/v2/account/audit',
      '/v2/event',
      '/v2/action',
      '/v2/device/list',
      '/healthz',
      '/readyz',
      '/docs',
    ])
      await say('GET', path);

    const env = {
      ...process.env,
      HOSTYARD_DATA: server.data,
      NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compile'),
    };
    /** The doctor's status is that of what it finds, which is not the point here. */
    const command = async (statuses: readonly number[], ...args: string[]): Promise<void> => {
      const told = await run(process.execPath, ['bin/hostyard.js', ...args], { cwd: root, env }).then(
        (ran) => ({ ...ran, code: 0 }),
        (error: { code: number; stdout: string; stderr: string }) => error,
      );
      assert.ok(statuses.includes(told.code), `hostyard ${args[0]}: ${told.stdout}${told.stderr}`);
      texts.push([`hostyard ${args[0]}`, told.stdout + told.stderr]);
    };
    const params = { url: 'http://127.0.0.1:9/' };
    const webhook = await request<{ result: { secret: string } }>(server, 'POST', '/v2/account/webhook', {
      key: key.text,
      params,
      headers: { 'idempotency-key': 'webhook' },
    });
    planted.set('the secret of a webhook', webhook.body.result.secret);
    await say('POST', '/v2/account/contact', { ...person, email: 'c@example.com', password: sentPassword });

    await using folder = await temporaryFolder('canaries');
    const file = join(folder.path, 'site.yaml');
    writeFileSync(file, JSON.stringify(siteOfTransfers), { mode: 0o600 });
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
    assertNowhere(planted, texts);
  });

  test('in an answer is found nowhere else', needs('initdb', 'postgres', 'pg_dump'), async () => {
    await using postgres = await startPostgres();
    const database = await postgres.createDatabase();
    await using server = await startServer({ database, env: { HOSTYARD_LOG_LEVEL: 'trace' } });
    const { customer, operator, dedicated, vps } = server.lab;
    const told = new Map<string, string>();
    /** What an answer tells that must be kept: whatever it calls a secret, or is itself. */
    const tell = async (
      method: 'GET' | 'POST' | 'PUT',
      path: string,
      params: Record<string, unknown>,
      by = customer.key,
    ) => {
      const { status, body } = await request<{ result: unknown }>(server, method, path, {
        key: by,
        params,
        headers: { 'idempotency-key': path },
      });
      assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
      const result = typeof body.result === 'string' ? { password: body.result } : body.result;
      const secrets = Object.entries(result as Record<string, string>).filter(([name]) =>
        /^(?:key|secret|password|pass|ticket)$/.test(name),
      );
      assert.notDeepEqual(secrets, [], `${path} tells no secret: ${JSON.stringify(body.result)}`);
      for (const [name, value] of secrets)
        told.set(`${name} of ${path}`, name === 'key' ? value.split('_')[2]! : value);
      return body.result as Record<string, string>;
    };
    await tell('POST', '/v2/account/key', { name: 'canary', scopes: ['dns:read'] });
    await tell('POST', '/ipmi/user', { server: dedicated.server, username: 'anna', action: 'createUser' });
    const session = await tell('POST', '/v2/session', { email: customer.email, password: customer.password });
    await tell('POST', '/v2/session/totp', {}, session['key']);
    await tell('POST', '/operator/operator', { name: 'canary', role: 'support' }, operator.key);
    await tell('POST', '/v2/device/console', { service: dedicated.service });
    await tell('GET', `/v2/device/console/${vps.service}`, {});
    await tell('POST', '/v2/device/password', { service: vps.service });
    told.set('the password of the customer', customer.password);
    told.set('the key of the customer', customer.key.split('_')[2]!);
    told.set('the key of the operator', operator.key.split('_')[2]!);
    told.set('the password of the controller', dedicated.bmc.password);
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
    const dump = await run('pg_dump', [database], { maxBuffer: 2 ** 28 });
    assert.match(dump.stdout, /COPY public\.keys/);
    texts.push(['the dump of the database', dump.stdout]);
    await server.kill('SIGTERM');
    told.set('the sealing key', readFileSync(join(server.data, 'secret.key'), 'latin1').trim());
    // The banner of the lab shows its key, on purpose.
    const logged = server
      .logs()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    texts.push(['the log', logged.join('\n')], ...filesOf(server.data));
    assertNowhere(told, texts);
  });
});
