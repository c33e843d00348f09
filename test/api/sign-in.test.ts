// How customers show that it is they: who holds a key, codes of an app, passkeys, a new password.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
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
      await operated(yard, 'POST', 'account', fields);
      const { key } = await signIn({ email, password: 'first password' });
      const { secret } = await done<{ secret: string }>('POST', '/v2/session/totp', {}, key);
      await done('PUT', '/v2/session/totp', { code: codeOf(yard, secret) }, key);
      await done('PUT', '/v2/session/password', { password: 'first password', newpassword: 'second one' }, key);
      assert.equal(await refused('POST', '/v2/session', { email, password: 'second one' }), '401 unauthenticated');
      await done('POST', '/v2/session', { email, password: 'second one', code: codeOf(yard, secret, 1) });
    });
  });
}
