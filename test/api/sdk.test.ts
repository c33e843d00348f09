// The SDK against a running server, on both engines, also while the network fails.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { applySite } from '#app/site/apply.ts';
import { createClient as createLegacyClient } from '#sdk/legacy.ts';
import { createClient as createOperatorClient } from '#sdk/operator.ts';
import { createClient, HostyardError, type Client } from '#sdk/v2.ts';
import { anna as contact } from '#test/support/contacts.ts';
import { startCuttingProxy } from '#test/support/cutting-proxy.ts';
import { request } from '#test/support/request.ts';
import { until } from '#test/support/until.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';

const retry = { firstDelayMs: 5 };

async function errorOf(call: Promise<unknown>): Promise<HostyardError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof HostyardError, `was not rejected: ${String(error)}`);
  return error;
}

describeOnEngines('the SDK', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  let client: Client;
  before(async () => {
    app = await openApp({ worksOffJobs: true });
    client = createClient({ url: app.url, key: app.lab.customer.key });
  });

  test('reads an account, and is rejected with a wrong password', async () => {
    const account = await client.accountGet();
    assert.equal(account.id, app.lab.customer.account);
    const visitor = createClient({ url: app.url });
    const wrong = await errorOf(visitor.sessionCreate({ email: account.email, password: 'not this one' }));
    assert.deepEqual([wrong.status, wrong.code], [401, 'unauthenticated']);
  });

  test('power-cycles a server and follows the action until it has ended', async () => {
    const done = client.devicePowerSet({ service: '1001', action: 'cycle' });
    const running = async () => (await client.actionList({ service: 1001 }))[0];
    await until(async () => (await running()) !== undefined);
    const ids: string[] = [];
    for await (const step of client.follow((await running())!)) ids.push(step.status);
    assert.equal(ids.at(-1), 'Completed');
    assert.equal(await done, 'Chassis Power Control: Cycle');
    assert.equal(await client.devicePowerGet({ service: 1001 }), 'on');
  });

  test('creates a zone and records, reads them in pages of two and deletes them', async () => {
    const domain = await client.zoneCreate({ domain: 'sdk.example.com' });
    for (const host of ['a', 'b', 'c'])
      await client.recordCreate({ domain, record: `${host}.sdk.example.com`, type: 'A', content: '192.0.2.1' });
    const records = await client.recordList({ domain });
    const paged = [];
    for await (const record of client.each.recordList({ domain, limit: 2 })) paged.push(record);
    assert.deepEqual(paged, records);
    const added = paged.filter(({ type }) => type === 'A');
    assert.deepEqual(
      added.map(({ name }) => name).sort(),
      ['a', 'b', 'c'].map((host) => `${host}.sdk.example.com`),
    );
    assert.match(await client.recordDelete({ domain, record: added[0]!.id }), /^ID: [0-9]+ removed$/);
    await client.zoneDelete({ domain });
    assert.equal((await errorOf(client.recordList({ domain }))).code, 'not_found');
  });

  test('iterates over pages of events without gaps or duplicates', async () => {
    const ids = [];
    for await (const event of client.each.eventLogGet({ limit: 2 })) ids.push(event.id);
    const { events } = await client.eventLogGet({ limit: 1000 });
    assert.ok(ids.length > 4, `only ${ids.length} events`);
    assert.deepEqual(
      ids,
      // More may have happened since.
      events.slice(0, ids.length).map(({ id }) => id),
    );
  });

  test('receives events as they happen, even after its connection broke', async () => {
    await using proxy = await startCuttingProxy(app);
    const listener = createClient({ url: proxy.url, key: app.lab.customer.key, retry });
    const { cursor } = await client.eventLogGet({ limit: 1000 });
    const hear = new AbortController();
    const types: string[] = [];
    const listening = (async () => {
      for await (const event of listener.events({ after: cursor, type: ['contact.created'] }, { signal: hear.signal }))
        types.push((event.data as { contactid: string }).contactid);
    })().catch((error: unknown) => assert.equal(error, hear.signal.reason));
    const names: string[] = [];
    for (const cutNext of [false, true, false]) {
      if (cutNext) proxy.cut(1, 'contact.created');
      names.push((await client.contactCreate({ ...contact, email: `${names.length}@example.com` })).contactid);
      await until(() => types.length === names.length, {
        saw: () => ({ types, names, cuts: proxy.cuts }),
      });
    }
    assert.equal(proxy.cuts, 1);
    assert.deepEqual(types, names);
    hear.abort();
    await listening;
  });

  test('retries a change whose response was lost, and the change happens once', async () => {
    await using proxy = await startCuttingProxy(app);
    const unlucky = createClient({ url: proxy.url, key: app.lab.customer.key, retry });
    const before = (await client.contactGet()).length;
    proxy.cut(2);
    const { contactid } = await unlucky.contactCreate(contact);
    assert.equal(proxy.cuts, 2);
    const contacts = await client.contactGet();
    assert.equal(contacts.length, before + 1);
    assert.equal(contacts.at(-1)!.id, contactid);
  });

  test('never retries a sign-in, nor a call with retries disabled', async () => {
    await using proxy = await startCuttingProxy(app);
    proxy.cut(10);
    const once = createClient({ url: proxy.url, key: app.lab.customer.key, retry: { attempts: 1 } });
    const lost = await errorOf(once.accountGet());
    assert.deepEqual([lost.status, lost.code, proxy.cuts], [0, 'connection_failed', 1]);
    const visitor = createClient({ url: proxy.url, retry });
    assert.equal((await errorOf(visitor.sessionCreate({ email: 'x@example.net', password: 'x' }))).status, 0);
    assert.equal(proxy.cuts, 2);
    proxy.cut(0);
  });

  test('reports errors with a code, a reason per parameter and the request id', async () => {
    const stranger = createClient({ url: app.url, key: 'hy_no_such_key' });
    const unknown = await errorOf(stranger.accountGet());
    assert.deepEqual([unknown.status, unknown.code], [401, 'unauthenticated']);
    assert.match(unknown.requestId ?? '', /^[0-9a-f]{16}-/);
    const impossible = await errorOf(client.deviceReloadStatus({ service: app.lab.vps.service }));
    assert.deepEqual([impossible.status, impossible.code], [422, 'capability_missing']);
    const wrong = await errorOf(client.devicePowerSet({ service: 'x', action: 'on' }));
    assert.deepEqual([wrong.status, Object.keys(wrong.errors)], [400, ['service']]);
    const other = { service: 1001, action: 'on' } as const;
    await client.devicePowerSet(other, { idempotencyKey: 'sdk-1' });
    const mismatch = await errorOf(client.devicePowerSet({ ...other, action: 'cycle' }, { idempotencyKey: 'sdk-1' }));
    assert.equal(mismatch.code, 'idempotency_mismatch');
  });

  test('calls the legacy API and adds the error codes that its envelope lacks', async () => {
    const legacy = createLegacyClient({ url: app.url, key: app.lab.customer.key });
    assert.equal(await legacy.balanceGet(), await client.balanceGet());
    const { vmid } = app.lab.vps;
    assert.equal((await legacy.vpsGet({ vmid })).vmid, vmid);
    assert.equal(await legacy.ipmiPowerSet({ server: app.lab.dedicated.server, action: 'checkOn' }), 'true');
    const zone = await legacy.zoneCreate({ name: 'old.example.com' });
    const record = await legacy.recordCreate({ domain_id: zone, name: '@', type: 'A', content: '192.0.2.9' });
    const records = await legacy.recordList({ domain_id: zone });
    assert.equal(records.find(({ id }) => id === record)?.content, '192.0.2.9');
    assert.equal((await errorOf(legacy.vpsGet({ vmid: 999_999 }))).code, 'not_found');
  });

  test('learns when the legacy API ends, for calls that have an equivalent in version 2', async () => {
    const headersOf = async (path: string) => (await request(app, 'GET', path, { key: app.lab.customer.key })).headers;
    assert.equal((await headersOf('/billing/balance')).get('deprecation'), null);
    await applySite(app.parts, { ...app.site, legacy: { deprecated: '2027-01-01', sunset: '2028-01-01' } });
    app.pass(10_000);
    const legacyHeaders = await headersOf('/billing/balance');
    assert.equal(legacyHeaders.get('deprecation'), `@${Date.UTC(2027, 0, 1) / 1000}`);
    assert.equal(legacyHeaders.get('sunset'), 'Sat, 01 Jan 2028 00:00:00 GMT');
    assert.equal(
      legacyHeaders.get('link'),
      '</docs>; rel="deprecation", </docs>; rel="sunset", </v2/account/balance>; rel="successor-version"',
    );
    const rejection = await request(app, 'POST', '/ipmi/power', { form: {} });
    assert.deepEqual([rejection.status, rejection.headers.has('deprecation')], [401, true]);
    assert.equal((await headersOf('/v2/account/balance')).has('deprecation'), false);
    const { headers } = await request(app, 'POST', '/software/order', { key: app.lab.customer.key, form: {} });
    assert.equal(headers.has('deprecation'), false);
  });

  test('calls the operator API with an operator’s key', async () => {
    const operator = createOperatorClient({ url: app.url, key: app.lab.operator.key });
    const ids = [];
    for await (const account of operator.each.accountList({ limit: 1 })) ids.push(account.id);
    assert.equal(new Set(ids).size, ids.length);
    for (const { account } of [app.lab.customer, app.lab.stranger]) assert.ok(ids.includes(account), String(ids));
    const customer = createOperatorClient({ url: app.url, key: app.lab.customer.key });
    const { status, message } = await errorOf(customer.accountList());
    assert.deepEqual([status, message], [403, 'This is a customer key. The operator API needs a staff key.']);
  });
});
