// API keys: made, limited, rotated, revoked; and nobody grants, or takes, more than he has.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { request } from '#test/support/request.ts';
import { engines, openTestYard, type TestYard } from '#test/support/yard.ts';

interface Envelope<Result> {
  success: boolean;
  results: number;
  result: Result;
}
interface NewKey {
  id: string;
  key: string;
}
interface ShownKey {
  id: string;
  status: string;
  scopes: string[];
  allow: string[];
  expires: string;
  lastused: string;
  lastaddress: string;
}
interface Refusal {
  code: string;
  message: string;
}

for (const { engine, suite, start } of engines) {
  describe(`keys on ${engine}`, suite, () => {
    let running: Awaited<ReturnType<typeof start>>;
    let yard: TestYard;
    before(async () => {
      running = await start();
      yard = await openTestYard({ ...(await running.newDatabase()), trustedProxies: ['127.0.0.1'] });
    });
    after(async () => {
      await yard?.[Symbol.asyncDispose]();
      await running?.[Symbol.asyncDispose]();
    });

    const ask = <Result>(method: string, params: Record<string, unknown> = {}, key = yard.lab.customer.key) =>
      request<Envelope<Result>>(yard, method, '/v2/account/key', { key, params });
    const made = async (fields: Record<string, unknown> = {}, key = yard.lab.customer.key): Promise<NewKey> => {
      const { status, body } = await ask<NewKey>('POST', { name: 'story', scopes: ['all'], ...fields }, key);
      assert.equal(status, 200, JSON.stringify(body));
      return body.result;
    };
    const works = async (key: string, address = '192.0.2.7') => {
      const headers = { 'x-forwarded-for': address };
      return (await request(yard, 'GET', '/v2/account', { key, headers })).status;
    };
    const shown = async (id: string) => (await ask<ShownKey[]>('GET', { id })).body.result[0]!;

    test('are shown once and then never again', async () => {
      const { id, key } = await made();
      assert.match(key, /^hy_[a-z2-7]{12}_[a-z2-7]{32}[0-9a-f]{8}$/);
      assert.equal(await works(key), 200);
      const { body } = await ask<ShownKey[]>('GET');
      const text = JSON.stringify(body);
      assert.ok(!text.includes(key.slice(20)) && !text.includes('hash'), text);
      assert.equal(body.result.find((one) => one.id === id)?.status, 'Active');
      const row = await yard.parts.store.queries.selectFrom('keys').selectAll().where('id', '=', Number(id)).execute();
      assert.ok(!JSON.stringify(row).includes(key.slice(16, 40)));
    });

    test('do what their scopes say', async () => {
      const { key } = await made({ scopes: 'billing:read' });
      const status = async (path: string) => (await request(yard, 'GET', path, { key })).status;
      assert.deepEqual([await status('/v2/account/balance'), await status('/v2/account')], [200, 403]);
      const readOnly = (await made({ scopes: ['read-only'] })).key;
      assert.equal(await works(readOnly), 200);
      assert.equal((await ask('POST', { name: 'x', scopes: ['read-only'] }, readOnly)).status, 403);
    });

    test('work from the networks on their list and from nowhere else', async () => {
      const { id, key } = await made({ allow: ['192.0.2.0/24', '2001:db8::/32', '::ffff:198.51.100.7'] });
      for (const address of ['192.0.2.1', '2001:db8::1', '::ffff:192.0.2.9', '198.51.100.7'])
        assert.equal(await works(key, address), 200, address);
      for (const address of ['192.0.3.1', '2001:db9::1', '127.0.0.1', '198.51.100.8'])
        assert.equal(await works(key, address), 403, address);
      await ask('PUT', { id, allow: ['127.0.0.1'] });
      assert.deepEqual([await works(key, '127.0.0.1'), await works(key, '192.0.2.1')], [200, 403]);
      await ask('PUT', { id, allow: [] });
      assert.equal(await works(key, '203.0.113.1'), 200);
    });

    test('with a network that is none are refused, never taken for open to all', async () => {
      for (const allow of [
        '10.1/8',
        '0x7f000001',
        '010.0.0.1',
        '10.0.0.0/33',
        '::1/129',
        '10.0.0.0/',
        'any',
        '1/8',
        '::ffff:10.0.0.0/104',
      ]) {
        const { status, body } = await ask<NewKey>('POST', { name: 'x', scopes: ['all'], allow: [allow] });
        if (status === 200) assert.equal(await works(body.result.key, '203.0.113.99'), 403, allow);
        else assert.equal(status, 400, allow);
      }
    });

    test('end when they expire', async () => {
      const expires = Math.floor(yard.parts.clock.now() / 1000) + 60;
      const { id, key } = await made({ expires });
      assert.equal(await works(key), 200);
      yard.pass(61_000);
      assert.equal(await works(key), 401);
      assert.equal((await shown(id)).status, 'Expired');
      assert.equal((await ask('POST', { name: 'x', scopes: ['all'], expires: 1 })).status, 400);
    });

    test('are rotated with an overlap in which the old secret works on', async () => {
      const { id, key } = await made();
      const { body } = await ask<NewKey>('PUT', { id, rotate: true, overlap: 60 });
      const rotated = body.result.key;
      assert.notEqual(rotated, key);
      assert.deepEqual([await works(key), await works(rotated)], [200, 200]);
      yard.pass(61_000);
      assert.deepEqual([await works(key), await works(rotated)], [401, 200]);
      const at_once = await ask<NewKey>('PUT', { id, rotate: true, overlap: 0 });
      assert.deepEqual([await works(rotated), await works(at_once.body.result.key)], [401, 200]);
    });

    test('are revoked at once and for good', async () => {
      const { id, key } = await made();
      assert.equal((await ask<string>('DELETE', { id })).body.result, 'Key Revoked');
      assert.equal(await works(key), 401);
      assert.equal((await shown(id)).status, 'Revoked');
      assert.equal((await ask('PUT', { id, name: 'back' })).status, 409);
      assert.equal((await ask('PUT', { id, rotate: true })).status, 409);
    });

    test('remember when and from where they were last used', async () => {
      const { id, key } = await made();
      assert.equal((await shown(id)).lastused, '');
      await works(key, '192.0.2.55');
      const { lastused, lastaddress } = await shown(id);
      assert.match(lastused, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      assert.equal(lastaddress, '192.0.2.55');
    });

    test('grant no more than the key that makes or changes them has', async () => {
      const { id, key } = await made({ scopes: ['account:keys', 'billing:read'] });
      const beyond = await ask<Refusal>('POST', { name: 'x', scopes: ['all'] }, key);
      assert.deepEqual([beyond.status, beyond.body.result.code], [403, 'scope_missing']);
      assert.equal((await ask('PUT', { id, scopes: ['all'] }, key)).status, 403);
      assert.equal((await ask('POST', { name: 'x', scopes: [] }, key)).status, 400);
      assert.equal((await ask('POST', { name: 'x', scopes: ['billing:read'] }, key)).status, 200);
    });

    test('that can do more are not rotated into the hands of one that can do less', async () => {
      const powerful = await made();
      const { key } = await made({ scopes: ['account:keys'] });
      const taken = await ask<Refusal>('PUT', { id: powerful.id, rotate: true }, key);
      assert.deepEqual([taken.status, taken.body.result.code], [403, 'scope_missing']);
      assert.equal(await works(powerful.key), 200);
    });

    test('that are bound to networks or to a time make no key that is bound less', async () => {
      const end = Math.floor(yard.parts.clock.now() / 1000) + 3600;
      const bound = (await made({ allow: ['127.0.0.0/8'], expires: end })).key;
      const child = await shown((await made({ scopes: ['account:keys'] }, bound)).id);
      assert.deepEqual(child.allow, ['127.0.0.0/8']);
      assert.equal(Date.parse(`${child.expires.replace(' ', 'T')}Z`) / 1000, end);
      assert.deepEqual((await shown((await made({ allow: ['127.1.0.0/16'] }, bound)).id)).allow, ['127.1.0.0/16']);
      for (const allow of [['0.0.0.0/0'], ['127.0.0.0/7'], ['192.0.2.1']]) {
        assert.equal((await ask('POST', { name: 'x', scopes: ['all'], allow }, bound)).status, 403, String(allow));
        assert.equal((await ask('PUT', { id: child.id, allow }, bound)).status, 403, String(allow));
      }
      await ask('PUT', { id: child.id, allow: [], expires: end + 3600 }, bound);
      const after = await shown(child.id);
      assert.deepEqual([after.allow, after.expires], [['127.0.0.0/8'], child.expires]);
    });

    test('of a stranger cannot be seen, changed or revoked', async () => {
      const { id, key } = await made({}, yard.lab.stranger.key);
      for (const [method, params] of [
        ['GET', { id }],
        ['PUT', { id, name: 'x' }],
        ['DELETE', { id }],
      ] as const)
        assert.equal((await ask(method, params)).status, 404, method);
      assert.equal(await works(key), 200);
    });
  });
}
