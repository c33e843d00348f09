// Single sign-on of staff through a real OpenID Connect provider.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Static } from 'typebox';
import { applySite } from '#app/site/apply.ts';
import type { SiteSignOn } from '#contract/site/sign-on.ts';
import type { SignOnFlow as FlowShape } from '#contract/shapes/sign-on.ts';
import type { OperatorSession } from '#sdk/operator.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { startIdentityProvider, type IdentityProvider } from '#test/support/identity-provider.ts';
import { createOperator, operatorResult, signInOperator, uniqueAddress } from '#test/support/operators.ts';
import { request, type Envelope, type ErrorResult } from '#test/support/request.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

type SignOnFlow = Static<typeof FlowShape>;

describeOnEngines('single sign-on of staff', { postgres: 'in long runs' }, ({ newDatabase }) => {
  const owned = suiteResources();
  let app: TestApp;
  let provider: IdentityProvider;
  before(async () => {
    app = owned.use(await openTestApp({ ...(await newDatabase()), trustedProxies: ['127.0.0.1'] }));
    provider = owned.use(await startIdentityProvider([`${app.url}/panel/sign-on/staff`]));
    provider.people.set('sub-ada', { email: 'ada@staff.example', email_verified: true, groups: ['noc', 'other'] });
    await configure({});
  });

  async function configure(change: Partial<SiteSignOn>): Promise<void> {
    const { issuer, clientId, clientSecret } = provider;
    const roles = [
      { value: 'owners', role: 'owner' as const },
      { value: 'noc', role: 'engineer' as const },
    ];
    const signOn = {
      issuer,
      clientId,
      clientSecret,
      roles,
      scopes: ['email', 'groups'],
      emailDomains: ['staff.example'],
    };
    await applySite(app.parts, { ...app.site, signOn: { ...signOn, ...change } });
  }
  const call = <Result>(method: string, params: object = {}, origin = app.url) =>
    request<Envelope<Result>>(app, method, '/operator/session/sign-on', {
      params: { ...params },
      headers: { ...uniqueAddress(), origin },
    });
  async function begin(): Promise<SignOnFlow> {
    const { status, body } = await call<SignOnFlow>('POST');
    assert.equal(status, 200, JSON.stringify(body));
    return body.result;
  }
  /** Goes through the provider; `change` tampers with its response. */
  async function signOn(subject: string, change: (url: URL) => void = () => {}) {
    const { url, flow } = await begin();
    const response = new URL(await provider.signIn(url, subject));
    change(response);
    return { flow, response: response.href };
  }
  const complete = (input: object) => call<OperatorSession>('PUT', input);
  async function refusal(input: object | Promise<object>): Promise<string> {
    const { status, body } = await call<ErrorResult>('PUT', await input);
    assert.equal(status, 403, JSON.stringify(body));
    assert.equal(body.result.code, 'sign_on_failed');
    return body.result.message;
  }
  const powersOf = async (key: string) =>
    (await request<Envelope<{ role: string; powers: string[] }>>(app, 'GET', '/operator/session', { key })).body.result;
  const statusWith = async (key: string) => (await request(app, 'GET', '/operator/session', { key })).status;

  it('creates a staff member with the role of the first group, for an hour, without a second factor of ours', async () => {
    const { status, body } = await complete(await signOn('sub-ada'));
    assert.equal(status, 200, JSON.stringify(body));
    const { key, name, role, secondfactor } = body.result;
    assert.deepEqual([name, role, secondfactor], ['ada', 'engineer', 'Confirmed']);
    assert.ok((await powersOf(key)).powers.includes('operator:equipment'));
    const staff = await operatorResult<{ name: string; role: string }[]>(app, 'GET', 'operator');
    assert.equal(staff.find((member) => member.name === 'ada')?.role, 'engineer');
    app.pass(3_601_000);
    assert.equal(await statusWith(key), 401);
  });

  it('keeps the key of a browser in the cookie', async () => {
    const { headers, body } = await complete({ ...(await signOn('sub-ada')), cookie: true });
    assert.match(
      headers.get('set-cookie')!,
      /^__Host-hostyard-staff=hy_\w+; Path=\/; Secure; HttpOnly; SameSite=Strict/,
    );
    assert.equal(body.result.key, '');
  });

  it('follows the groups at each sign-in, and ends all sessions of a person without one', async () => {
    const person = provider.people.get('sub-ada')!;
    const { body } = await complete(await signOn('sub-ada'));
    provider.people.set('sub-ada', { ...person, groups: ['owners'] });
    assert.equal((await complete(await signOn('sub-ada'))).body.result.role, 'owner');
    assert.equal((await powersOf(body.result.key)).role, 'owner');
    provider.people.set('sub-ada', { ...person, groups: ['other'] });
    assert.match(await refusal(signOn('sub-ada')), /not in a group that has access/);
    assert.equal(await statusWith(body.result.key), 401);
    provider.people.set('sub-ada', person);
    assert.match(await refusal(signOn('sub-ada')), /last owner/);
    await createOperator(app, 'owner');
    assert.equal((await complete(await signOn('sub-ada'))).body.result.role, 'engineer');
  });

  it('refuses strangers: another domain, no address, an unverified one, no group', async () => {
    const strangers = {
      elsewhere: { email: 'ada@elsewhere.example', groups: ['noc'] },
      nameless: { email: '', groups: ['noc'] },
      unverified: { email: 'eve@staff.example', email_verified: false, groups: ['noc'] },
      groupless: { email: 'eve@staff.example', groups: [] },
    };
    for (const [subject, person] of Object.entries(strangers)) {
      provider.people.set(subject, person);
      assert.match(await refusal(signOn(subject)), /domain|email address|group/, subject);
    }
    const staff = await operatorResult<{ name: string }[]>(app, 'GET', 'operator');
    assert.equal(
      staff.some(({ name }) => name === 'eve'),
      false,
    );
  });

  it('recognizes existing staff by a verified address, and nobody by an unverified one', async () => {
    const { name, id } = await createOperator(app, 'support');
    provider.people.set('unsure', { email: `${name}@staff.example`, groups: ['noc'] });
    assert.match(await refusal(signOn('unsure')), /is already taken/);
    provider.people.set('sure', { email: `${name}@staff.example`, email_verified: true, groups: ['noc'] });
    assert.equal((await complete(await signOn('sure'))).body.result.name, name);
    provider.people.set('second', { email: `${name}@staff.example`, email_verified: true, groups: ['noc'] });
    assert.match(await refusal(signOn('second')), /is already taken/);
    await operatorResult(app, 'DELETE', 'operator', { id });
    assert.match(await refusal(signOn('sure')), /access was removed/);
  });

  it('accepts a response once, only with its own state and flow, and only in time', async () => {
    const input = await signOn('sub-ada');
    assert.equal((await complete(input)).status, 200);
    assert.match(await refusal(input), /was already completed/);
    const { flow } = await begin();
    assert.match(await refusal({ ...input, flow }), /not accepted/);
    assert.match(await refusal(signOn('sub-ada', (url) => url.searchParams.set('state', 'x'))), /not accepted/);
    assert.match(
      await refusal(signOn('sub-ada', (url) => url.searchParams.set('iss', 'https://x.example'))),
      /not accepted/,
    );
    assert.match(await refusal(signOn('sub-ada', (url) => (url.pathname = '/panel/sign-on/1001'))), /does not belong/);
    const late = await signOn('sub-ada');
    app.pass(11 * 60_000);
    assert.match(await refusal(late), /expired/);
    const { body } = await call<ErrorResult>('POST', {}, 'https://attacker.example');
    assert.equal(body.result.code, 'state_conflict');
  });

  it('accepts a code only with the verifier of the flow that it was issued for', async () => {
    const { url, flow } = await begin();
    const response = await provider.signIn(url, 'sub-ada');
    const other = await begin();
    const state = new URL(other.url).searchParams.get('state')!;
    const injected = new URL(response);
    injected.searchParams.set('state', state);
    assert.match(await refusal({ flow: other.flow, response: injected.href }), /not accepted/);
    assert.equal((await complete({ flow, response })).status, 200);
    assert.ok(provider.requestsTo('/token') > 0);
  });

  it('rejects ID tokens of a hostile provider', async () => {
    const forgeries: Record<string, Record<string, unknown>> = {
      audience: { aud: 'another-client' },
      issuer: { iss: 'https://login.example' },
      nonce: { nonce: 'of another flow' },
      party: { aud: ['hostyard', 'another-client'], azp: 'another-client' },
    };
    for (const [name, claims] of Object.entries(forgeries)) {
      provider.forge = (genuine) => ({ ...genuine, ...claims });
      assert.match(await refusal(signOn('sub-ada')), /not accepted/, name);
    }
    provider.forge = (genuine) => genuine;
  });

  it('tolerates clocks that are a little apart', async () => {
    const expired = (seconds: number) => (claims: Record<string, unknown>) => {
      const exp = Math.floor(app.parts.clock.now() / 1000) - seconds;
      return { ...claims, exp, iat: exp - 60 };
    };
    provider.forge = expired(30);
    assert.equal((await complete(await signOn('sub-ada'))).status, 200);
    provider.forge = expired(120);
    assert.match(await refusal(signOn('sub-ada')), /clock/);
    provider.forge = (genuine) => genuine;
  });

  it('can be required, except of break-glass operators', async () => {
    const [ordinary, rescuer] = [await signInOperator(app, 'engineer'), await createOperator(app, 'owner')];
    await configure({ required: true, breakGlass: [rescuer.name.toUpperCase()] });
    const signIn = ({ name, password }: { name: string; password: string }) =>
      request<Envelope<ErrorResult>>(app, 'POST', '/operator/session', {
        params: { name, password },
        headers: uniqueAddress(),
      });
    const { body } = await signIn({ ...ordinary, password: 'wrong password' });
    assert.equal(body.result.code, 'unauthenticated');
    const another = await createOperator(app, 'engineer');
    const refused = await signIn(another);
    assert.deepEqual([refused.status, refused.body.result.code], [403, 'sign_on_required']);
    assert.equal((await signIn(rescuer)).status, 200);
    provider.people.set('rescuer', {
      email: `${rescuer.name}@staff.example`,
      email_verified: true,
      groups: ['owners'],
    });
    assert.match(await refusal(signOn('rescuer')), /is already taken/);
    await configure({});
    assert.equal((await complete(await signOn('rescuer'))).body.result.name, rescuer.name);
    await configure({ required: true, breakGlass: [rescuer.name] });
    const { key } = (await signIn(rescuer)).body.result as unknown as OperatorSession;
    assert.match(await refusal(signOn('rescuer')), /with your password/, 'also one who signed on before');
    assert.equal(await statusWith(key), 200);
    assert.deepEqual((await call('GET')).body.result, { available: '1', label: 'Single sign-on', required: '1' });
  });

  it('says so if the provider is down, or not who it should be', async () => {
    const pending = await signOn('sub-ada');
    await configure({ issuer: `${provider.issuer}/other` });
    assert.match(await refusal(pending), /does not belong/);
    const failed = async (): Promise<string> => {
      const { status, body } = await call<ErrorResult>('POST');
      assert.equal(status, 403, JSON.stringify(body));
      return body.result.message;
    };
    assert.match(await failed(), /not accepted/);
    await configure({});
    await provider.stop();
    assert.match(await failed(), /did not respond/);
  });
});
