// Repeating a request is safe: Idempotency-Key on both APIs and both engines, even a thousand times at once.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Agent, request as dial } from 'node:http';
import { anna as contact } from '#test/support/contacts.ts';
import {
  createKey,
  request,
  requestResult,
  type Envelope,
  type ErrorResult,
  type RequestOptions,
} from '#test/support/request.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';

const path = '/v2/account/contact';

describeOnEngines('an Idempotency-Key', ({ openApp }) => {
  let app: TestApp;
  before(async () => void (app = await openApp()));

  const sendWithKey = <Result = { contactid: string }>(
    method: string,
    url: string,
    name: string,
    sent: RequestOptions,
  ) =>
    request<Envelope<Result>>(app, method, url, {
      key: app.lab.customer.key,
      ...sent,
      headers: { 'idempotency-key': name, ...sent.headers },
    });
  const count = async () => {
    const { body } = await request<Envelope<unknown[]>>(app, 'GET', path, { key: app.lab.customer.key });
    return body.results;
  };

  test('returns the first response again, for JSON and form, quoted and bare, in any order', async () => {
    const before = await count();
    const first = await sendWithKey('POST', path, 'one', { params: contact });
    const turned = Object.fromEntries(Object.entries(contact).toReversed());
    const again = [
      await sendWithKey('POST', path, 'one', { params: contact }),
      await sendWithKey('POST', path, '"one"', { form: contact }),
      await sendWithKey('POST', path, 'one', { params: turned }),
      await sendWithKey('POST', `${path}?firstname=Anna`, 'one', { params: contact }),
    ];
    for (const response of again) assert.deepEqual([response.status, response.body], [200, first.body]);
    assert.equal(await count(), before + 1);
  });

  test('with other parameters is 422, and changes nothing', async () => {
    await sendWithKey('POST', path, 'two', { params: contact });
    const before = await count();
    for (const other of [{ city: 'Paris' }, { password: 'another horse' }, { phone: '1' }]) {
      const { status, body } = await sendWithKey<ErrorResult>('POST', path, 'two', {
        params: { ...contact, ...other },
      });
      assert.deepEqual([status, body.result.code], [422, 'idempotency_mismatch']);
    }
    assert.equal(await count(), before);
  });

  test('is one per path, method and account', async () => {
    const { country, ...same } = contact;
    const first = await sendWithKey('POST', path, 'three', { params: contact });
    const legacy = await sendWithKey('POST', '/client/contact', 'three', {
      form: { ...same, phone: '1', county: country },
    });
    const theirs = await sendWithKey('POST', path, 'three', { params: contact, key: app.lab.stranger.key });
    const changed = await sendWithKey<string>('PUT', path, 'three', {
      params: { id: first.body.result.contactid, city: 'Nice' },
    });
    assert.deepEqual([legacy.status, theirs.status, changed.status], [200, 200, 200]);
    const ids = [first, legacy, theirs].map(({ body }) => body.result.contactid);
    assert.equal(new Set(ids).size, 3);
  });

  test('is one per zone if the path names the zone', async () => {
    const zones: string[] = [];
    for (const domain of ['one.example.org', 'two.example.org']) {
      const zone = await sendWithKey<string>('POST', '/v2/dns/domain', domain, { params: { domain } });
      assert.equal(zone.status, 200, JSON.stringify(zone.body));
      const form = { name: 'www', type: 'A', content: '192.0.2.1' };
      const record = await sendWithKey<string>('POST', `/dns/domain/${zone.body.result}`, 'same', { form });
      assert.equal(record.status, 200, JSON.stringify(record.body));
      zones.push(record.body.result);
    }
    assert.notEqual(zones[0], zones[1]);
  });

  test('keeps nothing of a preview, which may be large', async () => {
    const { key } = app.lab.customer;
    const domain = await requestResult<string>(app, 'POST', '/v2/dns/domain', {
      key,
      params: { domain: 'preview.example.com' },
    });
    const zonefile = '@ NS ns1.example.net.\na A 192.0.2.1\n';
    const preview = () =>
      sendWithKey('POST', '/v2/dns/zonefile', 'preview', { params: { domain, zonefile, dry_run: true } });
    assert.deepEqual((await preview()).body, (await preview()).body);
    const stored = await app.parts.store.queries.selectFrom('idempotency').select('key').execute();
    assert.ok(!stored.some((row) => row.key.includes('preview')));
  });

  test('must be 1 to 255 printable characters', async () => {
    for (const name of ['x'.repeat(256), '', 'two words', `"${'x'.repeat(256)}"`])
      assert.equal((await sendWithKey('POST', path, name, { params: contact })).status, 400, name);
    for (const name of ['x'.repeat(255), `"${'y'.repeat(255)}"`])
      assert.equal((await sendWithKey('POST', path, name, { params: contact })).status, 200, name);
  });

  test('is free again after a rejection from before the work began', async () => {
    const { city: _, ...incomplete } = contact;
    assert.equal((await sendWithKey('POST', path, 'four', { params: incomplete })).status, 400);
    assert.equal((await sendWithKey('POST', path, 'four', { params: contact, key: 'hy_none' })).status, 401);
    assert.equal((await sendWithKey('POST', path, 'four', { params: contact })).status, 200);
    assert.equal((await sendWithKey('PUT', path, 'five', { params: { id: 999_999, city: 'Nice' } })).status, 404);
    const { body } = await sendWithKey('POST', path, 'six', { params: contact });
    const id = body.result.contactid;
    assert.equal((await sendWithKey('PUT', path, 'five', { params: { id, city: 'Nice' } })).status, 200);
  });

  test('is free again after a conflict, which did nothing', async () => {
    const send = (method: string, url: string, name: string, params: Record<string, string>) =>
      sendWithKey<string>(method, url, name, { params });
    const { body: zone } = await send('POST', '/v2/dns/domain', 'seven', { domain: 'conflict.example.com' });
    const create = () => send('POST', '/v2/dns/domain', 'eight', { domain: 'conflict.example.com' });
    assert.equal((await create()).status, 409);
    await send('DELETE', '/v2/dns/domain', 'nine', { domain: zone.result });
    assert.equal((await create()).status, 200);

    const power = (action: string, name: string) => send('POST', '/v2/device/power', name, { service: '1001', action });
    await power('off', 'ten');
    assert.equal((await power('reboot', 'eleven')).status, 409);
    await power('on', 'twelve');
    assert.equal((await power('reboot', 'eleven')).status, 200);
  });

  test("returns a new key's secret again on repetition, and stores it sealed", async () => {
    const url = '/v2/account/key';
    const params = { name: 'sealed', scopes: ['all'] };
    const first = await sendWithKey<{ key: string }>('POST', url, 'eight', { params });
    const again = await sendWithKey<{ key: string }>('POST', url, 'eight', { params });
    assert.equal(again.body.result.key, first.body.result.key);
    const rows = await app.parts.store.queries.selectFrom('idempotency').selectAll().execute();
    assert.ok(!JSON.stringify(rows).includes(first.body.result.key.slice(16)));
  });

  test("belongs to the key that used it: another key of the account does not get the first one's secret", async () => {
    const url = '/v2/account/key';
    const params = { name: 'mine', scopes: ['account:read'] };
    const first = await sendWithKey<{ id: string; key: string }>('POST', url, 'nine', { params });
    const { key } = await createKey(app, app.lab.customer.key, { scopes: ['account:keys', 'account:read'] });
    const other = await sendWithKey<{ id: string; key: string }>('POST', url, 'nine', { params, key });
    assert.equal(other.status, 200);
    assert.notEqual(other.body.result.id, first.body.result.id);
  });

  test('belongs to the person who signed in, in every session', async () => {
    const { email, password } = app.lab.customer;
    const signIn = async () =>
      (await requestResult<{ key: string }>(app, 'POST', '/v2/session', { params: { email, password } })).key;
    const first = await sendWithKey('POST', path, 'ten', { params: contact, key: await signIn() });
    const again = await sendWithKey('POST', path, 'ten', { params: contact, key: await signIn() });
    assert.deepEqual(again.body, first.body);
  });

  test('races itself on equipment without hanging the server while the database is busy', async () => {
    // The first call with a key also writes when it was used; that write would wait for the database before the claim.
    await count();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: locked, resolve: hold } = Promise.withResolvers<void>();
    // Locks the row that every change to the account needs, and on SQLite the only writer.
    const busy = app.parts.store.transaction(async (queries) => {
      await queries
        .updateTable('audit_tips')
        .set((row) => ({ hash: row.ref('hash') }))
        .execute();
      hold();
      await released;
    });
    await locked;
    const params = { service: app.lab.dedicated.service, action: 'on' };
    const calls = [1, 2].map(() => sendWithKey<ErrorResult>('POST', '/v2/device/power', 'race', { params }));
    // Enough round trips for both calls to reach the claim. A spinning request would keep the server from answering these.
    for (let trip = 0; trip < 20; trip++) assert.equal((await request(app, 'GET', '/healthz', {})).status, 200);
    release();
    await busy;
    const statuses = (await Promise.all(calls)).map(({ status }) => status).toSorted();
    assert.equal(statuses[0], 200);
    assert.ok(statuses[1] === 200 || statuses[1] === 409, `the repetition got ${statuses[1]}`);
  });

  test('is the same request whatever the order of nested members', async () => {
    const plan = { service: app.lab.dedicated.service, action: 'cycle' };
    const reordered = Object.fromEntries(Object.entries(plan).toReversed());
    const send = (params: object) =>
      sendWithKey<unknown>('POST', '/v2/plan', 'members', { params: { operation: 'devicePowerSet', params } });
    const first = await send(plan);
    assert.equal(first.status, 200, JSON.stringify(first.body));
    const again = await send(reordered);
    assert.deepEqual([again.status, again.body], [200, first.body]);
  });

  test('sent a thousand times at once creates one contact', async () => {
    const before = await count();
    const agent = new Agent({ keepAlive: true, maxSockets: 200 });
    const body = JSON.stringify(contact);
    const { key } = app.lab.customer;
    const once = () =>
      new Promise<string>((resolve, reject) => {
        const headers = { 'content-type': 'application/json', 'x-api-key': key, 'idempotency-key': 'thousand' };
        const sent = dial(app.url + path, { method: 'POST', agent, headers }, (response) => {
          let text = String(response.statusCode);
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          response.on('end', () => resolve(text)).on('error', reject);
        });
        sent.on('error', reject).end(body);
      });
    const responses = await Promise.all(Array.from({ length: 1000 }, once));
    agent.destroy();
    assert.equal(new Set(responses).size, 1, [...new Set(responses)].slice(0, 3).join('\n'));
    assert.match(responses[0]!, /^200\{"success":true/);
    assert.equal(await count(), before + 1);
  });
});
