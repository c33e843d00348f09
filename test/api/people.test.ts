// Contacts as people: a sub-account signs in, can do what its permissions say, and loses access when they end.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Session } from '#sdk/v2.ts';
import { anna } from '#test/support/contacts.ts';
import { request, type Envelope, type ErrorResult } from '#test/support/request.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';

let people = 0;
const newContact = () => ({ ...anna, email: `eva${++people}@example.com`, password: 'first password' });

describeOnEngines('people', { postgres: 'in long runs' }, ({ engine, openApp }) => {
  let app: TestApp;
  before(async () => void (app = await openApp({ trustedProxies: ['127.0.0.1'] })));

  let visitors = 0;
  /** Every caller has its own address, because sign-in is rate-limited by address. */
  const signIn = (email: string, password: string, from = `198.51.100.${++visitors}`) =>
    request<Envelope<Session & ErrorResult>>(app, 'POST', '/v2/session', {
      params: { email, password },
      headers: { 'x-forwarded-for': from },
    });
  const send = <Result>(
    method: string,
    path: string,
    params: Record<string, unknown> = {},
    key = app.lab.customer.key,
  ) => request<Envelope<Result>>(app, method, path, { key, params });
  const settings = (id: string, change: Record<string, unknown>, key?: string) =>
    send<ErrorResult>('PUT', '/v2/account/contact/settings', { id, ...change }, key);

  async function subaccount(permissions: string[]) {
    const fields = newContact();
    const { body } = await send<{ contactid: string }>('POST', '/v2/account/contact', fields);
    const id = body.result.contactid;
    const { status } = await settings(id, { subaccount: true, permissions });
    assert.equal(status, 200);
    const session = (await signIn(fields.email, fields.password)).body.result;
    return { id, email: fields.email, key: session.key, session };
  }
  const status = async (key: string, path = '/v2/account') => (await send('GET', path, {}, key)).status;

  test('sign in as the account itself', async () => {
    const { email, password } = app.lab.customer;
    const { status: code, body } = await signIn(email.toUpperCase(), password);
    assert.equal(code, 200);
    const { key, account, contact, subaccount: sub } = body.result;
    assert.deepEqual([account, contact, sub], ['1', '', '0']);
    assert.equal(await status(key), 200);
    assert.equal((await send<string>('DELETE', '/v2/session', {}, key)).body.result, 'Signed Out');
    assert.equal(await status(key), 401);
  });

  test('cannot sign in with a wrong password, an unknown address, or as a contact without a sub-account', async () => {
    const fields = newContact();
    await send('POST', '/v2/account/contact', fields);
    const tries = [
      [app.lab.customer.email, 'wrong'],
      ['nobody@example.com', 'wrong'],
      [fields.email, fields.password],
      ['chen@example.net', app.lab.customer.password],
    ] as const;
    const responses = await Promise.all(tries.map(([email, password]) => signIn(email, password)));
    for (const response of responses) {
      assert.equal(response.status, 401);
      assert.deepEqual(response.body, responses[0]!.body);
    }
  });

  test('who guess have to wait longer and longer, and learn how long', async () => {
    const email = `guessed.on.${engine}@example.com`;
    for (let attempt = 0; attempt < 5; attempt++) assert.equal((await signIn(email, 'wrong', '192.0.2.1')).status, 401);
    const { status: code, headers } = await signIn(email, 'wrong', '192.0.2.1');
    assert.equal(code, 429);
    assert.ok(Number(headers.get('retry-after')) >= 1);
  });

  test('of a sub-account can do what their permissions say', async () => {
    const { key, session, id } = await subaccount(['account:read', 'billing:read']);
    assert.deepEqual([session.contact, session.subaccount], [id, '1']);
    assert.deepEqual(session.scopes.toSorted(), ['account:read', 'billing:read']);
    assert.deepEqual([await status(key), await status(key, '/v2/account/balance')], [200, 200]);
    const rejection = await send<ErrorResult>('GET', '/v2/account/audit', {}, key);
    assert.deepEqual([rejection.status, rejection.body.result.code], [403, 'permission_missing']);
    assert.equal((await send('DELETE', '/v2/account/contact', { id }, key)).status, 403);
  });

  test('have their sign-ins in the audit log', async () => {
    const { id } = await subaccount(['account:read']);
    const { body } = await send<{ operation: string; contact: string; outcome: string }[]>('GET', '/v2/account/audit');
    const entry = body.result.find(({ operation }) => operation === 'v2.sessionCreate');
    assert.deepEqual([entry?.contact, entry?.outcome], [id, 'success']);
  });

  test('are affected by changed permissions at once', async () => {
    const { key, id } = await subaccount(['account:read']);
    await settings(id, { permissions: ['billing:read'] });
    assert.deepEqual([await status(key), await status(key, '/v2/account/balance')], [403, 200]);
  });

  test('lose access when their sub-account is disabled, and old sessions do not come back with it', async () => {
    const { key, id, email } = await subaccount(['account:read']);
    await settings(id, { subaccount: false });
    assert.equal(await status(key), 401);
    assert.equal((await signIn(email, 'first password')).status, 401);
    await settings(id, { subaccount: true });
    assert.equal(await status(key), 401, 'an ended session stays ended');
    assert.equal((await signIn(email, 'first password')).status, 200);
  });

  test('lose access when they are deleted or get a new password', async () => {
    const contact = await subaccount(['account:read']);
    await send('PUT', '/v2/account/contact', { id: contact.id, password: 'second password' });
    assert.equal(await status(contact.key), 401);
    assert.equal((await signIn(contact.email, 'first password')).status, 401);
    const again = await signIn(contact.email, 'second password');
    assert.equal(again.status, 200);
    await send('DELETE', '/v2/account/contact', { id: contact.id });
    assert.equal(await status(again.body.result.key), 401);
  });

  test('sign in with their current email address, which must be unique', async () => {
    const first = await subaccount(['account:read']);
    const second = await subaccount(['account:read']);
    const rejection = await send<ErrorResult>('PUT', '/v2/account/contact', { id: second.id, email: first.email });
    assert.deepEqual([rejection.status, rejection.body.result.code], [409, 'already_exists']);
    await send('PUT', '/v2/account/contact', { id: second.id, email: 'moved@example.com' });
    assert.equal((await signIn(second.email, 'first password')).status, 401);
    assert.equal((await signIn('moved@example.com', 'first password')).status, 200);
  });

  test('see, change and revoke only their own keys', async () => {
    const { key, id } = await subaccount(['account:read', 'account:keys']);
    const created = await send<{ id: string; key: string }>(
      'POST',
      '/v2/account/key',
      { name: 'own', scopes: ['account:read'] },
      key,
    );
    assert.equal(created.status, 200);
    const list = await send<{ id: string; contact: string }[]>('GET', '/v2/account/key', {}, key);
    assert.deepEqual(
      list.body.result.map((key) => key.contact),
      [id],
    );
    const all = await send<{ id: string; contact: string }[]>('GET', '/v2/account/key');
    const others = all.body.result.find((candidate) => candidate.contact === '')!;
    assert.equal((await send('DELETE', '/v2/account/key', { id: others.id }, key)).status, 404);
  });

  test('with few permissions cannot gain more', async () => {
    const powerful = await subaccount(['account:read', 'billing:read']);
    const { key } = await subaccount(['account:read', 'account:write', 'account:keys']);
    const attempts = [
      await send<ErrorResult>('PUT', '/v2/account/contact', { id: powerful.id, password: 'mine from now on' }, key),
      await send<ErrorResult>('PUT', '/v2/account/contact', { id: powerful.id, email: 'mine@example.com' }, key),
      await settings(powerful.id, { permissions: ['billing:read'] }, key),
    ];
    for (const { status: code, body } of attempts)
      assert.deepEqual([code, body.result.code], [403, 'scope_missing'], JSON.stringify(body));
    // Permissions of a disabled sub-account cannot be restored by someone with fewer.
    await settings(powerful.id, { subaccount: false });
    assert.equal((await settings(powerful.id, { subaccount: true }, key)).status, 403);
    assert.equal((await send('PUT', '/v2/account/contact', { id: powerful.id, city: 'Paris' }, key)).status, 200);
  });

  test('need a password before they can be a sub-account', async () => {
    const { body } = await send<{ id: string; email: string }[]>('GET', '/v2/account/contact');
    const chen = body.result.find(({ email }) => email === 'chen@example.net')!;
    assert.equal((await settings(chen.id, { subaccount: true })).status, 400);
    assert.equal((await settings(chen.id, {})).status, 400);
  });

  test('cannot sign out of a key that did not come from signing in', async () => {
    assert.equal((await send('DELETE', '/v2/session')).status, 409);
  });
});
