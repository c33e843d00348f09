// What staff can do to a customer's sign-in: only owners can change it, the customer learns of it, and a password that
// staff know opens nothing but the page that replaces it.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { accountFields, asOperator, operatorResult, signInOperator, uniqueAddress } from '#test/support/operators.ts';
import { request, requestResult, type Envelope, type ErrorResult } from '#test/support/request.ts';
import type { TestApp } from '#test/support/app.ts';

const day = 86_400_000;
const reason = 'Called from the number on file';

interface Session {
  readonly key: string;
}
interface Event {
  readonly type: string;
  readonly data: Record<string, unknown>;
}

describeOnEngines("customers' credentials", { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  before(async () => void (app = await openApp({ trustedProxies: ['127.0.0.1'] })));

  const signIn = (email: string, password: string) =>
    request<Envelope<Session & ErrorResult>>(app, 'POST', '/v2/session', {
      params: { email, password },
      headers: uniqueAddress(),
    });
  const asCustomer = <Result = ErrorResult>(key: string, method: string, path: string, params = {}) =>
    request<Envelope<Result>>(app, method, `/v2/${path}`, { key, params });

  async function createCustomer(password?: string) {
    const fields = accountFields();
    const account = await operatorResult<string>(app, 'POST', 'account', {
      ...fields,
      ...(password === undefined ? {} : { password }),
    });
    return { account, email: fields.email };
  }
  async function newestEvent(account: string): Promise<Event> {
    const { key } = await operatorResult<Session>(app, 'POST', 'key', {
      account,
      name: 'reader',
      scopes: ['read-only'],
    });
    const { events } = await requestResult<{ events: Event[] }>(app, 'GET', '/v2/event', { key });
    return events.findLast(({ type }) => type !== 'key.created')!;
  }

  for (const role of ['support', 'billing'] as const)
    test(`${role} cannot become a customer`, async () => {
      const { key } = await signInOperator(app, role);
      const { account, email } = await createCustomer('first password');
      const attempts = [
        ['password', 'PUT', 'account', { id: account, password: 'chosen by staff' }],
        ['email', 'PUT', 'account', { id: account, email: 'staff@example.com' }],
        ['forgetfactors', 'PUT', 'account', { id: account, forgetfactors: true }],
        ['', 'POST', 'key', { account, name: 'mine', scopes: ['all'] }],
      ] as const;
      for (const [field, method, path, params] of attempts) {
        const { status, body } = await asOperator<ErrorResult>(app, method, path, params, key);
        assert.equal(status, 403, `${method} ${path} ${field}: ${JSON.stringify(body)}`);
        assert.equal(body.result.code, 'role_missing');
        if (field !== '') assert.match(body.result.fields[field]!, new RegExp(role));
      }
      assert.equal((await signIn(email, 'chosen by staff')).status, 401);
      assert.equal((await signIn(email, 'first password')).status, 200);
    });

  test('an owner gives a reason, and the customer sees it with the name of the owner', async () => {
    const owner = await signInOperator(app, 'owner');
    const { account, email } = await createCustomer('first password');
    const change = { id: account, password: 'second password', forgetfactors: true };
    const withoutReason = await asOperator<ErrorResult>(app, 'PUT', 'account', change, owner.key);
    assert.equal(withoutReason.status, 400);
    assert.match(withoutReason.body.result.fields['reason']!, /required/);
    assert.equal((await signIn(email, 'second password')).status, 401);
    await operatorResult(app, 'PUT', 'account', { ...change, reason }, owner.key);
    const { type, data } = await newestEvent(account);
    assert.equal(type, 'account.signin.changed');
    assert.deepEqual(data, { changed: ['password', 'secondfactors'], operator: owner.name, reason });
  });

  test('a password from staff only opens the way to a new one', async () => {
    const { account, email } = await createCustomer('from staff');
    const { key } = (await signIn(email, 'from staff')).body.result;
    const self = await asCustomer<{ scopes: string[]; passwordchange: string }>(key, 'GET', 'session');
    assert.deepEqual([self.body.result.scopes, self.body.result.passwordchange], [[], '1']);
    for (const [method, path, params] of [
      ['GET', 'account', {}],
      ['POST', 'session/totp', { password: 'from staff' }],
      ['POST', 'session/passkey', { password: 'from staff' }],
    ] as const) {
      const { status, body } = await asCustomer(key, method, path, params);
      assert.equal(status, 403, `${path}: ${JSON.stringify(body)}`);
      assert.match(body.result.message, /password/, path);
    }
    const own = { password: 'from staff', newpassword: 'my own password' };
    assert.equal((await asCustomer(key, 'PUT', 'session/password', { ...own, newpassword: 'from staff' })).status, 400);
    assert.equal((await asCustomer(key, 'PUT', 'session/password', own)).status, 200);
    assert.equal((await asCustomer(key, 'GET', 'account')).status, 200);
    assert.equal((await signIn(email, 'from staff')).status, 401);
    const again = (await signIn(email, own.newpassword)).body.result;
    assert.equal((await asCustomer(again.key, 'GET', 'account')).status, 200);

    await operatorResult(app, 'PUT', 'account', { id: account, password: 'from an owner', reason });
    assert.equal((await asCustomer(again.key, 'GET', 'account')).status, 401);
    const reset = (await signIn(email, 'from an owner')).body.result;
    assert.equal((await asCustomer(reset.key, 'GET', 'account')).status, 403);
  });

  test('a password from staff stops working after seven days', async () => {
    const { email } = await createCustomer('from staff');
    app.pass(7 * day - 60_000);
    assert.equal((await signIn(email, 'from staff')).status, 200);
    app.pass(60_000);
    assert.equal((await signIn(email, 'from staff')).status, 401);
  });
});
