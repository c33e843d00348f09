// API keys: created, limited, rotated, revoked; and no key grants or takes more than it has.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Key } from '#sdk/v2.ts';
import type { AccountId } from '#store/account-id.ts';
import {
  request,
  requestResult,
  createKey as requestKey,
  type Envelope,
  type ErrorResult,
} from '#test/support/request.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';

type NewKey = Awaited<ReturnType<typeof requestKey>>;

describeOnEngines('keys', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  before(async () => void (app = await openApp({ trustedProxies: ['127.0.0.1'] })));

  const send = <Result>(method: string, params: Record<string, unknown> = {}, key = app.lab.customer.key) =>
    request<Envelope<Result>>(app, method, '/v2/account/key', { key, params });
  const createKey = (fields: Record<string, unknown> = {}, key = app.lab.customer.key) =>
    requestKey(app, key, { scopes: ['all'], ...fields });
  const accountStatus = async (key: string, address = '192.0.2.7') => {
    const headers = { 'x-forwarded-for': address };
    return (await request(app, 'GET', '/v2/account', { key, headers })).status;
  };
  const getKey = async (id: string) => (await send<Key[]>('GET', { id })).body.result[0]!;

  test('are shown once and never again', async () => {
    const { id, key } = await createKey();
    assert.match(key, /^hy_[a-z2-7]{12}_[a-z2-7]{32}[0-9a-f]{8}$/);
    assert.equal(await accountStatus(key), 200);
    const { body } = await send<Key[]>('GET');
    const text = JSON.stringify(body);
    assert.ok(!text.includes(key.slice(20)) && !text.includes('hash'), text);
    assert.equal(body.result.find((candidate) => candidate.id === id)?.status, 'Active');
    const row = await app.parts.store.queries.selectFrom('keys').selectAll().where('id', '=', Number(id)).execute();
    assert.ok(!JSON.stringify(row).includes(key.slice(16, 40)));
  });

  test('can do what their scopes say', async () => {
    const { key } = await createKey({ scopes: 'billing:read' });
    const status = async (path: string) => (await request(app, 'GET', path, { key })).status;
    assert.deepEqual([await status('/v2/account/balance'), await status('/v2/account')], [200, 403]);
    const readOnly = (await createKey({ scopes: ['read-only'] })).key;
    assert.equal(await accountStatus(readOnly), 200);
    assert.equal((await send('POST', { name: 'x', scopes: ['read-only'] }, readOnly)).status, 403);
  });

  test('work from the networks on their list and from nowhere else', async () => {
    const { id, key } = await createKey({ allow: ['192.0.2.0/24', '2001:db8::/32', '::ffff:198.51.100.7'] });
    for (const address of ['192.0.2.1', '2001:db8::1', '::ffff:192.0.2.9', '198.51.100.7'])
      assert.equal(await accountStatus(key, address), 200, address);
    for (const address of ['192.0.3.1', '2001:db9::1', '127.0.0.1', '198.51.100.8'])
      assert.equal(await accountStatus(key, address), 403, address);
    await send('PUT', { id, allow: ['127.0.0.1'] });
    assert.deepEqual([await accountStatus(key, '127.0.0.1'), await accountStatus(key, '192.0.2.1')], [200, 403]);
    await send('PUT', { id, allow: [] });
    assert.equal(await accountStatus(key, '203.0.113.1'), 200);
  });

  test('with an invalid network are rejected, never treated as unrestricted', async () => {
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
      const { status, body } = await send<NewKey>('POST', { name: 'x', scopes: ['all'], allow: [allow] });
      if (status === 200) assert.equal(await accountStatus(body.result.key, '203.0.113.99'), 403, allow);
      else assert.equal(status, 400, allow);
    }
  });

  test('stop working when they expire', async () => {
    const expires = Math.floor(app.parts.clock.now() / 1000) + 60;
    const { id, key } = await createKey({ expires });
    assert.equal(await accountStatus(key), 200);
    app.pass(61_000);
    assert.equal(await accountStatus(key), 401);
    assert.equal((await getKey(id)).status, 'Expired');
    assert.equal((await send('POST', { name: 'x', scopes: ['all'], expires: 1 })).status, 400);
  });

  test('are rotated with an overlap during which the old secret still works', async () => {
    const { id, key } = await createKey();
    const { body } = await send<NewKey>('PUT', { id, rotate: true, overlap: 60 });
    const rotated = body.result.key;
    assert.notEqual(rotated, key);
    assert.deepEqual([await accountStatus(key), await accountStatus(rotated)], [200, 200]);
    app.pass(61_000);
    assert.deepEqual([await accountStatus(key), await accountStatus(rotated)], [401, 200]);
    const at_once = await send<NewKey>('PUT', { id, rotate: true, overlap: 0 });
    assert.deepEqual([await accountStatus(rotated), await accountStatus(at_once.body.result.key)], [401, 200]);
  });

  test('are revoked at once and for good', async () => {
    const { id, key } = await createKey();
    assert.equal((await send<string>('DELETE', { id })).body.result, 'Key Revoked');
    assert.equal(await accountStatus(key), 401);
    assert.equal((await getKey(id)).status, 'Revoked');
    assert.equal((await send('PUT', { id, name: 'back' })).status, 409);
    assert.equal((await send('PUT', { id, rotate: true })).status, 409);
  });

  test('record the time and the address of their last use', async () => {
    const { id, key } = await createKey();
    assert.equal((await getKey(id)).lastused, '');
    await accountStatus(key, '192.0.2.55');
    const { lastused, lastaddress } = await getKey(id);
    assert.match(lastused, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    assert.equal(lastaddress, '192.0.2.55');
  });

  test('grant no more than the key that creates or changes them', async () => {
    const { id, key } = await createKey({ scopes: ['account:keys', 'billing:read'] });
    const beyond = await send<ErrorResult>('POST', { name: 'x', scopes: ['all'] }, key);
    assert.deepEqual([beyond.status, beyond.body.result.code], [403, 'scope_missing']);
    assert.equal((await send('PUT', { id, scopes: ['all'] }, key)).status, 403);
    assert.equal((await send('POST', { name: 'x', scopes: [] }, key)).status, 400);
    assert.equal((await send('POST', { name: 'x', scopes: ['billing:read'] }, key)).status, 200);
  });

  test('are refused with the name of a scope that does not exist', async () => {
    const { status, body } = await send<ErrorResult>('POST', { name: 'x', scopes: ['dns:read', 'dns:writ'] });
    assert.equal(status, 400);
    assert.match(body.result.fields['scopes']!, /^contains “dns:writ”, but each value must be one of all, read-only, /);
  });

  test('with more permissions cannot be rotated by a key with fewer', async () => {
    const powerful = await createKey();
    const { key } = await createKey({ scopes: ['account:keys'] });
    const rotation = await send<ErrorResult>('PUT', { id: powerful.id, rotate: true }, key);
    assert.deepEqual([rotation.status, rotation.body.result.code], [403, 'scope_missing']);
    assert.equal(await accountStatus(powerful.key), 200);
  });

  test('bound to networks or a time cannot create a less restricted key', async () => {
    const end = Math.floor(app.parts.clock.now() / 1000) + 3600;
    const bound = (await createKey({ allow: ['127.0.0.0/8'], expires: end })).key;
    const child = await getKey((await createKey({ scopes: ['account:keys'] }, bound)).id);
    assert.deepEqual(child.allow, ['127.0.0.0/8']);
    assert.equal(Date.parse(`${child.expires.replace(' ', 'T')}Z`) / 1000, end);
    assert.deepEqual((await getKey((await createKey({ allow: ['127.1.0.0/16'] }, bound)).id)).allow, ['127.1.0.0/16']);
    for (const allow of [['0.0.0.0/0'], ['127.0.0.0/7'], ['192.0.2.1']]) {
      assert.equal((await send('POST', { name: 'x', scopes: ['all'], allow }, bound)).status, 403, String(allow));
      assert.equal((await send('PUT', { id: child.id, allow }, bound)).status, 403, String(allow));
    }
    await send('PUT', { id: child.id, allow: [], expires: end + 3600 }, bound);
    const after = await getKey(child.id);
    assert.deepEqual([after.allow, after.expires], [['127.0.0.0/8'], child.expires]);
  });

  test('bound to networks or a time cannot rotate a less restricted key', async () => {
    const now = Math.floor(app.parts.clock.now() / 1000);
    const free = await createKey();
    for (const bounds of [{ allow: ['127.0.0.0/8'] }, { expires: now + 3600 }]) {
      const { id, key } = await createKey(bounds);
      const rotation = await send<ErrorResult>('PUT', { id: free.id, rotate: true }, key);
      assert.deepEqual([rotation.status, rotation.body.result.code], [403, 'scope_missing'], JSON.stringify(bounds));
      assert.equal((await send('PUT', { id, rotate: true }, key)).status, 200);
    }
    assert.equal(await accountStatus(free.key), 200);
  });

  test('limited to DNS records are listed with their limits, which an empty list removes', async () => {
    const dns = [{ zones: ['Example.com.'], names: ['_ACME-challenge.**'], types: ['TXT'] }];
    const { id } = await createKey({ dns });
    const limits = [{ zones: ['example.com'], names: ['_acme-challenge.**'], types: ['TXT'] }];
    assert.deepEqual((await getKey(id)).dns, limits);
    const form = { name: 'form', scopes: 'dns:read', dns: JSON.stringify(dns) };
    const key = app.lab.customer.key;
    const created = await request<Envelope<NewKey>>(app, 'POST', '/v2/account/key', { key, form });
    assert.deepEqual((await getKey(created.body.result.id)).dns, limits);
    await send('PUT', { id, dns: [{ types: ['A', 'AAAA'] }] });
    assert.deepEqual((await getKey(id)).dns, [{ types: ['A', 'AAAA'] }]);
    await send('PUT', { id, dns: [] });
    assert.deepEqual((await getKey(id)).dns, []);
    for (const bad of [
      [{}],
      [{ zones: [] }],
      [{ names: ['**.a.**'] }],
      [{ types: ['NONE'] }],
      [{ zone: 'a.test' }],
      '*',
    ])
      assert.equal((await send('PUT', { id, dns: bad })).status, 400, JSON.stringify(bad));
  });

  test('limited to DNS records create, change and rotate only keys with the same limits or narrower ones', async () => {
    const dns = [{ zones: ['a.test'], names: ['*.**'], types: ['TXT', 'A'] }];
    const limited = await createKey({ dns });
    const child = await createKey({}, limited.key);
    assert.deepEqual((await getKey(child.id)).dns, dns);
    const narrower = [{ zones: ['a.test'], names: ['www', '_acme-challenge.**'], types: ['TXT'] }];
    assert.deepEqual((await getKey((await createKey({ dns: narrower }, limited.key)).id)).dns, narrower);
    for (const wider of [[{ types: ['TXT'] }], [{ ...dns[0], zones: ['b.test'] }], [...narrower, { names: ['**'] }]]) {
      const attempts = [
        await send<ErrorResult>('POST', { name: 'x', scopes: ['dns:write'], dns: wider }, limited.key),
        await send<ErrorResult>('PUT', { id: child.id, dns: wider }, limited.key),
      ];
      for (const { status, body } of attempts)
        assert.deepEqual([status, body.result.code], [403, 'scope_missing'], JSON.stringify(wider));
    }
    await send('PUT', { id: child.id, dns: [] }, limited.key);
    assert.deepEqual((await getKey(child.id)).dns, dns);
    assert.equal((await send('PUT', { id: child.id, rotate: true }, limited.key)).status, 200);
    const free = await createKey({ scopes: ['dns:read'] });
    for (const change of [{ rotate: true }, { scopes: ['dns:write'] }])
      assert.equal((await send('PUT', { id: free.id, ...change }, limited.key)).status, 403, JSON.stringify(change));
    const contacts = await requestResult<{ id: string }[]>(app, 'GET', '/v2/account/contact', { key: limited.key });
    const params = { id: contacts[0]!.id, permissions: ['dns:write'] };
    const grant = await request(app, 'PUT', '/v2/account/contact/settings', { key: limited.key, params });
    assert.equal(grant.status, 403, JSON.stringify(grant.body));
  });

  test('are not sessions: no key can read, change, rotate or revoke a session', async () => {
    const { email, password, account } = app.lab.customer;
    const { key: session } = await requestResult<{ key: string }>(app, 'POST', '/v2/session', {
      params: { email, password },
    });
    const { id } = await app.parts.store.queries
      .selectFrom('keys')
      .select('id')
      .where('account_id', '=', Number(account) as AccountId)
      .where('kind', '=', 'session')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    for (const [method, params] of [
      ['GET', { id }],
      ['PUT', { id, rotate: true }],
      ['PUT', { id, expires: 2_000_000_000 }],
      ['DELETE', { id }],
    ] as const)
      assert.equal((await send(method, params)).status, 404, `${method} ${JSON.stringify(params)}`);
    assert.equal(await accountStatus(session), 200);
  });

  test('of another account cannot be seen, changed or revoked', async () => {
    const { id, key } = await createKey({}, app.lab.stranger.key);
    for (const [method, params] of [
      ['GET', { id }],
      ['PUT', { id, name: 'x' }],
      ['DELETE', { id }],
    ] as const)
      assert.equal((await send(method, params)).status, 404, method);
    assert.equal(await accountStatus(key), 200);
  });
});
