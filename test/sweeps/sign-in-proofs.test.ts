// A session or key alone changes nothing about how anybody signs in: every endpoint that does declares a proof, and is
// rejected without one. The state of all sign-ins is compared around each call, so an endpoint that changes it without a
// declaration fails here the day it is added.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { applySite } from '#app/site/apply.ts';
import { effectOf, type Endpoint } from '#contract/endpoint.ts';
import { inputs, createAccountFixtures } from '#test/support/account-fixtures.ts';
import { requiredExample, type Example } from '#test/support/examples.ts';
import { operatorCall } from '#test/support/operator-fixtures.ts';
import { createOperator, operatorResult, uniqueAddress } from '#test/support/operators.ts';
import { requestResult } from '#test/support/request.ts';
import { callRoute, routes, type Route } from '#test/support/routes.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';

const changing = routes.filter(({ endpoint }) => endpoint.access !== 'public' && effectOf(endpoint) !== 'none');
const undeclared = changing.filter(({ endpoint }) => endpoint.proof === undefined);
const proven = changing.filter(({ endpoint }) => endpoint.proof === 'caller' || endpoint.proof === 'forgetfactors');
const isOfStaff = ({ operation }: Route): boolean => operation.api === 'operator';
/** Parameters that set or remove something that a person signs in with. */
const signInParameters = /^(?:subaccount|forgetfactors|forgettotp|newpassword)$/;

function changesSignIn({ path, tag, access, params, generatesPassword, session, proof }: Endpoint): boolean {
  // Ending sessions takes access away from whoever has them, and a person who is signed in can sign in again.
  const endsSessions = session === 'ends' || path === '/v2/session/open';
  const isPersonal = tag === 'session' && access === 'any' && !endsSessions;
  const isNamed = Object.entries(params).some(([name, schema]) => signInParameters.test(name) || 'x-hashed' in schema);
  return isPersonal || isNamed || generatesPassword !== undefined || proof !== undefined;
}

describe('how people sign in', () => {
  let app: TestApp;
  before(async () => {
    app = await openTestApp({ trustedProxies: ['127.0.0.1'] });
    await applySite(app.parts, { ...app.site, webhooks: { allow: ['127.0.0.0/8'] } });
  });
  after(() => app[Symbol.asyncDispose]());

  const openSession = async (): Promise<string> => {
    const { email, password } = app.lab.customer;
    const options = { params: { email, password }, headers: uniqueAddress() };
    return (await requestResult<{ key: string }>(app, 'POST', '/v2/session', options)).key;
  };

  /** Everything that decides who can sign in, and with what. */
  async function signInState(): Promise<string> {
    const { queries } = app.parts.store;
    const person = ['id', 'email', 'password_hash'] as const;
    const operator = ['id', 'name', 'email', 'status', 'password_hash', 'totp_secret', 'totp_since'] as const;
    return JSON.stringify(
      await Promise.all([
        queries.selectFrom('sign_ins').selectAll().orderBy('email').orderBy('account_id').execute(),
        queries.selectFrom('totps').selectAll().orderBy('account_id').orderBy('contact_id').execute(),
        queries.selectFrom('passkeys').selectAll().orderBy('id').execute(),
        queries.selectFrom('sign_on_providers').selectAll().orderBy('account_id').execute(),
        queries.selectFrom('sign_on_domains').selectAll().where('verified_at', 'is not', null).execute(),
        queries.selectFrom('passkey_challenges').selectAll().where('account_id', 'is not', null).execute(),
        queries.selectFrom('accounts').select(person).orderBy('id').execute(),
        queries
          .selectFrom('contacts')
          .select([...person, 'subaccount'])
          .orderBy('id')
          .execute(),
        queries.selectFrom('operators').select(operator).orderBy('id').execute(),
      ]),
    );
  }

  test('is declared by every endpoint that sets or removes a password, a factor or an access', () => {
    const found = changing.filter(({ endpoint }) => changesSignIn(endpoint));
    assert.ok(found.length >= 15);
    for (const { label, endpoint } of found)
      assert.notEqual(endpoint.proof, undefined, `declare the proof of ${label}`);
    for (const { label, endpoint } of proven)
      assert.ok('x-verified' in (endpoint.params['password'] ?? {}), `${label} takes no password as a proof`);
  });

  test('is not changed by any endpoint without a declared proof', async () => {
    let succeeded = 0;
    let session = await openSession();
    for (const route of undeclared) {
      const calls: { params: Example; key?: string }[] = isOfStaff(route)
        ? [await operatorCall(app, route)]
        : inputs(route, await createAccountFixtures(app, app.lab.customer.key, route), app.lab).map((params) => ({
            params,
          }));
      for (const { params, key = isOfStaff(route) ? app.lab.operator.key : session } of calls) {
        const state = await signInState();
        const { status } = await callRoute(app, route, params, 'json', { key, headers: uniqueAddress() });
        assert.equal(await signInState(), state, route.label);
        if (status === 200) succeeded++;
        if (route.endpoint.session === 'ends') session = await openSession();
      }
    }
    assert.ok(succeeded > undeclared.length / 2, `only ${succeeded} calls succeeded`);
  });

  test('is not changed without the proof, with a wrong one, or with an API key', async () => {
    const { contact } = await createAccountFixtures(app, app.lab.customer.key);
    const { name, password } = await createOperator(app, 'support');
    const openStaffSession = async (): Promise<string> =>
      (await operatorResult<{ key: string }>(app, 'POST', 'session', { name, password })).key;
    assert.ok(proven.length >= 7);
    for (const route of proven) {
      const { proof, params } = route.endpoint;
      const { password: _, ...least } = requiredExample(route.endpoint);
      // The default issuer of examples does not resolve.
      const issuer = 'issuer' in least ? { issuer: 'https://127.0.0.1:9' } : {};
      const input = proof === 'forgetfactors' ? { id: contact, forgetfactors: true } : { ...least, ...issuer };
      const [ownKey, apiKey, right] = isOfStaff(route)
        ? [await openStaffSession(), app.lab.operator.key, password]
        : [await openSession(), app.lab.customer.key, app.lab.customer.password];
      const state = await signInState();
      const statusWith = async (key: string, given: Example) => {
        const options = { key, headers: uniqueAddress() };
        return (await callRoute(app, route, { ...input, ...given }, 'json', options)).status;
      };
      assert.equal(await statusWith(ownKey, {}), 400, route.label);
      assert.equal(await statusWith(ownKey, { password: 'wrong' }), 409, route.label);
      if ('code' in params) assert.equal(await statusWith(ownKey, { code: '000000' }), 409, route.label);
      assert.equal(await statusWith(apiKey, { password: right }), 409, route.label);
      assert.equal(await signInState(), state, route.label);
      // Wrong attempts make the next one wait.
      app.pass(3_600_001);
    }
  });
});
