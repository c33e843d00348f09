// How customers show that it is they: who holds a key, codes of an app, passkeys, a new password.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import {
  authenticator,
  type CreationOptions,
  type Falsified,
  type RequestOptions,
} from '#test/support/authenticator.ts';
import { accountFields, codeOf, elsewhere, operated, type Envelope, type Refusal } from '#test/support/operators.ts';
import { request } from '#test/support/request.ts';
import { engines, openTestYard, type TestYard } from '#test/support/yard.ts';

interface Session {
  readonly key: string;
  readonly account: string;
  readonly contact: string;
  readonly scopes: readonly string[];
}
interface Self {
  readonly kind: string;
  readonly name: string;
  readonly email: string;
  readonly company: string;
  readonly scopes: readonly string[];
  readonly expires: string;
  readonly totp: string;
  readonly passkeys: string;
}
interface Person {
  readonly email: string;
  readonly password: string;
  readonly contact: string;
}

let people = 0;

for (const { engine, suite, start } of engines) {
  describe(`signing in on ${engine}`, suite, () => {
    let running: Awaited<ReturnType<typeof start>>;
    let yard: TestYard;
    before(async () => {
      running = await start();
      yard = await openTestYard({ ...(await running.newDatabase()), trustedProxies: ['127.0.0.1'] });
    });
    after(async () => {
      await yard?.[Symbol.asyncDispose]();
      await running?.[Symbol.asyncDispose]();
    });

    const ask = <Result>(method: string, path: string, params: Record<string, unknown> = {}, key?: string) =>
      request<Envelope<Result & Refusal>>(yard, method, path, {
        ...(key === undefined ? {} : { key }),
        params,
        headers: elsewhere(),
      });
    /** What is answered, of a call that has to succeed. */
    async function done<Result>(...call: Parameters<typeof ask>): Promise<Result> {
      const { status, body } = await ask<Result>(...call);
      assert.equal(status, 200, `${call[0]} ${call[1]}: ${JSON.stringify(body)}`);
      return body.result;
    }
    async function refused(...call: Parameters<typeof ask>): Promise<string> {
      const { status, body } = await ask(...call);
      return `${status} ${body.result.code}`;
    }

    /** A sub-account of its own, since wrong attempts are counted by address. */
    async function newPerson(permissions = ['account:read']): Promise<Person> {
      const email = `lena${process.pid}-${++people}@example.com`;
      const password = 'first password';
      const { contactid: contact } = await done<{ contactid: string }>(
        'POST',
        '/v2/account/contact',
        {
          firstname: 'Lena',
          lastname: 'Holm',
          email,
          password,
          address1: 'Street 1',
          city: 'Lund',
          state: 'Skane',
          zipcode: '22100',
          country: 'SE',
        },
        yard.lab.customer.key,
      );
      const settings = { id: contact, subaccount: true, permissions };
      await done('PUT', '/v2/account/contact/settings', settings, yard.lab.customer.key);
      return { email, password, contact };
    }
    const signIn = ({ email, password }: Omit<Person, 'contact'>) =>
      done<Session>('POST', '/v2/session', { email, password });
    const self = (key: string) => done<Self>('GET', '/v2/session', {}, key);

    test('tells whose key it is, and what it may do', async () => {
      const { email, password } = yard.lab.customer;
      const owner = await self((await signIn({ email, password })).key);
      assert.deepEqual([owner.kind, owner.name, owner.email], ['session', 'Ada Winter', email]);
      assert.deepEqual([owner.totp, owner.passkeys], ['None', '0']);
      assert.match(owner.expires, /^\d{4}-/);
      const person = await newPerson(['dns:read']);
      const contact = await self((await signIn(person)).key);
      assert.deepEqual([contact.name, contact.email, contact.scopes], ['Lena Holm', person.email, ['dns:read']]);
      assert.equal(contact.company, owner.company);
    });

    test('of a key shows the person only where the key may read the account', async () => {
      const { key } = yard.lab.customer;
      const params = { name: 'program', scopes: ['dns:read'] };
      const made = await done<{ key: string }>('POST', '/v2/account/key', params, key);
      const { kind, name, email, company, expires } = await self(made.key);
      assert.deepEqual([kind, name, email, company, expires], ['key', '', '', '', '']);
      assert.equal((await self(key)).email, yard.lab.customer.email);
      assert.equal(await refused('DELETE', '/v2/session', {}, key), '409 state_conflict');
    });

    /** A person with a confirmed second factor, signed in. */
    async function withApp() {
      const person = await newPerson();
      const { key } = await signIn(person);
      const { secret } = await done<{ secret: string }>('POST', '/v2/session/totp', {}, key);
      await done('PUT', '/v2/session/totp', { code: codeOf(yard, secret) }, key);
      return { ...person, key, secret };
    }
    /** Six digits that are the code of no moment near this one. */
    const wrongCode = (secret: string): string => {
      const near = new Set([-2, -1, 0, 1, 2, 3].map((beside) => codeOf(yard, secret, beside)));
      return ['000000', '111111', '222222', '333333', '444444', '555555', '666666'].find((one) => !near.has(one))!;
    };

    test('with an app needs its code from the moment it is confirmed, each code once', async () => {
      const { email, password, ...person } = await newPerson();
      const { key } = await signIn({ email, password });
      const { secret, url } = await done<{ secret: string; url: string }>('POST', '/v2/session/totp', {}, key);
      assert.ok(url.startsWith(`otpauth://totp/Hostyard:${encodeURIComponent(email)}?`), url);
      assert.equal((await self(key)).totp, 'Waiting');
      await signIn({ email, password });
      assert.equal(await refused('PUT', '/v2/session/totp', { code: wrongCode(secret) }, key), '409 state_conflict');
      const first = codeOf(yard, secret);
      await done('PUT', '/v2/session/totp', { code: first }, key);
      assert.equal((await self(key)).totp, 'Confirmed');
      assert.equal(await refused('POST', '/v2/session/totp', {}, key), '409 state_conflict');

      const tries = [{}, { code: first }, { code: wrongCode(secret) }];
      const answers = [await ask('POST', '/v2/session', { email: `no-${email}`, password })];
      for (const given of tries) answers.push(await ask('POST', '/v2/session', { email, password, ...given }));
      for (const { status, body } of answers) assert.deepEqual([status, body], [401, answers[0]!.body]);
      const next = codeOf(yard, secret, 1);
      const again = await done<Session>('POST', '/v2/session', { email, password, code: next });
      assert.equal(again.contact, person.contact);
      assert.equal(await refused('POST', '/v2/session', { email, password, code: next }), '401 unauthenticated');
    });

    test('with one code at the same moment lets one of many in', async () => {
      const { email, password, secret } = await withApp();
      const code = codeOf(yard, secret, 1);
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => ask('POST', '/v2/session', { email, password, code })),
      );
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401, 401, 401]);
    });

    test('needs no code any more once the second factor is ended, by password or by code', async () => {
      for (const proof of ['password', 'code'] as const) {
        const person = await withApp();
        const wrong = { password: { password: 'wrong' }, code: { code: wrongCode(person.secret) } }[proof];
        assert.equal(await refused('DELETE', '/v2/session/totp', wrong, person.key), '409 state_conflict');
        assert.equal(await refused('DELETE', '/v2/session/totp', {}, person.key), '400 invalid_parameter');
        const right = { password: person.password, code: codeOf(yard, person.secret, 1) };
        await done('DELETE', '/v2/session/totp', { [proof]: right[proof] }, person.key);
        assert.equal((await self(person.key)).totp, 'None');
        await signIn(person);
        assert.equal(await refused('DELETE', '/v2/session/totp', right, person.key), '409 state_conflict');
      }
    });

    test('keeps secrets sealed, each for its person, and tells them to nobody else', async () => {
      const { secret, contact, key } = await withApp();
      const rows = await yard.parts.store.queries.selectFrom('totps').selectAll().execute();
      const row = rows.find(({ contact_id }) => String(contact_id) === contact)!;
      assert.equal(yard.parts.secrets.open(row.secret, `totps secret 1 ${contact}`), secret);
      assert.throws(() => yard.parts.secrets.open(row.secret, 'totps secret 1 '));
      // Two people of one account who happen on the same Idempotency-Key.
      const headers = { ...elsewhere(), 'idempotency-key': 'enrol' };
      const enrolled = await Promise.all(
        [await newPerson(), await newPerson()].map(async (person) => {
          const options = { key: (await signIn(person)).key, params: {}, headers };
          return (await request<Envelope<{ secret: string }>>(yard, 'POST', '/v2/session/totp', options)).body.result;
        }),
      );
      assert.notEqual(enrolled[0]!.secret, enrolled[1]!.secret);
      assert.equal((await self(key)).totp, 'Confirmed');
    });

    test('is a person’s own matter: a key of a program changes no password and no second factor', async () => {
      const { key } = yard.lab.customer;
      const changes = [
        ['PUT', '/v2/session/password', { password: yard.lab.customer.password, newpassword: 'another' }],
        ['POST', '/v2/session/totp', {}],
        ['PUT', '/v2/session/totp', { code: '123456' }],
        ['DELETE', '/v2/session/totp', { password: yard.lab.customer.password }],
        ['GET', '/v2/session/passkey', {}],
        ['DELETE', '/v2/session/passkey', { id: 1 }],
      ] as const;
      for (const [method, path, params] of changes)
        assert.equal(await refused(method, path, params, key), '409 state_conflict', `${method} ${path}`);
    });

    test('with a new password ends the other sessions of the same person', async () => {
      const person = await newPerson();
      const [here, there] = [await signIn(person), await signIn(person)];
      const newpassword = 'second password';
      const change = (password: string) =>
        ['PUT', '/v2/session/password', { password, newpassword }, here.key] as const;
      assert.equal(await refused(...change('wrong')), '409 state_conflict');
      await done(...change(person.password));
      assert.equal((await self(here.key)).kind, 'session');
      assert.equal(await refused('GET', '/v2/session', {}, there.key), '401 unauthenticated');
      assert.equal(
        await refused('POST', '/v2/session', { email: person.email, password: person.password }),
        '401 unauthenticated',
      );
      await signIn({ ...person, password: newpassword });
    });

    test('as the account itself is changed the same way', async () => {
      const email = `owner${process.pid}-${++people}@example.com`;
      const fields = { ...accountFields(), email, password: 'first password', currency: 'EUR' };
      const id = await operated<string>(yard, 'POST', 'account', fields);
      const { key } = await signIn({ email, password: 'first password' });
      const { secret } = await done<{ secret: string }>('POST', '/v2/session/totp', {}, key);
      await done('PUT', '/v2/session/totp', { code: codeOf(yard, secret) }, key);
      await done('PUT', '/v2/session/password', { password: 'first password', newpassword: 'second one' }, key);
      assert.equal(await refused('POST', '/v2/session', { email, password: 'second one' }), '401 unauthenticated');
      await done('POST', '/v2/session', { email, password: 'second one', code: codeOf(yard, secret, 1) });
      await operated(yard, 'PUT', 'account', { id, forgetfactors: true });
      assert.equal(await refused('GET', '/v2/session', {}, key), '401 unauthenticated');
      const again = await signIn({ email, password: 'second one' });
      await operated(yard, 'PUT', 'account', { id, password: 'third one' });
      assert.equal(await refused('GET', '/v2/session', {}, again.key), '401 unauthenticated');
    });

    const panel = 'https://panel.example.net';
    /** As a page of this origin calls, at the host of the panel unless told. */
    const fromPage = (origin: string, host = 'panel.example.net'): Record<string, string> => ({
      ...elsewhere(),
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
      const { status, body } = await request<Envelope<Result & Refusal>>(yard, method, path, options);
      return { told: `${status} ${body.result.code ?? ''}`.trim(), result: body.result };
    }
    const challenge = async () => (await page<RequestOptions>('POST', '/v2/session/challenge')).result;
    const answer = (credential: unknown, headers = fromPage(panel)) =>
      page<Session>('PUT', '/v2/session/challenge', { credential }, { headers });
    const begin = async (key: string) =>
      (await page<CreationOptions>('POST', '/v2/session/passkey', {}, { key })).result;
    const finish = (key: string, credential: unknown, headers = fromPage(panel)) =>
      page<{ id: string }>('PUT', '/v2/session/passkey', { name: 'Laptop', credential }, { key, headers });

    /** A person of his own, signed in. */
    async function newcomer() {
      const person = await newPerson();
      return { ...person, key: (await signIn(person)).key };
    }
    let somebody: ReturnType<typeof newcomer> | undefined;
    /** A person with a passkey, signed in: the same one where it does not matter who, since every password costs time. */
    async function withPasskey({ device = authenticator(panel), whose = (somebody ??= newcomer()) } = {}) {
      const person = await whose;
      const made = await finish(person.key, device.create(await begin(person.key)));
      assert.equal(made.told, '200');
      return { ...person, device, id: made.result.id };
    }

    test('with a passkey needs neither address nor password nor code', async () => {
      const { key, contact, device, id } = await withPasskey({ whose: newcomer() });
      const { secret } = await done<{ secret: string }>('POST', '/v2/session/totp', {}, key);
      await done('PUT', '/v2/session/totp', { code: codeOf(yard, secret) }, key);
      const listed = () =>
        done<{ id: string; name: string; lastused: string }[]>('GET', '/v2/session/passkey', {}, key);
      assert.deepEqual(
        (await listed()).map(({ name, lastused }) => [name, lastused]),
        [['Laptop', '']],
      );
      const { told, result } = await answer(device.get(await challenge()));
      assert.deepEqual([told, result.contact, result.scopes], ['200', contact, ['account:read']]);
      assert.deepEqual([(await self(result.key)).passkeys, (await self(result.key)).kind], ['1', 'session']);
      assert.match((await listed())[0]!.lastused, /^\d{4}-/);
      const audit = await done<{ operation: string; contact: string }[]>(
        'GET',
        '/v2/account/audit',
        {},
        yard.lab.customer.key,
      );
      assert.ok(audit.some((entry) => entry.operation === 'v2.challengeAnswer' && entry.contact === contact));
      const stranger = await withPasskey();
      assert.equal(await refused('DELETE', '/v2/session/passkey', { id }, stranger.key), '404 not_found');
      await done('DELETE', '/v2/session/passkey', { id }, key);
      assert.equal((await answer(device.get(await challenge()))).told, '401 unauthenticated');
    });

    test('with a passkey is refused where anything about the answer is not as it should be', async () => {
      const { device } = await withPasskey();
      const falsified: Falsified[] = [
        { origin: 'https://evil.example' },
        { origin: 'https://sub.panel.example.net' },
        { rpId: 'evil.example' },
        { userVerified: false },
        { userHandle: 'c29tZWJvZHkgZWxzZQ' },
        { signature: randomBytes(70) },
      ];
      for (const one of falsified)
        assert.equal(
          (await answer(device.get(await challenge(), one))).told,
          '401 unauthenticated',
          JSON.stringify(one),
        );
      const asked = await challenge();
      const signed = device.get(asked);
      for (const response of [
        { clientDataJSON: 'bm90IGpzb24' },
        { clientDataJSON: 'bnVsbA' },
        { authenticatorData: 'AAAA' },
      ])
        assert.equal(
          (await answer({ ...signed, response: { ...signed.response, ...response } })).told,
          '401 unauthenticated',
        );
      assert.equal(
        (await answer({ ...device.get(await challenge()), id: 'AAAA', rawId: 'AAAA' })).told,
        '401 unauthenticated',
      );
      assert.equal((await answer(device.get(await challenge()))).told, '200');
    });

    test('with a passkey takes each challenge once and for five minutes, also where the first answer was wrong', async () => {
      const { device, key } = await withPasskey();
      const used = await challenge();
      assert.equal((await answer(device.get(used))).told, '200');
      assert.equal((await answer(device.get(used))).told, '401 unauthenticated');
      const spoilt = await challenge();
      assert.equal((await answer(device.get(spoilt, { userVerified: false }))).told, '401 unauthenticated');
      assert.equal((await answer(device.get(spoilt))).told, '401 unauthenticated');
      // One that was given for making a passkey lets nobody in, and the other way round.
      const { challenge: forMaking, rp, user } = await begin(key);
      assert.equal((await answer(device.get({ challenge: forMaking, rpId: rp.id }))).told, '401 unauthenticated');
      const forSigningIn = { challenge: (await challenge()).challenge, rp, user };
      assert.equal((await finish(key, device.create(forSigningIn))).told, '409 state_conflict');
      const late = await challenge();
      yard.pass(5 * 60_000);
      assert.equal((await answer(device.get(late))).told, '401 unauthenticated');
    });

    test('with a passkey that counts refuses one whose count goes back, as that of a copy does', async () => {
      const { device } = await withPasskey();
      assert.equal((await answer(device.get(await challenge(), { count: 7 }))).told, '200');
      for (const count of [7, 6, 0])
        assert.equal(
          (await answer(device.get(await challenge(), { count }))).told,
          '401 unauthenticated',
          String(count),
        );
      assert.equal((await answer(device.get(await challenge(), { count: 8 }))).told, '200');
      const synced = await withPasskey({ device: authenticator(panel, { counts: false }) });
      for (const _ of [1, 2]) assert.equal((await answer(synced.device.get(await challenge()))).told, '200');
    });

    test('makes and takes passkeys only for pages of the host that was called, by its name', async () => {
      const { key, device } = await withPasskey();
      const pages: Record<string, string>[] = [
        elsewhere(),
        fromPage('https://evil.example'),
        fromPage('https://panel.example.net:8443'),
        fromPage('http://panel.example.net'),
        fromPage('https://192.0.2.1', '192.0.2.1'),
        fromPage('null'),
      ];
      for (const headers of pages) {
        const tries = await Promise.all([
          page('POST', '/v2/session/challenge', {}, { headers }),
          page('POST', '/v2/session/passkey', {}, { key, headers }),
          answer(device.get(await challenge()), headers),
        ]);
        for (const { told } of tries) assert.equal(told, '409 state_conflict', JSON.stringify(headers));
      }
      // Somebody who calls with another name does not get in with a passkey of this one.
      const other = fromPage('https://other.example', 'other.example');
      const relayed = device.get(await challenge(), { origin: 'https://other.example', rpId: 'other.example' });
      assert.equal((await answer(relayed, other)).told, '401 unauthenticated');
      const local = fromPage('http://localhost:8080', 'localhost:8080');
      assert.equal((await page('POST', '/v2/session/challenge', {}, { headers: local })).told, '200');
    });

    test('keeps no passkey that was made wrongly, for somebody else, or twice', async () => {
      const { key, device } = await withPasskey({ whose: newcomer() });
      const wrong: Falsified[] = [
        { origin: 'https://evil.example' },
        { rpId: 'evil.example' },
        { userVerified: false },
        { format: 'apple' },
        { format: 'unheard-of' },
      ];
      for (const one of wrong)
        assert.equal(
          (await finish(key, device.create(await begin(key), one))).told,
          '409 state_conflict',
          JSON.stringify(one),
        );
      const { key: other } = await withPasskey();
      assert.equal((await finish(other, device.create(await begin(key)))).told, '409 state_conflict');
      const made = device.create(await begin(key));
      assert.equal((await finish(key, made)).told, '200');
      assert.equal((await finish(key, made)).told, '409 state_conflict');
      assert.equal((await self(key)).passkeys, '2');
      assert.equal((await finish(yard.lab.customer.key, made)).told, '409 state_conflict');
    });

    test('needs the password alone again for who lost a phone, once somebody who may has had it forgotten', async () => {
      const owner = yard.lab.customer.key;
      const { device, key, ...person } = await withPasskey({ whose: newcomer() });
      const { secret } = await done<{ secret: string }>('POST', '/v2/session/totp', {}, key);
      await done('PUT', '/v2/session/totp', { code: codeOf(yard, secret) }, key);
      const forget = { id: person.contact, forgetfactors: true };
      const colleague = await signIn(await newPerson(['account:keys']));
      const settings = '/v2/account/contact/settings';
      assert.equal(await refused('PUT', settings, forget, colleague.key), '403 scope_missing');
      await done('PUT', settings, { id: person.contact, permissions: ['account:read', 'account:keys'] }, owner);
      assert.equal(await refused('PUT', settings, forget, key), '409 state_conflict');
      assert.equal((await self(key)).totp, 'Confirmed');
      await done('PUT', settings, forget, owner);
      assert.equal(await refused('GET', '/v2/session', {}, key), '401 unauthenticated');
      assert.equal((await answer(device.get(await challenge()))).told, '401 unauthenticated');
      const { totp, passkeys } = await self((await signIn(person)).key);
      assert.deepEqual([totp, passkeys], ['None', '0']);
    });

    test('with a passkey ends when the person may not sign in any more', async () => {
      const { device, contact } = await withPasskey({ whose: newcomer() });
      const settings = { id: contact, subaccount: false };
      await done('PUT', '/v2/account/contact/settings', settings, yard.lab.customer.key);
      assert.equal((await answer(device.get(await challenge()))).told, '401 unauthenticated');
      await done('DELETE', '/v2/account/contact', { id: contact }, yard.lab.customer.key);
      assert.equal((await answer(device.get(await challenge()))).told, '401 unauthenticated');
    });
  });
}
