// How customers authenticate: key holders, authenticator codes, passkeys, a new password.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import dns from 'node:dns';
import { before, test } from 'node:test';
import {
  createAuthenticator,
  type CreationOptions,
  type Forgery,
  type RequestOptions,
} from '#test/support/authenticator.ts';
import type { Session, SessionSelf } from '#sdk/v2.ts';
import { accountFields, codeOf, uniqueAddress, operatorResult } from '#test/support/operators.ts';
import { anna } from '#test/support/contacts.ts';
import { request, requestResult, type Envelope, type ErrorResult } from '#test/support/request.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { until } from '#test/support/until.ts';

interface Person {
  readonly email: string;
  readonly password: string;
  readonly contact: string;
}

let people = 0;

describeOnEngines('signing in', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  before(async () => void (app = await openApp({ answersDns: true, trustedProxies: ['127.0.0.1'] })));

  const send = <Result>(method: string, path: string, params: Record<string, unknown> = {}, key?: string) =>
    request<Envelope<Result & ErrorResult>>(app, method, path, {
      ...(key === undefined ? {} : { key }),
      params,
      headers: uniqueAddress(),
    });
  /** Returns the result of a call that must succeed. */
  async function done<Result>(...call: Parameters<typeof send>): Promise<Result> {
    const { status, body } = await send<Result>(...call);
    assert.equal(status, 200, `${call[0]} ${call[1]}: ${JSON.stringify(body)}`);
    return body.result;
  }
  async function rejection(...call: Parameters<typeof send>): Promise<string> {
    const { status, body } = await send(...call);
    return `${status} ${body.result.code}`;
  }

  /** A separate sub-account, because wrong attempts are counted by email address. */
  async function newPerson(permissions = ['account:read']): Promise<Person> {
    const email = `lena${process.pid}-${++people}@example.com`;
    const password = 'first password';
    const { key } = app.lab.customer;
    const fields = { ...anna, email, password };
    const { contactid: contact } = await done<{ contactid: string }>('POST', '/v2/account/contact', fields, key);
    await done('PUT', '/v2/account/contact/settings', { id: contact, subaccount: true, permissions }, key);
    return { email, password, contact };
  }
  const signIn = ({ email, password }: Omit<Person, 'contact'>) =>
    done<Session>('POST', '/v2/session', { email, password });
  const self = (key: string) => done<SessionSelf>('GET', '/v2/session', {}, key);

  test('returns whose key it is, and its permissions', async () => {
    const { email, password } = app.lab.customer;
    const owner = await self((await signIn({ email, password })).key);
    assert.deepEqual([owner.kind, owner.name, owner.email], ['session', 'Ada Winter', email]);
    assert.deepEqual([owner.totp, owner.passkeys], ['None', '0']);
    assert.match(owner.expires, /^\d{4}-/);
    const person = await newPerson(['dns:read']);
    const contact = await self((await signIn(person)).key);
    assert.deepEqual([contact.name, contact.email, contact.scopes], ['Anna Berg', person.email, ['dns:read']]);
    assert.equal(contact.company, owner.company);
  });

  test('of a key shows the person only if the key may read the account', async () => {
    const { key } = app.lab.customer;
    const params = { name: 'program', scopes: ['dns:read'] };
    const created = await done<{ key: string }>('POST', '/v2/account/key', params, key);
    const { kind, name, email, company, expires } = await self(created.key);
    assert.deepEqual([kind, name, email, company, expires], ['key', '', '', '', '']);
    assert.equal((await self(key)).email, app.lab.customer.email);
    assert.equal(await rejection('DELETE', '/v2/session', {}, key), '409 state_conflict');
  });

  /** Enrols and confirms an authenticator app. Returns its secret. */
  async function enableTotp(key: string, password = 'first password'): Promise<string> {
    const { secret } = await done<{ secret: string }>('POST', '/v2/session/totp', { password }, key);
    await done('PUT', '/v2/session/totp', { code: codeOf(app, secret) }, key);
    return secret;
  }
  /** A signed-in person with a confirmed second factor. */
  async function withApp() {
    const person = await newPerson();
    const { key } = await signIn(person);
    return { ...person, key, secret: await enableTotp(key) };
  }
  /** Six digits that are not the code of any time near now. */
  const wrongCode = (secret: string): string => {
    const near = new Set([-2, -1, 0, 1, 2, 3].map((offset) => codeOf(app, secret, offset)));
    return ['000000', '111111', '222222', '333333', '444444', '555555', '666666'].find((code) => !near.has(code))!;
  };

  test('with an authenticator app requires a code from its confirmation on, each code once', async () => {
    const { email, password, ...person } = await newPerson();
    const { key } = await signIn({ email, password });
    const { secret, url } = await done<{ secret: string; url: string }>('POST', '/v2/session/totp', { password }, key);
    assert.ok(url.startsWith(`otpauth://totp/Hostyard:${encodeURIComponent(email)}?`), url);
    assert.equal((await self(key)).totp, 'Waiting');
    await signIn({ email, password });
    assert.equal(await rejection('PUT', '/v2/session/totp', { code: wrongCode(secret) }, key), '409 state_conflict');
    const first = codeOf(app, secret);
    await done('PUT', '/v2/session/totp', { code: first }, key);
    assert.equal((await self(key)).totp, 'Confirmed');
    assert.equal(await rejection('POST', '/v2/session/totp', { password }, key), '409 state_conflict');

    const tries = [{}, { code: first }, { code: wrongCode(secret) }];
    const responses = [await send('POST', '/v2/session', { email: `no-${email}`, password })];
    for (const factors of tries) responses.push(await send('POST', '/v2/session', { email, password, ...factors }));
    for (const { status, body } of responses) assert.deepEqual([status, body], [401, responses[0]!.body]);
    const next = codeOf(app, secret, 1);
    const again = await done<Session>('POST', '/v2/session', { email, password, code: next });
    assert.equal(again.contact, person.contact);
    assert.equal(await rejection('POST', '/v2/session', { email, password, code: next }), '401 unauthenticated');
  });

  test('with one code at the same time lets one of many in', async () => {
    const { email, password, secret } = await withApp();
    const code = codeOf(app, secret, 1);
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => send('POST', '/v2/session', { email, password, code })),
    );
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 401, 401, 401]);
  });

  test('requires no code once the second factor is removed, by password or by code', async () => {
    for (const proof of ['password', 'code'] as const) {
      const person = await withApp();
      const wrong = { password: { password: 'wrong' }, code: { code: wrongCode(person.secret) } }[proof];
      assert.equal(await rejection('DELETE', '/v2/session/totp', wrong, person.key), '409 state_conflict');
      assert.equal(await rejection('DELETE', '/v2/session/totp', {}, person.key), '400 invalid_parameter');
      const right = { password: person.password, code: codeOf(app, person.secret, 1) };
      await done('DELETE', '/v2/session/totp', { [proof]: right[proof] }, person.key);
      assert.equal((await self(person.key)).totp, 'None');
      await signIn(person);
      assert.equal(await rejection('DELETE', '/v2/session/totp', right, person.key), '409 state_conflict');
    }
  });

  test('keeps secrets sealed for their person, and returns them to no other', async () => {
    const { secret, contact, key } = await withApp();
    const rows = await app.parts.store.queries.selectFrom('totps').selectAll().execute();
    const row = rows.find(({ contact_id }) => String(contact_id) === contact)!;
    assert.equal(app.parts.secrets.open(row.secret, `totps secret 1 ${contact}`), secret);
    assert.throws(() => app.parts.secrets.open(row.secret, 'totps secret 1 '));
    // Two people of one account who use the same Idempotency-Key.
    const headers = { ...uniqueAddress(), 'idempotency-key': 'enrol' };
    const enrolled = await Promise.all(
      [await newPerson(), await newPerson()].map(async (person) => {
        const options = { key: (await signIn(person)).key, params: { password: person.password }, headers };
        return requestResult<{ secret: string }>(app, 'POST', '/v2/session/totp', options);
      }),
    );
    assert.notEqual(enrolled[0]!.secret, enrolled[1]!.secret);
    assert.equal((await self(key)).totp, 'Confirmed');
  });

  test("is personal: a program's key cannot change a password or a second factor", async () => {
    const { key } = app.lab.customer;
    const changes = [
      ['PUT', '/v2/session/password', { password: app.lab.customer.password, newpassword: 'another password' }],
      ['POST', '/v2/session/totp', { password: app.lab.customer.password }],
      ['PUT', '/v2/session/totp', { code: '123456' }],
      ['DELETE', '/v2/session/totp', { password: app.lab.customer.password }],
      ['GET', '/v2/session/passkey', {}],
      ['DELETE', '/v2/session/passkey', { id: 1 }],
    ] as const;
    for (const [method, path, params] of changes)
      assert.equal(await rejection(method, path, params, key), '409 state_conflict', `${method} ${path}`);
  });

  test("with a new password ends the person's other sessions", async () => {
    const person = await newPerson();
    const [session, otherSession] = [await signIn(person), await signIn(person)];
    const newpassword = 'second password';
    const change = (password: string) =>
      ['PUT', '/v2/session/password', { password, newpassword }, session.key] as const;
    assert.equal(await rejection(...change('wrong')), '409 state_conflict');
    await done(...change(person.password));
    assert.equal((await self(session.key)).kind, 'session');
    assert.equal(await rejection('GET', '/v2/session', {}, otherSession.key), '401 unauthenticated');
    assert.equal(
      await rejection('POST', '/v2/session', { email: person.email, password: person.password }),
      '401 unauthenticated',
    );
    await signIn({ ...person, password: newpassword });
  });

  test('with a new password that is short or common is rejected, and keeps the old one', async () => {
    const person = await newPerson();
    const { key } = await signIn(person);
    for (const newpassword of ['nine char', 'Manchester2026!', 'aaaaaaaaaaaa']) {
      const params = { password: person.password, newpassword };
      const { status, body } = await request<Envelope<ErrorResult>>(app, 'PUT', '/v2/session/password', {
        key,
        params,
      });
      assert.deepEqual([status, Object.keys(body.result.fields ?? {})], [400, ['newpassword']], newpassword);
    }
    await signIn(person);
  });

  test('as the account itself is changed the same way', async () => {
    const email = `owner${process.pid}-${++people}@example.com`;
    const fields = { ...accountFields(), email, password: 'first password', currency: 'EUR' };
    const id = await operatorResult<string>(app, 'POST', 'account', fields);
    const { key } = await signIn({ email, password: 'first password' });
    await done('PUT', '/v2/session/password', { password: 'first password', newpassword: 'second one' }, key);
    const secret = await enableTotp(key, 'second one');
    assert.equal(await rejection('POST', '/v2/session', { email, password: 'second one' }), '401 unauthenticated');
    await done('POST', '/v2/session', { email, password: 'second one', code: codeOf(app, secret, 1) });
    await operatorResult(app, 'PUT', 'account', { id, forgetfactors: true, reason: 'Lost phone' });
    assert.equal(await rejection('GET', '/v2/session', {}, key), '401 unauthenticated');
    const again = await signIn({ email, password: 'second one' });
    await operatorResult(app, 'PUT', 'account', { id, password: 'the third one', reason: 'Asked by phone' });
    assert.equal(await rejection('GET', '/v2/session', {}, again.key), '401 unauthenticated');
  });

  const panel = 'https://panel.example.net';
  /** Headers of a page of this origin, at the panel's host if omitted. */
  const fromPage = (origin: string, host = 'panel.example.net'): Record<string, string> => ({
    ...uniqueAddress(),
    origin,
    'x-forwarded-host': host,
  });
  async function page<Result>(
    method: string,
    path: string,
    params: Record<string, unknown> = {},
    { key, headers = fromPage(panel) }: { key?: string; headers?: Record<string, string> } = {},
  ) {
    const options = { params, headers, ...(key === undefined ? {} : { key }) };
    const { status, body } = await request<Envelope<Result & ErrorResult>>(app, method, path, options);
    return { outcome: `${status} ${body.result.code ?? ''}`.trim(), result: body.result };
  }
  const challenge = async () => (await page<RequestOptions>('POST', '/v2/session/challenge')).result;
  const signInWithPasskey = (credential: unknown, headers = fromPage(panel)) =>
    page<Session>('PUT', '/v2/session/challenge', { credential }, { headers });
  const passkeyOutcome = async (credential: unknown, headers?: Record<string, string>) =>
    (await signInWithPasskey(credential, headers)).outcome;
  const begin = async (key: string) =>
    (await page<CreationOptions>('POST', '/v2/session/passkey', { password: 'first password' }, { key })).result;
  const finish = (key: string, credential: unknown, headers = fromPage(panel)) =>
    page<{ id: string }>('PUT', '/v2/session/passkey', { name: 'Laptop', credential }, { key, headers });

  /** A new signed-in person. */
  async function newcomer() {
    const person = await newPerson();
    return { ...person, key: (await signIn(person)).key };
  }
  let sharedPerson: ReturnType<typeof newcomer> | undefined;
  /** A signed-in person with a passkey; shared where it does not matter who, because hashing passwords takes time. */
  async function withPasskey({ device = createAuthenticator(panel), whose = (sharedPerson ??= newcomer()) } = {}) {
    const person = await whose;
    const passkey = await finish(person.key, device.create(await begin(person.key)));
    assert.equal(passkey.outcome, '200');
    return { ...person, device, id: passkey.result.id };
  }

  test('with a passkey needs neither address nor password nor code', async () => {
    const { key, password, contact, device, id } = await withPasskey({ whose: newcomer() });
    await enableTotp(key);
    const listPasskeys = () =>
      done<{ id: string; name: string; lastused: string }[]>('GET', '/v2/session/passkey', {}, key);
    assert.deepEqual(
      (await listPasskeys()).map(({ name, lastused }) => [name, lastused]),
      [['Laptop', '']],
    );
    const { outcome, result } = await signInWithPasskey(device.get(await challenge()));
    assert.deepEqual([outcome, result.contact, result.scopes], ['200', contact, ['account:read']]);
    assert.deepEqual([(await self(result.key)).passkeys, (await self(result.key)).kind], ['1', 'session']);
    assert.match((await listPasskeys())[0]!.lastused, /^\d{4}-/);
    const audit = await done<{ operation: string; contact: string }[]>(
      'GET',
      '/v2/account/audit',
      {},
      app.lab.customer.key,
    );
    assert.ok(audit.some((entry) => entry.operation === 'v2.challengeAnswer' && entry.contact === contact));
    const stranger = await withPasskey();
    assert.equal(await rejection('DELETE', '/v2/session/passkey', { id, password }, stranger.key), '404 not_found');
    await done('DELETE', '/v2/session/passkey', { id, password }, key);
    assert.equal(await passkeyOutcome(device.get(await challenge())), '401 unauthenticated');
  });

  test('with a passkey is rejected if any part of the response is forged', async () => {
    const { device } = await withPasskey();
    const falsified: Forgery[] = [
      { origin: 'https://evil.example' },
      { origin: 'https://sub.panel.example.net' },
      { rpId: 'evil.example' },
      { userVerified: false },
      { userHandle: 'c29tZWJvZHkgZWxzZQ' },
      { signature: randomBytes(70) },
    ];
    for (const forgery of falsified)
      assert.equal(
        await passkeyOutcome(device.get(await challenge(), forgery)),
        '401 unauthenticated',
        JSON.stringify(forgery),
      );
    const options = await challenge();
    const signed = device.get(options);
    for (const response of [
      { clientDataJSON: 'bm90IGpzb24' },
      { clientDataJSON: 'bnVsbA' },
      { authenticatorData: 'AAAA' },
    ])
      assert.equal(
        await passkeyOutcome({ ...signed, response: { ...signed.response, ...response } }),
        '401 unauthenticated',
      );
    assert.equal(
      await passkeyOutcome({ ...device.get(await challenge()), id: 'AAAA', rawId: 'AAAA' }),
      '401 unauthenticated',
    );
    assert.equal(await passkeyOutcome(device.get(await challenge())), '200');
  });

  test('with a passkey accepts each challenge once within five minutes, also if the first response was wrong', async () => {
    const { device, key } = await withPasskey();
    const used = await challenge();
    assert.equal(await passkeyOutcome(device.get(used)), '200');
    assert.equal(await passkeyOutcome(device.get(used)), '401 unauthenticated');
    const spoilt = await challenge();
    assert.equal(await passkeyOutcome(device.get(spoilt, { userVerified: false })), '401 unauthenticated');
    assert.equal(await passkeyOutcome(device.get(spoilt)), '401 unauthenticated');
    // A challenge for creating a passkey signs nobody in, and vice versa.
    const { challenge: forMaking, rp, user } = await begin(key);
    assert.equal(await passkeyOutcome(device.get({ challenge: forMaking, rpId: rp.id })), '401 unauthenticated');
    const forSigningIn = { challenge: (await challenge()).challenge, rp, user };
    assert.equal((await finish(key, device.create(forSigningIn))).outcome, '409 state_conflict');
    const late = await challenge();
    app.pass(5 * 60_000);
    assert.equal(await passkeyOutcome(device.get(late)), '401 unauthenticated');
  });

  test("with a counting passkey rejects one whose counter decreases, like a copy's", async () => {
    const { device } = await withPasskey();
    assert.equal(await passkeyOutcome(device.get(await challenge(), { count: 7 })), '200');
    for (const count of [7, 6, 0])
      assert.equal(
        await passkeyOutcome(device.get(await challenge(), { count })),
        '401 unauthenticated',
        String(count),
      );
    assert.equal(await passkeyOutcome(device.get(await challenge(), { count: 8 })), '200');
    const synced = await withPasskey({ device: createAuthenticator(panel, { counts: false }) });
    for (const _ of [1, 2]) assert.equal(await passkeyOutcome(synced.device.get(await challenge())), '200');
  });

  test('creates and accepts passkeys only for pages of the called host', async () => {
    const { key, device } = await withPasskey();
    const pages: Record<string, string>[] = [
      uniqueAddress(),
      fromPage('https://evil.example'),
      fromPage('https://panel.example.net:8443'),
      fromPage('http://panel.example.net'),
      fromPage('https://192.0.2.1', '192.0.2.1'),
      fromPage('null'),
    ];
    for (const headers of pages) {
      const tries = await Promise.all([
        page('POST', '/v2/session/challenge', {}, { headers }),
        page('POST', '/v2/session/passkey', { password: 'first password' }, { key, headers }),
        signInWithPasskey(device.get(await challenge()), headers),
      ]);
      for (const { outcome } of tries) assert.equal(outcome, '409 state_conflict', JSON.stringify(headers));
    }
    // A caller with another host name cannot use this host's passkey.
    const other = fromPage('https://other.example', 'other.example');
    const relayed = device.get(await challenge(), { origin: 'https://other.example', rpId: 'other.example' });
    assert.equal(await passkeyOutcome(relayed, other), '401 unauthenticated');
    const local = fromPage('http://localhost:8080', 'localhost:8080');
    assert.equal((await page('POST', '/v2/session/challenge', {}, { headers: local })).outcome, '200');
  });

  test('stores no passkey that was created wrongly, for someone else, or twice', async () => {
    const { key, device } = await withPasskey({ whose: newcomer() });
    const wrong: Forgery[] = [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { userVerified: false },
      { format: 'apple' },
      { format: 'unheard-of' },
    ];
    for (const forgery of wrong)
      assert.equal(
        (await finish(key, device.create(await begin(key), forgery))).outcome,
        '409 state_conflict',
        JSON.stringify(forgery),
      );
    const { key: other } = await withPasskey();
    assert.equal((await finish(other, device.create(await begin(key)))).outcome, '409 state_conflict');
    const credential = device.create(await begin(key));
    assert.equal((await finish(key, credential)).outcome, '200');
    assert.equal((await finish(key, credential)).outcome, '409 state_conflict');
    assert.equal((await self(key)).passkeys, '2');
    assert.equal((await finish(app.lab.customer.key, credential)).outcome, '409 state_conflict');
  });

  test('needs only the password again after an authorised person has reset the second factors', async () => {
    const { key: owner } = await signIn(app.lab.customer);
    const { device, key, ...person } = await withPasskey({ whose: newcomer() });
    await enableTotp(key);
    const forgetBy = ({ password }: Pick<Person, 'password'>) => ({
      id: person.contact,
      forgetfactors: true,
      password,
    });
    const colleague = await newPerson(['account:keys']);
    const settings = '/v2/account/contact/settings';
    assert.equal(
      await rejection('PUT', settings, forgetBy(colleague), (await signIn(colleague)).key),
      '403 scope_missing',
    );
    await done('PUT', settings, { id: person.contact, permissions: ['account:read', 'account:keys'] }, owner);
    assert.equal(await rejection('PUT', settings, forgetBy(person), key), '409 state_conflict');
    assert.equal((await self(key)).totp, 'Confirmed');
    await done('PUT', settings, forgetBy(app.lab.customer), owner);
    assert.equal(await rejection('GET', '/v2/session', {}, key), '401 unauthenticated');
    assert.equal(await passkeyOutcome(device.get(await challenge())), '401 unauthenticated');
    const { totp, passkeys } = await self((await signIn(person)).key);
    assert.deepEqual([totp, passkeys], ['None', '0']);
  });

  test('with a passkey ends when the person may no longer sign in', async () => {
    const { device, contact } = await withPasskey({ whose: newcomer() });
    const settings = { id: contact, subaccount: false };
    await done('PUT', '/v2/account/contact/settings', settings, app.lab.customer.key);
    assert.equal(await passkeyOutcome(device.get(await challenge())), '401 unauthenticated');
    await done('DELETE', '/v2/account/contact', { id: contact }, app.lab.customer.key);
    assert.equal(await passkeyOutcome(device.get(await challenge())), '401 unauthenticated');
  });

  test('is the last login for the sessions after it, with the name that its address had', async () => {
    const credentials = { email: `owner${process.pid}-${++people}@example.com`, password: 'first password' };
    await operatorResult<string>(app, 'POST', 'account', { ...accountFields(), ...credentials });
    const [address] = Object.keys(
      await done<Record<string, string>>('GET', '/v2/dns/reverse', {}, app.lab.customer.key),
    );
    const named = { ip: address, record: 'desk.example.net' };
    await done('PUT', '/v2/dns/reverse', named, app.lab.customer.key);
    using servers = new DisposableStack();
    servers.adopt(dns.getServers(), dns.setServers);
    dns.setServers([`${app.dns.address}:${app.dns.port}`]);
    const signInFrom = async (from: string) => {
      const headers = { 'x-forwarded-for': from };
      const options = { params: credentials, headers };
      return (await requestResult<Session>(app, 'POST', '/v2/session', options)).key;
    };
    const lastLogin = async (key: string) =>
      (await done<{ lastlogin: string }>('GET', '/v2/account', {}, key)).lastlogin.split('\n');

    const first = await signInFrom('192.0.2.1');
    await done('PUT', '/v2/session/password', { password: 'first password', newpassword: 'second password' }, first);
    credentials.password = 'second password';
    assert.deepEqual(await lastLogin(first), ['0000-00-00 00:00:00', '', '']);
    app.pass(60_000);
    const second = await signInFrom(address!);
    const [at, ...from] = await lastLogin(second);
    assert.match(at!, /^2\d{3}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    assert.deepEqual(from, ['192.0.2.1', '192.0.2.1'], 'an address without a name');
    app.pass(60_000);
    const third = await signInFrom('192.0.2.3');
    await until(async () => (await lastLogin(third))[2] === 'desk.example.net');
    assert.equal((await lastLogin(third))[1], address);
    await done('DELETE', '/v2/dns/reverse', { ip: address }, app.lab.customer.key);
    assert.equal((await lastLogin(third))[2], 'desk.example.net', 'the name at the time of the login');
    assert.deepEqual(await lastLogin(second), [at, ...from], 'a later login is not that of an earlier session');

    const scopes = ['account:read'];
    const { key } = await done<{ key: string }>('POST', '/v2/account/key', { name: 'reader', scopes }, third);
    app.pass(5 * 60_000);
    await lastLogin(key);
    assert.equal((await lastLogin(key))[1], '192.0.2.3', 'use of a key is no login');
  });
});
