// One email address in the accounts of several tenants: no tenant learns of the others, and each person signs in to
// their own account.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Session } from '#sdk/v2.ts';
import { passwordWork } from '#app/account/passwords.ts';
import { anna } from '#test/support/contacts.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { accountFields, asOperator, codeOf, uniqueAddress } from '#test/support/operators.ts';
import { request, requestResult, type Envelope, type ErrorResult } from '#test/support/request.ts';
import type { TestApp } from '#test/support/app.ts';

let addresses = 0;
const newAddress = () => `shared${process.pid}-${++addresses}@example.com`;

describeOnEngines('an email address of several tenants', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  before(async () => void (app = await openApp({ trustedProxies: ['127.0.0.1'] })));

  const signIn = (params: Record<string, unknown>) =>
    request<Envelope<Session & ErrorResult>>(app, 'POST', '/v2/session', { params, headers: uniqueAddress() });
  const accountOf = async (params: Record<string, unknown>) => {
    const { status, body } = await signIn(params);
    return status === 200 ? `${body.result.account} ${body.result.contact}` : status;
  };
  async function subaccount(key: string, email: string, password: string) {
    const params = { ...anna, email, password };
    const created = await request<Envelope<{ contactid: string }>>(app, 'POST', '/v2/account/contact', { key, params });
    const id = created.body.result.contactid;
    const settings = await request<Envelope<ErrorResult>>(app, 'PUT', '/v2/account/contact/settings', {
      key,
      params: { id, subaccount: true, permissions: ['account:read'] },
    });
    return { id, created, settings };
  }
  /** Removes what belongs to this very request. */
  const comparable = ({ status, headers, body }: Awaited<ReturnType<typeof subaccount>>['settings']) => ({
    status,
    body,
    headers: [...headers.keys()].toSorted(),
  });

  test('is accepted with the same response as one that no other person uses', async () => {
    const { customer, stranger } = app.lab;
    const own = newAddress();
    assert.equal((await subaccount(customer.key, own, 'own password')).settings.status, 200);
    const taken = [
      await subaccount(stranger.key, customer.email, 'a wild guess'),
      await subaccount(stranger.key, own, 'a wild guess'),
    ];
    const free = await subaccount(stranger.key, newAddress(), 'a wild guess');
    for (const { settings } of taken) assert.deepEqual(comparable(settings), comparable(free.settings));
    const change = { key: stranger.key, params: { id: free.id, email: own.toUpperCase() } };
    // The stranger's own second use of it is the stranger's to know.
    assert.equal((await request(app, 'PUT', '/v2/account/contact', change)).status, 409);
    await request(app, 'DELETE', '/v2/account/contact', { key: stranger.key, params: { id: taken[1]!.id } });
    assert.equal((await request(app, 'PUT', '/v2/account/contact', change)).status, 200);
  });

  test('opens the account whose password is given', async () => {
    const { customer, stranger } = app.lab;
    const email = newAddress();
    const first = await subaccount(customer.key, email, 'password of the first');
    const second = await subaccount(stranger.key, email, 'password of the second');
    assert.equal(await accountOf({ email, password: 'password of the first' }), `${customer.account} ${first.id}`);
    assert.equal(await accountOf({ email, password: 'password of the second' }), `${stranger.account} ${second.id}`);
    assert.equal(await accountOf({ email, password: 'of neither' }), 401);
    await request(app, 'DELETE', '/v2/account/contact', { key: customer.key, params: { id: first.id } });
    assert.equal(await accountOf({ email, password: 'password of the first' }), 401);
    assert.equal(await accountOf({ email, password: 'password of the second' }), `${stranger.account} ${second.id}`);
  });

  test('opens the older access if both passwords are the same, and the other by its account', async () => {
    const { customer, stranger } = app.lab;
    const email = newAddress();
    const password = 'the very same';
    const first = await subaccount(stranger.key, email, password);
    app.pass(1000);
    const second = await subaccount(customer.key, email, password);
    assert.equal(await accountOf({ email, password }), `${stranger.account} ${first.id}`);
    assert.equal(await accountOf({ email, password, account: customer.account }), `${customer.account} ${second.id}`);
    assert.equal(await accountOf({ email, password, account: 98765 }), 401);
  });

  test('asks each person for their own code', async () => {
    const { customer, stranger } = app.lab;
    const email = newAddress();
    const password = 'first password';
    const first = await subaccount(customer.key, email, password);
    await subaccount(stranger.key, email, 'second password');
    const { key } = (await signIn({ email, password })).body.result;
    const enrolment = { key, params: { password }, headers: uniqueAddress() };
    const { secret } = await requestResult<{ secret: string }>(app, 'POST', '/v2/session/totp', enrolment);
    const params = { code: codeOf(app, secret) };
    await requestResult(app, 'PUT', '/v2/session/totp', { key, params, headers: uniqueAddress() });
    assert.equal(await accountOf({ email, password }), 401);
    const code = codeOf(app, secret, 1);
    assert.equal(await accountOf({ email, password, code }), `${customer.account} ${first.id}`);
    const { status, body } = await signIn({ email, password: 'second password' });
    assert.deepEqual([status, body.result.account], [200, stranger.account]);
  });

  test('costs as many hashes as an unknown address or one with a single person', async () => {
    const { customer, stranger } = app.lab;
    const [shared, single] = [newAddress(), newAddress()];
    await subaccount(customer.key, shared, 'first password');
    await subaccount(stranger.key, shared, 'second password');
    await subaccount(stranger.key, single, 'second password');
    // The dummy hash for unknown people is made once per process.
    await signIn({ email: newAddress(), password: 'wrong' });
    let runs = 0;
    const count = () => void runs++;
    passwordWork.subscribe(count);
    const costs: number[] = [];
    for (const email of [newAddress(), single, shared])
      for (const password of ['wrong', 'second password']) {
        runs = 0;
        await signIn({ email, password });
        costs.push(runs);
      }
    passwordWork.unsubscribe(count);
    assert.deepEqual(costs, [2, 2, 2, 2, 2, 2]);
  });

  test("of an account's own sign-in is still unique among accounts, which only staff see", async () => {
    const fields = accountFields();
    assert.equal((await asOperator(app, 'POST', 'account', fields)).status, 200);
    assert.equal((await asOperator(app, 'POST', 'account', { ...fields, currency: 'EUR' })).status, 409);
    const email = newAddress();
    await subaccount(app.lab.customer.key, email, 'of a contact');
    assert.equal((await asOperator(app, 'POST', 'account', { ...accountFields(), email })).status, 200);
  });
});
