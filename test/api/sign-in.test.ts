// How customers show that it is they: who holds a key, codes of an app, passkeys, a new password.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { elsewhere, type Envelope, type Refusal } from '#test/support/operators.ts';
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
  });
}
