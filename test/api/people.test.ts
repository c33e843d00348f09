// Contacts as people: a sub-account signs in, does what its permissions say and no more, and is out when that ends.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { request } from '#test/support/request.ts';
import { engines, openTestYard, type TestYard } from '#test/support/yard.ts';

interface Envelope<Result> {
  success: boolean;
  results: number;
  result: Result;
}
interface Session {
  key: string;
  contact: string;
  subaccount: string;
  account: string;
  scopes: string[];
}
interface Refusal {
  code: string;
}

let people = 0;
const person = () => ({
  firstname: 'Eva',
  lastname: 'Lind',
  email: `eva${++people}@example.com`,
  password: 'first password',
  address1: 'Street 1',
  city: 'Lund',
  state: 'Skane',
  zipcode: '22100',
  country: 'SE',
});

for (const { engine, suite, start } of engines) {
  describe(`people on ${engine}`, suite, () => {
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

    let visitors = 0;
    /** Every visitor has an address of its own: signing in is limited by address. */
    const signIn = (email: string, password: string) =>
      request<Envelope<Session & Refusal>>(yard, 'POST', '/v2/session', {
        params: { email, password },
        headers: { 'x-forwarded-for': `198.51.100.${++visitors}` },
      });
    const ask = <Result>(
      method: string,
      path: string,
      params: Record<string, unknown> = {},
      key = yard.lab.customer.key,
    ) => request<Envelope<Result>>(yard, method, path, { key, params });
    const settings = (id: string, change: Record<string, unknown>, key?: string) =>
      ask<Refusal>('PUT', '/v2/account/contact/settings', { id, ...change }, key);

    async function subaccount(permissions: string[]) {
      const fields = person();
      const { body } = await ask<{ contactid: string }>('POST', '/v2/account/contact', fields);
      const id = body.result.contactid;
      const { status } = await settings(id, { subaccount: true, permissions });
      assert.equal(status, 200);
      const session = (await signIn(fields.email, fields.password)).body.result;
      return { id, email: fields.email, key: session.key, session };
    }
    const status = async (key: string, path = '/v2/account') => (await ask('GET', path, {}, key)).status;

    test('sign in as the account itself', async () => {
      const { email, password } = yard.lab.customer;
      const { status: code, body } = await signIn(email.toUpperCase(), password);
      assert.equal(code, 200);
      const { key, account, contact, subaccount: sub } = body.result;
      assert.deepEqual([account, contact, sub], ['1', '', '0']);
      assert.equal(await status(key), 200);
      assert.equal((await ask<string>('DELETE', '/v2/session', {}, key)).body.result, 'Signed Out');
      assert.equal(await status(key), 401);
    });

    test('do not sign in with a wrong password, as nobody, or as a contact that is no sub-account', async () => {
      const fields = person();
      await ask('POST', '/v2/account/contact', fields);
      const tries = [
        [yard.lab.customer.email, 'wrong'],
        ['nobody@example.com', 'wrong'],
        [fields.email, fields.password],
        ['chen@example.net', yard.lab.customer.password],
      ] as const;
      const answers = await Promise.all(tries.map(([email, password]) => signIn(email, password)));
      for (const answer of answers) {
        assert.equal(answer.status, 401);
        assert.deepEqual(answer.body, answers[0]!.body);
      }
    });

    test('who guess have to wait longer and longer, and are told how long', async () => {
      const email = `guessed.on.${engine}@example.com`;
      for (let attempt = 0; attempt < 5; attempt++) assert.equal((await signIn(email, 'wrong')).status, 401);
      const { status: code, headers } = await signIn(email, 'wrong');
      assert.equal(code, 429);
      assert.ok(Number(headers.get('retry-after')) >= 1);
    });

    test('of a sub-account do what their permissions say', async () => {
      const { key, session, id } = await subaccount(['account:read', 'billing:read']);
      assert.deepEqual([session.contact, session.subaccount], [id, '1']);
      assert.deepEqual(session.scopes.sort(), ['account:read', 'billing:read']);
      assert.deepEqual([await status(key), await status(key, '/v2/account/balance')], [200, 200]);
      const refused = await ask<Refusal>('GET', '/v2/account/audit', {}, key);
      assert.deepEqual([refused.status, refused.body.result.code], [403, 'permission_missing']);
      assert.equal((await ask('DELETE', '/v2/account/contact', { id }, key)).status, 403);
    });

    test('leave their sign-in in the audit log', async () => {
      const { id } = await subaccount(['account:read']);
      const { body } = await ask<{ operation: string; contact: string; outcome: string }[]>('GET', '/v2/account/audit');
      const entry = body.result.find(({ operation }) => operation === 'v2.sessionCreate');
      assert.deepEqual([entry?.contact, entry?.outcome], [id, 'success']);
    });

    test('feel a change of permissions at once', async () => {
      const { key, id } = await subaccount(['account:read']);
      await settings(id, { permissions: ['billing:read'] });
      assert.deepEqual([await status(key), await status(key, '/v2/account/balance')], [403, 200]);
    });

    test('are out when they are no sub-account any more, and do not come back with it', async () => {
      const { key, id, email } = await subaccount(['account:read']);
      await settings(id, { subaccount: false });
      assert.equal(await status(key), 401);
      assert.equal((await signIn(email, 'first password')).status, 401);
      await settings(id, { subaccount: true });
      assert.equal(await status(key), 401, 'a session that has ended stays ended');
      assert.equal((await signIn(email, 'first password')).status, 200);
    });

    test('are out when they are removed, or given a new password', async () => {
      const one = await subaccount(['account:read']);
      await ask('PUT', '/v2/account/contact', { id: one.id, password: 'second password' });
      assert.equal(await status(one.key), 401);
      assert.equal((await signIn(one.email, 'first password')).status, 401);
      const again = await signIn(one.email, 'second password');
      assert.equal(again.status, 200);
      await ask('DELETE', '/v2/account/contact', { id: one.id });
      assert.equal(await status(again.body.result.key), 401);
    });

    test('sign in with their present address, which nobody else may have', async () => {
      const one = await subaccount(['account:read']);
      const two = await subaccount(['account:read']);
      const taken = await ask<Refusal>('PUT', '/v2/account/contact', { id: two.id, email: one.email });
      assert.deepEqual([taken.status, taken.body.result.code], [409, 'already_exists']);
      await ask('PUT', '/v2/account/contact', { id: two.id, email: 'moved@example.com' });
      assert.equal((await signIn(two.email, 'first password')).status, 401);
      assert.equal((await signIn('moved@example.com', 'first password')).status, 200);
    });

    test('see, change and revoke their own keys only', async () => {
      const { key, id } = await subaccount(['account:read', 'account:keys']);
      const made = await ask<{ id: string; key: string }>(
        'POST',
        '/v2/account/key',
        { name: 'own', scopes: ['account:read'] },
        key,
      );
      assert.equal(made.status, 200);
      const listed = await ask<{ id: string; contact: string }[]>('GET', '/v2/account/key', {}, key);
      assert.deepEqual(
        listed.body.result.map((one) => one.contact),
        [id],
      );
      const all = await ask<{ id: string; contact: string }[]>('GET', '/v2/account/key');
      const others = all.body.result.find((one) => one.contact === '')!;
      assert.equal((await ask('DELETE', '/v2/account/key', { id: others.id }, key)).status, 404);
    });

    test('who may do little cannot become who may do more', async () => {
      const powerful = await subaccount(['account:read', 'billing:read']);
      const { key } = await subaccount(['account:read', 'account:write', 'account:keys']);
      const attempts = [
        await ask<Refusal>('PUT', '/v2/account/contact', { id: powerful.id, password: 'mine now' }, key),
        await ask<Refusal>('PUT', '/v2/account/contact', { id: powerful.id, email: 'mine@example.com' }, key),
        await settings(powerful.id, { permissions: ['billing:read'] }, key),
      ];
      for (const { status: code, body } of attempts)
        assert.deepEqual([code, body.result.code], [403, 'scope_missing'], JSON.stringify(body));
      // Permissions that slept while somebody was no sub-account do not wake under a weaker hand.
      await settings(powerful.id, { subaccount: false });
      assert.equal((await settings(powerful.id, { subaccount: true }, key)).status, 403);
      assert.equal((await ask('PUT', '/v2/account/contact', { id: powerful.id, city: 'Paris' }, key)).status, 200);
    });

    test('need a password before they can be a sub-account', async () => {
      const { body } = await ask<{ id: string; email: string }[]>('GET', '/v2/account/contact');
      const chen = body.result.find(({ email }) => email === 'chen@example.net')!;
      assert.equal((await settings(chen.id, { subaccount: true })).status, 400);
      assert.equal((await settings(chen.id, {})).status, 400);
    });

    test('cannot sign out of a key that did not come from signing in', async () => {
      assert.equal((await ask('DELETE', '/v2/session')).status, 409);
    });
  });
}
