// The SDK against a running Hostyard, on both engines: what a program does with it, and what it does when the network fails.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { applySite } from '#app/site/apply.ts';
import { createClient as createLegacyClient } from '#sdk/legacy.ts';
import { createClient as createOperatorClient } from '#sdk/operator.ts';
import { createClient, HostyardError, type Client } from '#sdk/v2.ts';
import { startCuttingProxy } from '#test/support/cutting-proxy.ts';
import { request } from '#test/support/request.ts';
import { until } from '#test/support/until.ts';
import { engines, openTestYard, type TestYard } from '#test/support/yard.ts';

const contact = {
  firstname: 'Anna',
  lastname: 'Berg',
  email: 'anna@example.com',
  password: 'correct horse',
  address1: 'Street 1',
  city: 'Lyon',
  state: 'Rhone',
  zipcode: '69003',
  country: 'FR',
};
/** Several tries, close together. */
const retry = { firstDelayMs: 5 };

async function refusal(call: Promise<unknown>): Promise<HostyardError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof HostyardError, `was not refused: ${String(error)}`);
  return error;
}

for (const { engine, suite, start } of engines) {
  describe(`the SDK on ${engine}`, suite, () => {
    let running: Awaited<ReturnType<typeof start>>;
    let yard: TestYard;
    let client: Client;
    before(async () => {
      running = await start();
      yard = await openTestYard({ ...(await running.newDatabase()), worksOffJobs: true });
      client = createClient({ url: yard.url, key: yard.lab.customer.key });
    });
    after(async () => {
      await yard?.[Symbol.asyncDispose]();
      await running?.[Symbol.asyncDispose]();
    });

    test('reads an account, and is refused a wrong password', async () => {
      const account = await client.accountGet();
      assert.equal(account.id, yard.lab.customer.account);
      const visitor = createClient({ url: yard.url });
      const wrong = await refusal(visitor.sessionCreate({ email: account.email, password: 'not this one' }));
      assert.deepEqual([wrong.status, wrong.code], [401, 'unauthenticated']);
    });

    test('power-cycles a server, and follows the work until it has ended', async () => {
      const done = client.devicePowerSet({ service: '1001', action: 'cycle' });
      const running = async () => (await client.actionList({ service: 1001 }))[0];
      await until(async () => (await running()) !== undefined);
      const seen: string[] = [];
      for await (const step of client.follow((await running())!)) seen.push(step.status);
      assert.equal(seen.at(-1), 'Completed');
      assert.equal(await done, 'Chassis Power Control: Cycle');
      assert.equal(await client.devicePowerGet({ service: 1001 }), 'on');
    });

    test('makes a zone and a record, finds it in pages of two, removes both', async () => {
      const domain = await client.zoneCreate({ domain: 'sdk.example.com' });
      for (const host of ['a', 'b', 'c'])
        await client.recordCreate({ domain, record: `${host}.sdk.example.com`, type: 'A', content: '192.0.2.1' });
      const whole = await client.recordList({ domain });
      const paged = [];
      for await (const record of client.each.recordList({ domain, limit: 2 })) paged.push(record);
      assert.deepEqual(paged, whole);
      const added = paged.filter(({ type }) => type === 'A');
      assert.deepEqual(
        added.map(({ name }) => name).sort(),
        ['a', 'b', 'c'].map((host) => `${host}.sdk.example.com`),
      );
      assert.match(await client.recordDelete({ domain, record: added[0]!.id }), /^ID: [0-9]+ removed$/);
      await client.zoneDelete({ domain });
      assert.equal((await refusal(client.recordList({ domain }))).code, 'not_found');
    });

    test('goes through the events page by page, and misses and repeats none', async () => {
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

    test('hears of events as they happen, also after its connection broke off', async () => {
      await using proxy = await startCuttingProxy(yard);
      const listener = createClient({ url: proxy.url, key: yard.lab.customer.key, retry });
      const { cursor } = await client.eventLogGet({ limit: 1000 });
      const hear = new AbortController();
      const heard: string[] = [];
      const listening = (async () => {
        for await (const event of listener.events(
          { after: cursor, type: ['contact.created'] },
          { signal: hear.signal },
        ))
          heard.push((event.data as { contactid: string }).contactid);
      })().catch((error: unknown) => assert.equal(error, hear.signal.reason));
      const made: string[] = [];
      for (const cutNext of [false, true, false]) {
        if (cutNext) proxy.cut(1, 'contact.created');
        made.push((await client.contactCreate({ ...contact, email: `${made.length}@example.com` })).contactid);
        await until(() => heard.length === made.length, { saw: () => ({ heard, made, cuts: proxy.cuts }) });
      }
      assert.equal(proxy.cuts, 1);
      assert.deepEqual(heard, made);
      hear.abort();
      await listening;
    });

    test('repeats a change whose answer was lost, and the change happens once', async () => {
      await using proxy = await startCuttingProxy(yard);
      const unlucky = createClient({ url: proxy.url, key: yard.lab.customer.key, retry });
      const before = (await client.contactGet()).length;
      proxy.cut(2);
      const { contactid } = await unlucky.contactCreate(contact);
      assert.equal(proxy.cuts, 2);
      const contacts = await client.contactGet();
      assert.equal(contacts.length, before + 1);
      assert.equal(contacts.at(-1)!.id, contactid);
    });

    test('does not repeat what it was told not to, nor a sign-in', async () => {
      await using proxy = await startCuttingProxy(yard);
      proxy.cut(10);
      const once = createClient({ url: proxy.url, key: yard.lab.customer.key, retry: { attempts: 1 } });
      const lost = await refusal(once.accountGet());
      assert.deepEqual([lost.status, lost.code, proxy.cuts], [0, 'connection_failed', 1]);
      const visitor = createClient({ url: proxy.url, retry });
      assert.equal((await refusal(visitor.sessionCreate({ email: 'x@example.net', password: 'x' }))).status, 0);
      assert.equal(proxy.cuts, 2);
      proxy.cut(0);
    });

    test('tells refusals by their code, with the reason of each parameter and the request id', async () => {
      const stranger = createClient({ url: yard.url, key: 'hy_no_such_key' });
      const unknown = await refusal(stranger.accountGet());
      assert.deepEqual([unknown.status, unknown.code], [401, 'unauthenticated']);
      assert.match(unknown.requestId ?? '', /^[0-9a-f]{16}-/);
      const impossible = await refusal(client.deviceReloadStatus({ service: yard.lab.vps.service }));
      assert.deepEqual([impossible.status, impossible.code], [422, 'capability_missing']);
      const wrong = await refusal(client.devicePowerSet({ service: 'x', action: 'on' }));
      assert.deepEqual([wrong.status, Object.keys(wrong.errors)], [400, ['service']]);
      const other = { service: 1001, action: 'on' } as const;
      await client.devicePowerSet(other, { idempotencyKey: 'sdk-1' });
      const mismatch = await refusal(client.devicePowerSet({ ...other, action: 'cycle' }, { idempotencyKey: 'sdk-1' }));
      assert.equal(mismatch.code, 'idempotency_mismatch');
    });

    test('speaks the legacy interface too, with codes that its envelope has not', async () => {
      const legacy = createLegacyClient({ url: yard.url, key: yard.lab.customer.key });
      assert.equal(await legacy.balanceGet(), await client.balanceGet());
      const { vmid } = yard.lab.vps;
      assert.equal((await legacy.vpsGet({ vmid })).vmid, vmid);
      assert.equal(await legacy.ipmiPowerSet({ server: yard.lab.dedicated.server, action: 'checkOn' }), 'true');
      const zone = await legacy.zoneCreate({ name: 'old.example.com' });
      const record = await legacy.recordCreate({ domain_id: zone, name: '@', type: 'A', content: '192.0.2.9' });
      const records = await legacy.recordList({ domain_id: zone });
      assert.equal(records.find(({ id }) => id === record)?.content, '192.0.2.9');
      assert.equal((await refusal(legacy.vpsGet({ vmid: 999_999 }))).code, 'not_found');
    });

    test('is told when the legacy interface ends, where a call has a twin to move to', async () => {
      const headersOf = async (path: string) =>
        (await request(yard, 'GET', path, { key: yard.lab.customer.key })).headers;
      assert.equal((await headersOf('/billing/balance')).get('deprecation'), null);
      await applySite(yard.parts, { ...yard.site, legacy: { deprecated: '2027-01-01', sunset: '2028-01-01' } });
      yard.pass(10_000);
      const told = await headersOf('/billing/balance');
      assert.equal(told.get('deprecation'), `@${Date.UTC(2027, 0, 1) / 1000}`);
      assert.equal(told.get('sunset'), 'Sat, 01 Jan 2028 00:00:00 GMT');
      assert.equal(
        told.get('link'),
        '</docs>; rel="deprecation", </docs>; rel="sunset", </v2/account/balance>; rel="successor-version"',
      );
      const refused = await request(yard, 'POST', '/ipmi/power', { form: {} });
      assert.deepEqual([refused.status, refused.headers.has('deprecation')], [401, true]);
      assert.equal((await headersOf('/v2/account/balance')).has('deprecation'), false);
      const { headers } = await request(yard, 'POST', '/software/order', { key: yard.lab.customer.key, form: {} });
      assert.equal(headers.has('deprecation'), false);
    });

    test('speaks the interface of the operator with an operator’s key', async () => {
      const operator = createOperatorClient({ url: yard.url, key: yard.lab.operator.key });
      const ids = [];
      for await (const account of operator.each.accountList({ limit: 1 })) ids.push(account.id);
      assert.equal(new Set(ids).size, ids.length);
      for (const { account } of [yard.lab.customer, yard.lab.stranger]) assert.ok(ids.includes(account), String(ids));
      const customer = createOperatorClient({ url: yard.url, key: yard.lab.customer.key });
      assert.equal((await refusal(customer.accountList())).status, 403);
    });
  });
}
