// Single sign-on of an account's people through the provider that the account chose, and what hostile tenants try with it.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { sql } from 'kysely';
import type { Static } from 'typebox';
import { hashPassword } from '#app/account/passwords.ts';
import { applySite } from '#app/site/apply.ts';
import type { SignOnDomain, SignOnFlow, SignOnSettings } from '#contract/shapes/sign-on.ts';
import type { AccountId } from '#store/account-id.ts';
import { accountChange } from '#store/account/accounts.ts';
import { contactList, contactRemove } from '#store/account/contacts.ts';
import { signOnSessionsEnd } from '#store/account/keys.ts';
import { domainUpdate, domainFind, providerRemove } from '#store/sign-on/sign-on.ts';
import type { Session } from '#sdk/v2.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { callDuring } from '#test/support/concurrent-calls.ts';
import { listEvents } from '#test/support/event-stream.ts';
import { startForwardingResolver } from '#test/support/forwarding-resolver.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { startIdentityProvider, type IdentityProvider } from '#test/support/identity-provider.ts';
import { accountFields, codeOf, operatorResult, uniqueAddress } from '#test/support/operators.ts';
import { request, requestResult, type Envelope, type ErrorResult } from '#test/support/request.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until } from '#test/support/until.ts';

interface Tenant {
  readonly account: string;
  readonly email: string;
  readonly password: string;
  readonly secret: string;
  readonly key: string;
  readonly provider: IdentityProvider;
}

const password = 'correct horse battery';

describeOnEngines('single sign-on of an account', { postgres: 'in long runs' }, ({ engine, newDatabase }) => {
  const owned = suiteResources();
  let app: TestApp;
  let good: Tenant;
  let hostile: Tenant;
  before(async () => {
    app = owned.use(await openTestApp({ ...(await newDatabase()), answersDns: true, trustedProxies: ['127.0.0.1'] }));
    await applySite(app.parts, { ...app.site, webhooks: { allow: ['127.0.0.1/32'] } });
    [good, hostile] = [await createTenant('good.example'), await createTenant('hostile.example')];
  });

  /** Creates an account with a second factor, a provider and a verified domain. */
  async function createTenant(domain: string): Promise<Tenant> {
    const { email, ...fields } = accountFields();
    const account = await operatorResult<string>(app, 'POST', 'account', { ...fields, email });
    const password_hash = await hashPassword(password);
    await accountChange(app.parts.store.queries, Number(account) as AccountId, { password_hash });
    const { key } = (await send<Session>('POST', '/v2/session', { email, password })).body.result;
    const { secret } = (await send<{ secret: string }>('POST', '/v2/session/totp', { password }, key)).body.result;
    await send('PUT', '/v2/session/totp', { code: codeOf(app, secret) }, key);
    const provider = owned.use(await startIdentityProvider([`${app.url}/panel/sign-on/${account}`]));
    const tenant = { account, email, password, secret, key, provider };
    await configure(tenant);
    const added = await send<Static<typeof SignOnDomain>>('POST', '/v2/account/sign-on/domain', { domain }, key);
    assert.equal(added.status, 200, JSON.stringify(added.body));
    await verify(tenant, domain);
    return tenant;
  }
  function send<Result>(method: string, path: string, params: object = {}, key?: string) {
    return request<Envelope<Result>>(app, method, path, {
      params: { ...params },
      headers: { ...uniqueAddress(), origin: app.url },
      ...(key !== undefined && { key }),
    });
  }
  const settingsOf = ({ issuer, clientId, clientSecret }: IdentityProvider) => ({
    issuer,
    clientid: clientId,
    clientsecret: clientSecret,
    scopes: ['email', 'groups'],
    grants: [
      { value: 'admins', permissions: ['device:read', 'dns:write'] },
      { value: 'staff', permissions: ['device:read'] },
    ],
    password,
  });
  const configure = async ({ key, provider }: Tenant, change: object = {}) =>
    send<Static<typeof SignOnSettings> & ErrorResult>(
      'PUT',
      '/v2/account/sign-on',
      { ...settingsOf(provider), ...change },
      key,
    );
  /** As if the record had been found; the lookup itself is tested below. */
  async function verify({ account }: Tenant, domain: string, required = 0): Promise<void> {
    const { queries } = app.parts.store;
    const row = (await domainFind(queries, Number(account) as AccountId, domain))!;
    await domainUpdate(queries, row, { verified_at: 1, required });
  }
  async function begin(email: string, account?: string) {
    const chosen = account === undefined ? {} : { account };
    const { status, body } = await send<Static<typeof SignOnFlow>>('POST', '/v2/session/sign-on', { email, ...chosen });
    assert.equal(status, 200, JSON.stringify(body));
    return body.result;
  }
  async function signOn({ provider }: Tenant, subject: string, email = `${subject}@good.example`) {
    const { url, flow } = await begin(email);
    return { flow, response: await provider.signIn(url, subject) };
  }
  const complete = (input: object) => send<Session>('PUT', '/v2/session/sign-on', input);
  async function refusal(input: object | Promise<object>): Promise<string> {
    const { status, body } = await send<ErrorResult>('PUT', '/v2/session/sign-on', await input);
    assert.equal(status, 403, JSON.stringify(body));
    assert.equal(body.result.code, 'sign_on_failed');
    return body.result.message;
  }

  it('creates a contact with the permissions of its groups, and follows them', async () => {
    good.provider.people.set('ann', { email: 'Ann@good.example', email_verified: true, groups: ['staff'] });
    const first = await complete(await signOn(good, 'ann'));
    assert.equal(first.status, 200, JSON.stringify(first.body));
    const { account, subaccount, scopes, key, contact } = first.body.result;
    assert.deepEqual([account, subaccount, scopes], [good.account, '1', ['device:read']]);
    good.provider.people.set('ann', { email: 'ann@good.example', groups: ['admins'] });
    const second = (await complete(await signOn(good, 'ann'))).body.result;
    assert.deepEqual([second.contact, second.scopes], [contact, ['device:read', 'dns:write']]);
    const own = { name: 'program', scopes: ['device:read'], contact };
    const { key: program } = (await send<{ key: string }>('POST', '/v2/account/key', own, good.key)).body.result;
    const useProgram = async () => (await send('GET', '/v2/device/list', {}, program)).status;
    assert.equal(await useProgram(), 200);
    good.provider.people.set('ann', { email: 'ann@good.example', groups: [] });
    assert.match(await refusal(signOn(good, 'ann')), /not in a group that has access/);
    assert.equal((await send('GET', '/v2/session', {}, key)).status, 401);
    assert.equal(await useProgram(), 403, 'an API key outlives the access of its person');
    good.provider.people.set('ann', { email: 'ann@good.example', groups: ['staff'] });
    assert.equal((await complete(await signOn(good, 'ann'))).status, 200);
    assert.equal(await useProgram(), 200);
  });

  it('takes over names that people could give themselves, and no other text', async () => {
    const { forge } = good.provider;
    const names = { given_name: ' Zoë  Maria ', family_name: 'See https://phish.example' };
    good.provider.forge = (claims) => ({ ...forge(claims), ...names });
    good.provider.people.set('zoe', { email: 'zoe@good.example', groups: ['staff'] });
    assert.equal((await complete(await signOn(good, 'zoe'))).status, 200);
    good.provider.forge = forge;
    const contacts = await contactList(app.parts.store.queries, Number(good.account) as AccountId);
    const zoe = contacts.find(({ email }) => email === 'zoe@good.example')!;
    assert.deepEqual([zoe.firstname, zoe.lastname], ['Zoë Maria', '']);
    const endless = 'x'.repeat(256);
    good.provider.people.set(endless, { email: 'endless@good.example', groups: ['staff'] });
    assert.match(await refusal(signOn(good, endless, 'endless@good.example')), /not accepted/);
    good.provider.people.set('bell', { email: 'bell\u0007@good.example', groups: ['staff'] });
    assert.match(await refusal(signOn(good, 'bell')), /did not report a verified email address/);
  });

  it('never signs in the account itself, and ends after an hour', async () => {
    const domain = good.email.split('@')[1]!;
    await send('POST', '/v2/account/sign-on/domain', { domain }, good.key);
    await verify(good, domain);
    good.provider.people.set('boss', { email: good.email, email_verified: true, groups: ['admins'] });
    assert.match(await refusal(signOn(good, 'boss', good.email)), /signs in another way/);
    const { key } = (await complete(await signOn(good, 'ann'))).body.result;
    app.pass(3_601_000);
    assert.equal((await send('GET', '/v2/session', {}, key)).status, 401);
    const { key: renewed } = (
      await send<Session>('POST', '/v2/session', { email: good.email, password, code: codeOf(app, good.secret) })
    ).body.result;
    assert.notEqual(renewed, '');
  });

  it('creates nobody in an account that was closed meanwhile', async () => {
    const tenant = await createTenant('closing.example');
    const account = Number(tenant.account) as AccountId;
    tenant.provider.people.set('lea', { email: 'lea@closing.example', email_verified: true, groups: ['admins'] });
    const begun = await signOn(tenant, 'lea', 'lea@closing.example');
    await operatorResult(app, 'DELETE', 'account', { id: tenant.account });
    assert.equal((await complete(begun)).status, 403);
    assert.deepEqual(await contactList(app.parts.store.queries, account), []);
  });

  // SQLite has one writer at a time.
  if (engine === 'postgres') {
    it('refuses a contact who is deleted meanwhile', async () => {
      const { store } = app.parts;
      const tenant = await createTenant('deleting.example');
      const account = Number(tenant.account) as AccountId;
      tenant.provider.people.set('lea', { email: 'lea@deleting.example', email_verified: true, groups: ['admins'] });
      const { contact } = (await complete(await signOn(tenant, 'lea', 'lea@deleting.example'))).body.result;
      const begun = await signOn(tenant, 'lea', 'lea@deleting.example');
      const { status, body } = await callDuring(
        store,
        (queries) => contactRemove(queries, account, Number(contact)),
        () => send<ErrorResult>('PUT', '/v2/session/sign-on', begun),
      );
      assert.deepEqual([status, body.result.code], [403, 'sign_on_failed']);
    });

    it('ends with the provider, also for a sign-in that is under way', async () => {
      const { store, clock } = app.parts;
      const tenant = await createTenant('leaving.example');
      const account = Number(tenant.account) as AccountId;
      tenant.provider.people.set('lea', { email: 'lea@leaving.example', email_verified: true, groups: ['admins'] });
      const begun = await signOn(tenant, 'lea', 'lea@leaving.example');
      const waiting = sql<{ count: number }>`select count(*)::int as count from pg_locks where not granted`;
      let status: number | undefined;
      const { completing } = await store.transaction(async (queries) => {
        await providerRemove(queries, account);
        const response = complete(begun).then((answer) => (status = answer.status));
        await until(async () => status !== undefined || (await waiting.execute(store.queries)).rows[0]!.count > 0);
        await signOnSessionsEnd(queries, account, clock.now());
        return { completing: response };
      });
      assert.notEqual(await completing, 200);
      assert.deepEqual(await contactList(store.queries, account), []);
    });
  }

  it('lets no provider speak for a person of another tenant', async () => {
    hostile.provider.people.set('mallory', { email: 'ann@good.example', email_verified: true, groups: ['admins'] });
    assert.match(await refusal(signOn(hostile, 'mallory', 'x@hostile.example')), /domain of this account/);
    // The same subject as a person of the other tenant, and its own domain: a contact of its own account, no other.
    hostile.provider.people.set('ann', { email: 'ann@hostile.example', email_verified: true, groups: ['admins'] });
    const { body } = await complete(await signOn(hostile, 'ann', 'x@hostile.example'));
    assert.equal(body.result.account, hostile.account);
    // An ID token with the issuer of the other provider.
    hostile.provider.forge = (claims) => ({ ...claims, iss: good.provider.issuer });
    assert.match(await refusal(signOn(hostile, 'ann', 'x@hostile.example')), /not accepted/);
    hostile.provider.forge = (claims) => claims;
    const { status, body: chosen } = await send<ErrorResult>('POST', '/v2/session/sign-on', {
      email: 'ann@good.example',
      account: hostile.account,
    });
    assert.deepEqual([status, chosen.result.code], [404, 'not_found']);
  });

  it('rejects the response of one provider in the flow of another', async () => {
    const ofHostile = await signOn(hostile, 'ann', 'x@hostile.example');
    const ofGood = await begin('ann@good.example');
    assert.match(await refusal({ flow: ofGood.flow, response: ofHostile.response }), /does not belong/);
    // With the address of the other's page, and even with its state.
    const mixed = new URL(ofHostile.response);
    mixed.pathname = `/panel/sign-on/${good.account}`;
    const next = await begin('ann@good.example');
    mixed.searchParams.set('state', new URL(next.url).searchParams.get('state')!);
    assert.match(await refusal({ flow: next.flow, response: mixed.href }), /not accepted/);
    // A customer's flow opens no session of staff.
    const { body } = await send<ErrorResult>('PUT', '/operator/session/sign-on', await signOn(good, 'ann'));
    assert.equal(body.result.code, 'sign_on_failed');
  });

  it('leads to an account that is open, not to one that had the domain and was closed', async () => {
    const domain = 'moved.example';
    const [former, next] = [await createTenant(domain), await createTenant(domain)];
    await operatorResult(app, 'DELETE', 'account', { id: former.account });
    const email = `ann@${domain}`;
    const { url } = await begin(email);
    assert.ok(url.startsWith(next.provider.issuer), url);
    assert.equal((await send('POST', '/v2/session/sign-on', { email, account: former.account })).status, 404);
  });

  it('calls no address that the account could not send webhooks to', async () => {
    const code = async (issuer: string) => (await configure(hostile, { issuer })).body.result.fields?.['issuer'];
    assert.match((await code('https://169.254.169.254/latest'))!, /not allowed/);
    assert.match((await code('https://10.0.0.1/'))!, /not allowed/);
    assert.match((await code('http://9.9.9.9/'))!, /https/);
    // Allowed when it was set, and no longer when it is called.
    await applySite(app.parts, { ...app.site, webhooks: { allow: [] } });
    const before = hostile.provider.requestsTo('/.well-known/openid-configuration');
    const refused = await send<ErrorResult>('POST', '/v2/session/sign-on', { email: 'x@hostile.example' });
    assert.deepEqual([refused.status, refused.body.result.code], [403, 'sign_on_failed']);
    assert.match(refused.body.result.message, /not allowed/);
    assert.equal(hostile.provider.requestsTo('/.well-known/openid-configuration'), before);
    await applySite(app.parts, { ...app.site, webhooks: { allow: ['127.0.0.1/32'] } });
    // URLs in the metadata are checked like the issuer.
    for (const [name, url] of Object.entries({
      jwks_uri: 'http://169.254.169.254/jwks',
      token_endpoint: 'http://10.0.0.1/token',
      authorization_endpoint: 'javascript:alert(1)',
    })) {
      hostile.provider.metadata = { [name]: url };
      const { status, body } = await send<ErrorResult & Static<typeof SignOnFlow>>('POST', '/v2/session/sign-on', {
        email: 'x@hostile.example',
      });
      if (name === 'authorization_endpoint') assert.equal(status, 403, JSON.stringify(body));
      else {
        const response = await hostile.provider.signIn(body.result.url, 'ann');
        assert.match(await refusal({ flow: body.result.flow, response }), /not allowed/, name);
      }
    }
    hostile.provider.metadata = {};
  });

  it('can be required of a domain, which concerns contacts of the account only', async () => {
    const people = [good, hostile].map(({ key }) => ({ key, email: 'pat@good.example' }));
    for (const { key, email } of people) {
      const session = await freshKey(key);
      const { email: _, ...fields } = accountFields();
      const { postcode: zipcode, ...rest } = fields;
      const contact = {
        ...rest,
        zipcode,
        phone: '123456',
        company: 'Good',
        email,
        password: 'pat has a long password',
      };
      const { contactid } = await requestResult<{ contactid: string }>(app, 'POST', '/v2/account/contact', {
        key: session,
        params: contact,
      });
      await requestResult(app, 'PUT', '/v2/account/contact/settings', {
        key: session,
        params: { id: contactid, subaccount: true, permissions: ['device:read'] },
      });
    }
    const signIn = (account: string, code?: string, email = 'pat@good.example', text = 'pat has a long password') =>
      send<ErrorResult>('POST', '/v2/session', { email, account, password: text, ...(code && { code }) });
    assert.equal((await signIn(good.account)).status, 200);
    await verify(good, 'good.example', 1);
    const refused = await signIn(good.account);
    assert.deepEqual([refused.status, refused.body.result.code], [403, 'sign_on_required']);
    assert.equal(
      (await signIn(good.account, undefined, undefined, 'a wrong password')).body.result.code,
      'unauthenticated',
    );
    assert.equal((await signIn(hostile.account)).status, 200, 'another tenant has its own rules');
    app.pass(60_000);
    assert.equal((await signIn(good.account, codeOf(app, good.secret), good.email, password)).status, 200);
    good.provider.people.set('pat', { email: 'pat@good.example', groups: ['staff'] });
    assert.equal((await complete(await signOn(good, 'pat'))).status, 200);
  });

  /** The session of the tenant may have expired with the clock. */
  async function freshKey(key: string): Promise<string> {
    const tenant = [good, hostile].find((candidate) => candidate.key === key)!;
    app.pass(60_000);
    const { email, secret } = tenant;
    return (await send<Session>('POST', '/v2/session', { email, password, code: codeOf(app, secret) })).body.result.key;
  }

  it('verifies a domain by the record in its DNS, and requires it only if the account has a second factor', async () => {
    const key = await freshKey(good.key);
    const nameserver = { ...app.site.nameserver!, resolvers: [await startForwardingResolver(app.dns)] };
    await applySite(app.parts, { ...app.site, nameserver, webhooks: { allow: ['127.0.0.1/32'] } });
    const domain = 'proved.example.org';
    const added = await send<Static<typeof SignOnDomain>>('POST', '/v2/account/sign-on/domain', { domain }, key);
    const { record, content } = added.body.result;
    const check = (params: object = {}) =>
      send<Static<typeof SignOnDomain> & ErrorResult>(
        'PUT',
        '/v2/account/sign-on/domain',
        { domain, password, ...params },
        key,
      );
    // Another account may even serve the domain: its records are what counts.
    const zone = { key: app.lab.customer.key, params: { domain } };
    const id = await requestResult<string>(app, 'POST', '/v2/dns/domain', zone);
    assert.equal((await check()).body.result.code, 'claim_unproven');
    const params = { domain: id, record, type: 'TXT', content };
    await requestResult(app, 'POST', '/v2/dns/record', { key: app.lab.customer.key, params });
    assert.notEqual((await check()).body.result.verified, '');
    assert.equal((await check({ required: true })).body.result.required, '1');
    // The account itself can always sign in with its password, which must not suffice.
    await verify(good, 'good.example');
    const remove = () => send<ErrorResult>('DELETE', '/v2/session/totp', { password }, key);
    assert.match((await remove()).body.result.message, /only second factor/);
    await check({ required: false });
    assert.equal((await remove()).status, 200);
    assert.match((await check({ required: true })).body.result.message, /second factor/);
    assert.equal((await check({ required: false })).body.result.required, '0');
    assert.equal((await send('DELETE', '/v2/account/sign-on/domain', { domain, password }, key)).status, 200);
  });

  it('is changed by the account itself, with a proof, and every change is an event', async () => {
    const { key } = (await send<Session>('POST', '/v2/session', { email: good.email, password })).body.result;
    const { password: _, ...withoutProof } = settingsOf(good.provider);
    assert.equal((await send('PUT', '/v2/account/sign-on', withoutProof, key)).status, 400);
    const contact = (await complete(await signOn(good, 'pat'))).body.result.key;
    assert.equal((await send('PUT', '/v2/account/sign-on', settingsOf(good.provider), contact)).status, 403);
    const shown = await send<Static<typeof SignOnSettings>>('GET', '/v2/account/sign-on', {}, key);
    assert.equal(shown.body.result.redirecturi, `/panel/sign-on/${good.account}`);
    assert.doesNotMatch(JSON.stringify(shown.body), new RegExp(good.provider.clientSecret));
    const { clientsecret: __, ...other } = settingsOf(hostile.provider);
    const elsewhere = { ...settingsOf(good.provider), issuer: hostile.provider.issuer };
    assert.equal((await send('PUT', '/v2/account/sign-on', settingsOf(good.provider), key)).status, 200);
    assert.equal((await send('GET', '/v2/session', {}, contact)).status, 200);
    assert.equal((await send('PUT', '/v2/account/sign-on', elsewhere, key)).status, 200);
    assert.equal((await send('GET', '/v2/session', {}, contact)).status, 401, 'another provider decides now');
    assert.equal((await send('PUT', '/v2/account/sign-on', settingsOf(good.provider), key)).status, 200);
    const again = (await complete(await signOn(good, 'pat'))).body.result.key;
    const stolen = await send<ErrorResult>('PUT', '/v2/account/sign-on', other, key);
    assert.match(stolen.body.result.fields['clientsecret']!, /required/);
    assert.equal((await send('DELETE', '/v2/account/sign-on', { password }, key)).status, 200);
    assert.equal((await send('GET', '/v2/session', {}, again)).status, 401);
    const events = await listEvents<{ change: string }>(app, key);
    const changes = events.filter(({ type }) => type === 'account.signon.changed').map(({ data }) => data.change);
    assert.deepEqual([...new Set(changes)].sort(), [
      'domain added',
      'domain removed',
      'domain required',
      'domain verified',
      'provider removed',
      'provider set',
    ]);
  });
});
