// A session alone, which may have been stolen, does not change how a person signs in: that needs the password or an
// existing factor, and the account's event log tells the owner.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createAuthenticator, type CreationOptions, type RequestOptions } from '#test/support/authenticator.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { asOperator, codeOf, createOperator, operatorResult } from '#test/support/operators.ts';
import type { ErrorResult } from '#test/support/request.ts';
import { firstPassword as password, signInCalls } from '#test/support/sign-in-calls.ts';
import type { TestApp } from '#test/support/app.ts';

const panel = 'https://panel.example.net';

interface Event {
  readonly type: string;
  readonly data: Record<string, string>;
}

describeOnEngines('changing how a person signs in', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  before(async () => void (app = await openApp({ trustedProxies: ['127.0.0.1'] })));

  const { done, rejection, newcomer, signIn, self, enableTotp } = signInCalls(() => app, {
    origin: panel,
    'x-forwarded-host': 'panel.example.net',
  });
  const device = createAuthenticator(panel);
  const answer = async () => device.get(await done<RequestOptions>('POST', '/v2/session/challenge'));
  async function addPasskey(key: string, proof: Record<string, unknown>): Promise<string> {
    const options = await done<CreationOptions>('POST', '/v2/session/passkey', proof, key);
    const passkey = { name: 'Phone', credential: device.create(options) };
    return (await done<{ id: string }>('PUT', '/v2/session/passkey', passkey, key)).id;
  }
  const eventsOf = async (contact: string): Promise<Event[]> => {
    const newest = { newest: true, limit: 20 };
    const { events } = await done<{ events: Event[] }>('GET', '/v2/event', newest, app.lab.customer.key);
    return events.filter(({ type, data }) => type.startsWith('account.') && data['contactid'] === contact);
  };

  test('needs the password to set up an authenticator app', async () => {
    const { key } = await newcomer();
    assert.equal(await rejection('POST', '/v2/session/totp', {}, key), '400 invalid_parameter');
    assert.equal(await rejection('POST', '/v2/session/totp', { password: 'wrong' }, key), '409 state_conflict');
    assert.equal((await self(key)).totp, 'None');
    await enableTotp(key);
    assert.equal((await self(key)).totp, 'Confirmed');
  });

  test('needs the password, a code or a passkey to add a passkey, and to remove one', async () => {
    const { key } = await newcomer();
    const wrong = [{}, { password: 'wrong' }, { code: '000000' }];
    const outcomes = ['400 invalid_parameter', '409 state_conflict', '409 state_conflict'];
    for (const [index, proof] of wrong.entries())
      assert.equal(await rejection('POST', '/v2/session/passkey', proof, key), outcomes[index]);
    const first = await addPasskey(key, { password });
    const secret = await enableTotp(key);
    const second = await addPasskey(key, { code: codeOf(app, secret, 1) });
    const third = await addPasskey(key, { passkey: await answer() });
    for (const [index, proof] of wrong.entries())
      assert.equal(await rejection('DELETE', '/v2/session/passkey', { id: first, ...proof }, key), outcomes[index]);
    await done('DELETE', '/v2/session/passkey', { id: first, password }, key);
    await done('DELETE', '/v2/session/passkey', { id: second, passkey: JSON.stringify(await answer()) }, key);
    const left = await done<{ id: string }[]>('GET', '/v2/session/passkey', {}, key);
    assert.deepEqual(
      left.map(({ id }) => id),
      [third],
    );
  });

  test('accepts no passkey of another person, and each answer once', async () => {
    const { key } = await newcomer();
    const { key: other } = await newcomer();
    await addPasskey(other, { password });
    const passkey = await answer();
    assert.equal(await rejection('POST', '/v2/session/passkey', { passkey }, key), '409 state_conflict');
    await done('POST', '/v2/session/passkey', { passkey: await answer() }, other);
    const used = await answer();
    await done('POST', '/v2/session/passkey', { passkey: used }, other);
    assert.equal(await rejection('POST', '/v2/session/passkey', { passkey: used }, other), '409 state_conflict');
  });

  test('is possible with a passkey alone for a person without a password', async () => {
    const { key, contact } = await newcomer();
    await addPasskey(key, { password });
    const contacts = app.parts.store.queries.updateTable('contacts').set({ password_hash: null });
    await contacts.where('id', '=', Number(contact)).execute();
    assert.equal(await rejection('POST', '/v2/session/totp', { password }, key), '409 state_conflict');
    const { secret } = await done<{ secret: string }>('POST', '/v2/session/totp', { passkey: await answer() }, key);
    await done('PUT', '/v2/session/totp', { code: codeOf(app, secret) }, key);
  });

  test('is an event that names the factor, the session and the address', async () => {
    const { key, contact } = await newcomer();
    const secret = await enableTotp(key);
    const id = await addPasskey(key, { password });
    await done('DELETE', '/v2/session/passkey', { id, password }, key);
    await done('DELETE', '/v2/session/totp', { code: codeOf(app, secret, 1) }, key);
    await done('PUT', '/v2/session/password', { password, newpassword: 'second password' }, key);
    const events = await eventsOf(contact);
    assert.deepEqual(
      events.map(({ type, data }) => [type, data['factor'], data['name']]),
      [
        ['account.factor.added', 'authenticator', ''],
        ['account.factor.added', 'passkey', 'Phone'],
        ['account.factor.removed', 'passkey', 'Phone'],
        ['account.factor.removed', 'authenticator', ''],
        ['account.password.changed', undefined, undefined],
      ],
    );
    const keys = app.parts.store.queries.selectFrom('keys').select('id').where('contact_id', '=', Number(contact));
    const session = String((await keys.executeTakeFirstOrThrow()).id);
    for (const { data } of events) {
      assert.equal(data['session'], session);
      assert.match(data['address']!, /^198\.51\./);
    }
  });

  test('of oneself is impossible by way of the contact', async () => {
    const { key, contact } = await newcomer({ permissions: ['account:read', 'account:write', 'account:keys'] });
    const changes = [
      ['/v2/account/contact', { password: 'another password' }],
      ['/v2/account/contact', { email: 'another@example.com' }],
      ['/v2/account/contact/settings', { forgetfactors: true, password }],
    ] as const;
    for (const [path, change] of changes)
      assert.equal(await rejection('PUT', path, { id: contact, ...change }, key), '409 state_conflict', path);
    await done('PUT', '/v2/account/contact', { id: contact, city: 'Paris' }, key);
  });

  test("of a colleague who lost a phone needs the caller's own proof, so an API key cannot do it", async () => {
    const { key, contact } = await newcomer();
    await enableTotp(key);
    const forget = { id: contact, forgetfactors: true };
    const path = '/v2/account/contact/settings';
    const { email, password: ownersPassword } = app.lab.customer;
    assert.equal(
      await rejection('PUT', path, { ...forget, password: ownersPassword }, app.lab.customer.key),
      '409 state_conflict',
    );
    const owner = await signIn({ email, password: ownersPassword });
    assert.equal(await rejection('PUT', path, forget, owner.key), '400 invalid_parameter');
    assert.equal(await rejection('PUT', path, { ...forget, password: 'wrong' }, owner.key), '409 state_conflict');
    assert.equal((await self(key)).totp, 'Confirmed');
    await done('PUT', path, { ...forget, password: ownersPassword }, owner.key);
    assert.equal(await rejection('GET', '/v2/session', {}, key), '401 unauthenticated');
  });

  test('needs the password of an operator too', async () => {
    const { name, password: first } = await createOperator(app, 'support');
    const { key } = await operatorResult<{ key: string }>(app, 'POST', 'session', { name, password: first });
    const enrol = async (params: Record<string, unknown>) =>
      (await asOperator<ErrorResult>(app, 'POST', 'totp', params, key)).status;
    assert.deepEqual([await enrol({}), await enrol({ password: 'wrong' })], [400, 409]);
    assert.equal(await enrol({ password: first }), 200);
  });

  test('of an owner among the operators is impossible by way of managing operators', async () => {
    const { id, name, password: first } = await createOperator(app, 'owner');
    const { key } = await operatorResult<{ key: string }>(app, 'POST', 'session', { name, password: first });
    const { secret } = await operatorResult<{ secret: string }>(app, 'POST', 'totp', { password: first }, key);
    await operatorResult(app, 'PUT', 'totp', { code: codeOf(app, secret) }, key);
    for (const change of [{ newpassword: true }, { forgettotp: true }])
      assert.equal((await asOperator(app, 'PUT', 'operator', { id, ...change }, key)).status, 409);
  });
});
