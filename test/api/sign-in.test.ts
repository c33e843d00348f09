// How customers authenticate: key holders, authenticator codes, a new password, and the last login.
import assert from 'node:assert/strict';
import dns from 'node:dns';
import { before, test } from 'node:test';
import { hashPassword, passwordWork } from '#app/account/passwords.ts';
import { setPassword } from '#app/account/recovery.ts';
import type { Session } from '#sdk/v2.ts';
import type { AccountId } from '#store/account-id.ts';
import { keysEndSessions, operatorSessionsEnd } from '#store/account/keys.ts';
import { operatorUpdate } from '#store/operator/operators.ts';
import type { Queries } from '#store/store.ts';
import { accountFields, codeOf, createOperator, uniqueAddress, operatorResult } from '#test/support/operators.ts';
import { requestResult } from '#test/support/request.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { firstPassword, newEmail, signInCalls } from '#test/support/sign-in-calls.ts';
import { until } from '#test/support/until.ts';

describeOnEngines('signing in', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  before(async () => void (app = await openApp({ answersDns: true, trustedProxies: ['127.0.0.1'] })));
  const { send, done, rejection, newPerson, newcomer, signIn, self, enableTotp } = signInCalls(() => app);

  test('returns whose key it is, and its permissions', async () => {
    const { email, password } = app.lab.customer;
    const owner = await self((await signIn({ email, password })).key);
    assert.deepEqual([owner.kind, owner.name, owner.email], ['session', 'Ada Winter', email]);
    assert.deepEqual([owner.totp, owner.passkeys], ['None', '0']);
    assert.match(owner.expires, /^\d{4}-/);
    const person = await newPerson({ permissions: ['dns:read'] });
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

  /** A signed-in person with a confirmed second factor. */
  async function withApp() {
    const person = await newcomer();
    return { ...person, secret: await enableTotp(person.key) };
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

  /** Sends a sign-in whose password is correct when it is checked, and changes it before the session is opened. */
  async function signInDuring(
    path: string,
    params: Record<string, unknown>,
    { change, endSessions }: Record<'change' | 'endSessions', (queries: Queries) => Promise<void>>,
  ) {
    const { promise: verifying, resolve } = Promise.withResolvers<void>();
    const onWork = () => resolve();
    passwordWork.subscribe(onWork);
    const { sent } = await app.parts.store.transaction(async (queries) => {
      await change(queries);
      const response = send('POST', path, params);
      await verifying;
      await endSessions(queries);
      return { sent: response };
    });
    passwordWork.unsubscribe(onWork);
    return (await sent).status;
  }

  test('with an old password while it is changed opens no session', async () => {
    const { contact, ...person } = await newPerson();
    const holder = { account_id: Number(app.lab.customer.account) as AccountId, contact_id: Number(contact) };
    const password_hash = await hashPassword('second password');
    const status = await signInDuring('/v2/session', person, {
      change: (queries) => setPassword(queries, holder, password_hash),
      endSessions: (queries) => keysEndSessions(queries, holder, app.parts.clock.now()),
    });
    assert.equal(status, 401);
    await signIn({ ...person, password: 'second password' });
    const operator = await createOperator(app, 'support');
    const id = Number(operator.id);
    const ofStaff = await signInDuring(
      '/operator/session',
      { name: operator.name, password: operator.password },
      {
        change: (queries) => operatorUpdate(queries, id, { password_hash }),
        endSessions: (queries) => operatorSessionsEnd(queries, id, app.parts.clock.now(), undefined),
      },
    );
    assert.equal(ofStaff, 401);
  });

  test('with a new password that is short or common is rejected, and keeps the old one', async () => {
    const { key, ...person } = await newcomer();
    for (const newpassword of ['nine char', 'Manchester2026!', 'aaaaaaaaaaaa']) {
      const params = { password: person.password, newpassword };
      const { status, body } = await send('PUT', '/v2/session/password', params, key);
      assert.deepEqual([status, Object.keys(body.result.fields ?? {})], [400, ['newpassword']], newpassword);
    }
    await signIn(person);
  });

  test('as the account itself is changed the same way', async () => {
    const email = newEmail('owner');
    const fields = { ...accountFields(), email, password: firstPassword, currency: 'EUR' };
    const id = await operatorResult<string>(app, 'POST', 'account', fields);
    const { key } = await signIn({ email, password: firstPassword });
    await done('PUT', '/v2/session/password', { password: firstPassword, newpassword: 'second one' }, key);
    const secret = await enableTotp(key, 'second one');
    assert.equal(await rejection('POST', '/v2/session', { email, password: 'second one' }), '401 unauthenticated');
    await done('POST', '/v2/session', { email, password: 'second one', code: codeOf(app, secret, 1) });
    await operatorResult(app, 'PUT', 'account', { id, forgetfactors: true, reason: 'Lost phone' });
    assert.equal(await rejection('GET', '/v2/session', {}, key), '401 unauthenticated');
    const again = await signIn({ email, password: 'second one' });
    await operatorResult(app, 'PUT', 'account', { id, password: 'the third one', reason: 'Asked by phone' });
    assert.equal(await rejection('GET', '/v2/session', {}, again.key), '401 unauthenticated');
  });

  test('is the last login for the sessions after it, with the name that its address had', async () => {
    const credentials = { email: newEmail('owner'), password: firstPassword };
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
    await done('PUT', '/v2/session/password', { password: firstPassword, newpassword: 'second password' }, first);
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
