// Every endpoint that handles a password hashes it before its transaction begins: argon2 takes tens of milliseconds, and SQLite
// has one writer.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TSchema } from 'typebox';
import { createLinkToken } from '#app/account/links.ts';
import { passwordWork } from '#app/account/passwords.ts';
import { signInDigest } from '#app/account/recovery.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { callRoute, routes, type Route } from '#test/support/routes.ts';
import {
  accountFields,
  codeOf,
  uniqueAddress,
  createAccount,
  createOperator,
  operatorResult,
  signInOperator,
} from '#test/support/operators.ts';
import { domainFind } from '#store/sign-on/sign-on.ts';
import { applySite } from '#app/site/apply.ts';
import { startForwardingResolver } from '#test/support/forwarding-resolver.ts';
import { createPasskey } from '#test/support/passkeys.ts';
import { requestResult } from '#test/support/request.ts';
import { watchPasswordWork } from '#test/support/password-work.ts';
import { allowSignUp, insertSignUp } from '#test/support/sign-up-fixtures.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import type { AccountId } from '#store/account-id.ts';
import { contactFind } from '#store/account/contacts.ts';
import { invitationInsert } from '#store/account/invitations.ts';
import { customerHolder } from '#store/account/people.ts';
import { recoveryInsert } from '#store/account/recoveries.ts';
import { signInOf } from '#store/account/sign-ins.ts';
import { providerAccount } from '#store/account/accounts.ts';
import { operatorFind } from '#store/operator/operators.ts';
import { operatorHolder } from '#app/operator/signed-in.ts';

const password = 'correct horse';
const passwordParameters = ({ params }: Endpoint): [string, TSchema][] =>
  Object.entries(params).filter(([name, schema]) => /password/.test(name) && 'maxLength' in schema);
const handlesPassword = ({ endpoint }: Route): boolean =>
  endpoint.generatesPassword !== undefined || passwordParameters(endpoint).length > 0;

interface Example {
  readonly params: Record<string, unknown>;
  readonly key?: string;
  readonly headers?: Record<string, string>;
}

const address = { address1: 'Street 1', city: 'Lund', state: 'Skane', country: 'SE' };
let people = 0;
function contactFields() {
  const email = `passwords${process.pid}-${++people}@example.com`;
  return { firstname: 'Lena', lastname: 'Holm', email, password, ...address };
}

const routeOf = (label: string): Route => routes.find((route) => route.label === label)!;

/** Creates a customer account that can sign in, and signs in. The first password, which staff know, is replaced. */
async function signInCustomer(app: TestApp) {
  const fields = accountFields();
  const first = 'chosen by staff';
  const account = await operatorResult<string>(app, 'POST', 'account', { ...fields, password: first });
  const params = { email: fields.email, password: first };
  const { body } = await callRoute(app, routeOf('v2 POST /v2/session'), params, 'json', { headers: uniqueAddress() });
  const { key } = body.result as { key: string };
  const change = { password: first, newpassword: password };
  await callRoute(app, routeOf('v2 PUT /v2/session/password'), change, 'json', { key });
  return { email: fields.email, password, key, account: Number(account) as AccountId };
}

async function newContact(app: TestApp): Promise<string> {
  const route = routes.find(({ label }) => label === 'v2 POST /v2/account/contact')!;
  const params = { ...contactFields(), zipcode: '22100' };
  const { body } = await callRoute(app, route, params, 'json', { key: app.lab.customer.key });
  return (body.result as { contactid: string }).contactid;
}

const allowed = { allow: ['127.0.0.1/32'] };
const identityProvider = {
  issuer: 'https://127.0.0.1:9',
  clientid: 'hostyard',
  clientsecret: 'secret',
  grants: [{ value: 'staff', permissions: ['device:read'] }],
  password,
};

async function signInWithProvider(app: TestApp) {
  const person = await signInCustomer(app);
  await applySite(app.parts, { ...app.site, webhooks: allowed });
  await requestResult(app, 'PUT', '/v2/account/sign-on', { key: person.key, params: identityProvider });
  const added = { key: person.key, params: { domain: 'sweep.example.org' } };
  await requestResult(app, 'POST', '/v2/account/sign-on/domain', added);
  return person;
}

async function withAuthenticatorApp(app: TestApp): Promise<Example> {
  const { key } = await signInCustomer(app);
  const { body } = await callRoute(app, routeOf('v2 POST /v2/session/totp'), { password }, 'json', { key });
  const code = codeOf(app, (body.result as { secret: string }).secret);
  await callRoute(app, routeOf('v2 PUT /v2/session/totp'), { code }, 'json', { key });
  return { params: { password }, key };
}

/** A call of each endpoint that makes it hash or verify every password that it can. */
const examples: Readonly<Record<string, (app: TestApp) => Promise<Example>>> = {
  'legacy.contactCreate': async ({ lab }) => ({
    params: { ...contactFields(), phone: '1', county: 'SE', zipcode: '22100' },
    key: lab.customer.key,
  }),
  'legacy.contactUpdate': async (app) => ({
    params: { id: await newContact(app), ...contactFields(), phone: '1', county: 'SE', zipcode: '22100' },
    key: app.lab.customer.key,
  }),
  'v2.contactCreate': async ({ lab }) => ({ params: { ...contactFields(), zipcode: '22100' }, key: lab.customer.key }),
  'v2.contactUpdate': async (app) => ({ params: { id: await newContact(app), password }, key: app.lab.customer.key }),
  'v2.sessionCreate': async (app) => {
    const { email } = await signInCustomer(app);
    return { params: { email, password } };
  },
  'v2.passwordSet': async (app) => ({
    params: { password, newpassword: 'another horse' },
    key: (await signInCustomer(app)).key,
  }),
  'v2.recoveryComplete': async (app) => {
    const { account } = await signInCustomer(app);
    const { queries } = app.parts.store;
    const person = { account_id: account, contact_id: null };
    const signIn = (await signInOf(queries, person))!;
    const { token, token_hash } = createLinkToken();
    const times = { created_at: 0, expires_at: app.parts.clock.now() + 60_000 };
    const digest = { token_hash, sign_in_digest: signInDigest(signIn) };
    await recoveryInsert(queries, { ...customerHolder(person), ...times, ...digest });
    return { params: { token, newpassword: 'another horse' } };
  },
  'v2.invitationAccept': async (app) => {
    const { queries } = app.parts.store;
    const account_id = 1 as AccountId;
    const contact_id = Number(await newContact(app));
    const { email } = (await contactFind(queries, account_id, contact_id))!;
    const { token, token_hash } = createLinkToken();
    const times = { created_at: 0, expires_at: app.parts.clock.now() + 60_000 };
    const invitation = { account_id, contact_id, token_hash, email, permissions: '', invited_by: '', ...times };
    await invitationInsert(queries, invitation);
    return { params: { token, newpassword: 'another horse' } };
  },
  'v2.signUpComplete': async (app) => {
    await allowSignUp(app);
    const { token } = await insertSignUp(app, 'Unverified');
    return { params: { token, newpassword: 'another horse' } };
  },
  'v2.totpEnd': withAuthenticatorApp,
  'v2.recoveryCodesCreate': withAuthenticatorApp,
  'v2.totpEnrol': async (app) => ({ params: { password }, key: (await signInCustomer(app)).key }),
  'v2.passkeyBegin': async (app) => ({
    params: { password },
    key: (await signInCustomer(app)).key,
    headers: { host: 'localhost', origin: 'http://localhost' },
  }),
  'v2.accountExportCreate': async (app) => ({ params: { password }, key: (await signInCustomer(app)).key }),
  'v2.erasureRequest': async (app) => ({ params: { password }, key: (await signInCustomer(app)).key }),
  'v2.passkeyDelete': async (app) => {
    const { key, account } = await signInCustomer(app);
    return { params: { id: await createPasskey(app, account), password }, key };
  },
  'v2.signOnSettingsSet': async (app) => ({ params: identityProvider, key: (await signInWithProvider(app)).key }),
  'v2.signOnSettingsDelete': async (app) => ({ params: { password }, key: (await signInWithProvider(app)).key }),
  'v2.signOnDomainVerify': async (app) => {
    const { key, account } = await signInWithProvider(app);
    const { queries } = app.parts.store;
    const { token } = (await domainFind(queries, account, 'sweep.example.org'))!;
    // The built-in name server is asked instead of the public DNS.
    const nameserver = { ...app.site.nameserver!, resolvers: [await startForwardingResolver(app.dns)] };
    await applySite(app.parts, { ...app.site, nameserver, webhooks: allowed });
    const zone = { key: app.lab.customer.key, params: { domain: 'sweep.example.org' } };
    const domain = await requestResult<string>(app, 'POST', '/v2/dns/domain', zone);
    const record = '_hostyard-challenge.sweep.example.org';
    const params = { domain, record, type: 'TXT', content: `hostyard-claim=${token}` };
    await requestResult(app, 'POST', '/v2/dns/record', { key: app.lab.customer.key, params });
    return { params: { domain: 'sweep.example.org', password }, key };
  },
  'v2.signOnDomainDelete': async (app) => ({
    params: { domain: 'sweep.example.org', password },
    key: (await signInWithProvider(app)).key,
  }),
  'v2.contactSettings': async (app) => ({
    params: { id: await newContact(app), forgetfactors: true, password: app.lab.customer.password },
    key: (
      await requestResult<{ key: string }>(app, 'POST', '/v2/session', {
        params: { email: app.lab.customer.email, password: app.lab.customer.password },
      })
    ).key,
  }),
  'operator.totpEnrol': async (app) => {
    const { name, password: first } = await createOperator(app, 'support');
    const { key } = await operatorResult<{ key: string }>(app, 'POST', 'session', { name, password: first });
    return { params: { password: first }, key };
  },
  'operator.passkeyBegin': async (app) => {
    const { password: first, key } = await signInOperator(app, 'support');
    return { params: { password: first }, key, headers: { host: 'localhost', origin: 'http://localhost' } };
  },
  'operator.passkeyDelete': async (app) => {
    const { id, password: first, key } = await signInOperator(app, 'support');
    return { params: { id: await createPasskey(app, providerAccount, Number(id)), password: first }, key };
  },
  'operator.emailSet': async (app) => {
    const { password: first, key } = await signInOperator(app, 'support');
    return { params: { email: 'sam@example.net', password: first }, key };
  },
  'operator.recoveryComplete': async (app) => {
    const { queries } = app.parts.store;
    const operator = (await operatorFind(queries, Number((await createOperator(app, 'support')).id)))!;
    const { token, token_hash } = createLinkToken();
    const times = { created_at: 0, expires_at: app.parts.clock.now() + 60_000 };
    const digest = { token_hash, sign_in_digest: signInDigest(operator) };
    await recoveryInsert(queries, { ...operatorHolder(operator.id), ...times, ...digest });
    return { params: { token, newpassword: 'yet another horse' } };
  },
  'operator.sessionCreate': async (app) => {
    const { name, password: first } = await createOperator(app, 'support');
    return { params: { name, password: first } };
  },
  'operator.passwordSet': async (app) => {
    const { password: first, key } = await signInOperator(app, 'support');
    return { params: { password: first, newpassword: 'another horse' }, key };
  },
  'operator.accountCreate': async ({ lab }) => ({ params: { ...accountFields(), password }, key: lab.operator.key }),
  'operator.accountUpdate': async (app) => ({
    params: { id: await createAccount(app), password, reason: 'sweep' },
    key: app.lab.operator.key,
  }),
  'operator.operatorCreate': async ({ lab }) => ({
    params: { name: `drawn-${process.pid}`, role: 'support' },
    key: lab.operator.key,
  }),
  'operator.operatorUpdate': async (app) => ({
    params: { id: (await createOperator(app, 'support')).id, newpassword: true },
    key: app.lab.operator.key,
  }),
};

describe('every endpoint that handles a password', () => {
  let app: TestApp;
  before(async () => void (app = await openTestApp({ answersDns: true, trustedProxies: ['127.0.0.1'] })));
  after(() => app[Symbol.asyncDispose]());

  for (const route of routes.filter(handlesPassword)) {
    const { api, name, endpoint } = route.operation;
    test(`${api}.${name} runs argon2 only before its transaction`, async () => {
      const example = examples[`${api}.${name}`] ?? assert.fail(`give ${api}.${name} an example in this file`);
      const { params, key, headers } = await example(app);
      using watch = watchPasswordWork(app);
      const options = { headers: { ...uniqueAddress(), ...headers }, ...(key === undefined ? {} : { key }) };
      const { status, text } = await callRoute(app, route, params, 'json', options);
      assert.equal(status, 200, text);
      // A sign-in of customers always verifies two: several tenants may have the email address.
      const ofSignIn = `${api}.${name}` === 'v2.sessionCreate' ? 1 : 0;
      const generated = endpoint.generatesPassword === undefined ? 0 : 1;
      const expected = passwordParameters(endpoint).length + generated + ofSignIn;
      assert.deepEqual(
        watch.take(),
        Array.from({ length: expected }, () => false),
      );
    });

    // Sign-in opens its transaction itself, after the password is verified.
    if (endpoint.access === 'public') continue;
    test(`${api}.${name} declares what is done with each password`, () => {
      for (const [parameter, schema] of passwordParameters(endpoint))
        assert.ok(
          'x-hashed' in schema || 'x-verified' in schema,
          `${parameter} must be CurrentPassword or NewPassword`,
        );
    });
  }

  for (const [name, table] of [
    ['v2.passwordSet', 'accounts'],
    ['operator.passwordSet', 'operators'],
  ] as const) {
    test(`${name} rejects a password that is changed while it is verified`, async () => {
      const route = routes.find(({ operation }) => `${operation.api}.${operation.name}` === name)!;
      const { params, key } = await examples[name]!(app);
      const change = () =>
        void app.parts.store.queries.updateTable(table).set({ password_hash: '$argon2id$changed' }).execute();
      passwordWork.subscribe(change);
      const { status, text } = await callRoute(app, route, params, 'json', { key: key! });
      passwordWork.unsubscribe(change);
      assert.equal(status, 409, text);
      assert.match(text, /Current password is incorrect/);
    });
  }
});
