// The provider's staff at work: signing in with a second factor, roles, and what customers see of what staff do.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { providerAccount } from '#store/account/accounts.ts';
import { auditVerify } from '#store/account/audit.ts';
import { request } from '#test/support/request.ts';
import type { AccountId } from '#store/tables.ts';
import {
  accountFields,
  asOperator,
  codeOf,
  newOperator,
  operated,
  signedIn,
  type Refusal,
} from '#test/support/operators.ts';
import { engines, openTestYard, type TestYard } from '#test/support/yard.ts';

for (const { engine, suite, start } of engines) {
  describe(`operators on ${engine}`, suite, () => {
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
    const refused = async (...call: Parameters<typeof asOperator>) => {
      const { status, body, headers } = await asOperator<Refusal>(...call);
      return { status, headers, ...body.result };
    };

    test('a new operator enrols a second factor before anything else, and signs in with it from then on', async () => {
      const { name, password } = await newOperator(yard, 'support');
      const first = await operated<{ key: string; secondfactor: string }>(yard, 'POST', 'session', {
        name: name.toUpperCase(),
        password,
      });
      assert.equal(first.secondfactor, 'Missing');
      const early = await refused(yard, 'GET', 'account', {}, first.key);
      assert.equal(early.code, 'role_missing');
      assert.match(early.message, /second factor/);

      const { secret, url } = await operated<{ secret: string; url: string }>(yard, 'POST', 'totp', {}, first.key);
      assert.ok(url.startsWith('otpauth://totp/Hostyard:') && url.includes(secret.toUpperCase()));
      const wrong = codeOf(yard, secret, 5);
      assert.equal((await refused(yard, 'PUT', 'totp', { code: wrong }, first.key)).code, 'state_conflict');
      const code = codeOf(yard, secret);
      await operated(yard, 'PUT', 'totp', { code }, first.key);
      const self = await operated<{ powers: string[] }>(yard, 'GET', 'session', {}, first.key);
      assert.ok(self.powers.includes('operator:read') && !self.powers.includes('operator:owner'));
      assert.equal((await refused(yard, 'POST', 'totp', {}, first.key)).code, 'state_conflict');

      const again = { name, password };
      assert.equal((await refused(yard, 'POST', 'session', again)).code, 'unauthenticated');
      assert.equal((await refused(yard, 'POST', 'session', { ...again, code })).code, 'unauthenticated');
      const next = codeOf(yard, secret, 1);
      const second = await operated<{ key: string }>(yard, 'POST', 'session', { ...again, code: next });
      await operated(yard, 'GET', 'account', {}, second.key);
      assert.equal((await refused(yard, 'POST', 'session', { ...again, code: next })).code, 'unauthenticated');

      await operated(yard, 'DELETE', 'session', {}, second.key);
      assert.equal((await refused(yard, 'GET', 'account', {}, second.key)).status, 401);
      assert.equal((await refused(yard, 'DELETE', 'session')).code, 'state_conflict');
      yard.pass(12 * 3_600_000);
      assert.equal((await refused(yard, 'GET', 'account', {}, first.key)).status, 401);
    });

    test('wrong passwords wait longer each time, and a name that nobody has answers alike', async () => {
      const { name, password } = await newOperator(yard, 'billing');
      const nobody = `${name}-nobody`;
      const attempt = async (tried: string) => {
        const { status, code, message, headers } = await refused(yard, 'POST', 'session', {
          name: tried,
          password: 'not this one',
        });
        return { told: [status, code, message], waitSeconds: Number(headers.get('retry-after') ?? 0) };
      };
      for (let free = 0; free < 5; free++) {
        const { told } = await attempt(name);
        assert.deepEqual(told, (await attempt(nobody)).told);
        assert.equal(told[1], 'unauthenticated');
      }
      // However slow this machine is, a wait that doubles is at some time longer than what passes between two attempts.
      for (const tried of [nobody, name])
        for (let longest = 0; longest < 100;) {
          const { told, waitSeconds } = await attempt(tried);
          if (told[1] !== 'rate_limited') continue;
          longest = waitSeconds;
          if (longest < 100) yard.pass(waitSeconds * 1000);
        }
      assert.equal((await refused(yard, 'POST', 'session', { name, password })).code, 'rate_limited');
      yard.pass(15 * 60_000);
      await operated(yard, 'POST', 'session', { name, password });
    });

    test('an owner makes, changes and ends operators, but not the last owner', async () => {
      const owner = await signedIn(yard, 'owner');
      const { name } = owner;
      assert.equal((await refused(yard, 'POST', 'operator', { name, role: 'support' })).code, 'already_exists');
      const list = () => operated<{ id: string; role: string; status: string }[]>(yard, 'GET', 'operator');
      const one = async (id: string) => (await list()).find((operator) => operator.id === id)!;
      for (const { id } of (await list()).filter(({ role, status }) => role === 'owner' && status === 'Active'))
        if (id !== owner.id) await operated(yard, 'DELETE', 'operator', { id });
      for (const change of [
        ['DELETE', { id: owner.id }],
        ['PUT', { id: owner.id, role: 'support' }],
      ] as const)
        assert.equal((await refused(yard, change[0], 'operator', change[1])).code, 'state_conflict');

      const person = await signedIn(yard, 'support');
      assert.equal((await refused(yard, 'DELETE', 'operator', { id: owner.id }, person.key)).code, 'role_missing');
      await operated(yard, 'PUT', 'operator', { id: person.id, role: 'engineer' }, owner.key);
      const self = await operated<{ role: string }>(yard, 'GET', 'session', {}, person.key);
      assert.equal(self.role, 'engineer');
      const { password } = await operated<{ password: string }>(yard, 'PUT', 'operator', {
        id: person.id,
        newpassword: true,
        forgettotp: true,
      });
      assert.equal((await refused(yard, 'GET', 'account', {}, person.key)).status, 401);
      assert.equal(
        (await refused(yard, 'POST', 'session', { name: person.name, password: person.password })).code,
        'unauthenticated',
      );
      const back = await operated<{ key: string; secondfactor: string }>(yard, 'POST', 'session', {
        name: person.name,
        password,
      });
      assert.equal(back.secondfactor, 'Missing');
      const own = { password, newpassword: 'a password of my own' };
      await operated(yard, 'PUT', 'password', own, back.key);
      assert.equal((await refused(yard, 'PUT', 'password', own, back.key)).code, 'state_conflict');
      await operated(yard, 'POST', 'session', { name: person.name, password: own.newpassword });
      await operated(yard, 'DELETE', 'operator', { id: person.id });
      assert.equal((await refused(yard, 'GET', 'session', {}, back.key)).status, 401);
      assert.equal((await one(person.id)).status, 'Ended');
      assert.equal(
        (await refused(yard, 'POST', 'session', { name: person.name, password: own.newpassword })).code,
        'unauthenticated',
      );
      const { secrets, store } = yard.parts;
      const rows = await store.queries.selectFrom('operators').selectAll().execute();
      assert.doesNotMatch(JSON.stringify(rows), new RegExp(owner.secret));
      const sealed = rows.find(({ id }) => String(id) === owner.id)!.totp_secret!;
      assert.equal(secrets.open(sealed, `operators totp_secret ${owner.id}`), owner.secret);
    });

    test('support makes a customer, who uses his key, is suspended and resumed, and in the end closed', async () => {
      const support = await signedIn(yard, 'support');
      const does = <Result>(method: string, path: string, params = {}) =>
        operated<Result>(yard, method, path, params, support.key);
      const fields = accountFields();
      const id = await does<string>('POST', 'account', fields);
      assert.equal((await refused(yard, 'POST', 'account', fields)).code, 'already_exists');
      const account = await does<Record<string, string>>('GET', `account/${id}`);
      assert.deepEqual(
        [account['country'], account['currency'], account['balance'], account['keys'], account['status']],
        ['DK', 'EUR', '0.00', '0', 'Active'],
      );
      const search = async (text: string) =>
        (await does<{ id: string }[]>('GET', 'account', { search: text })).map((one) => one.id);
      assert.deepEqual(await search(fields.email.toUpperCase()), [id]);
      assert.deepEqual(await search('%'), []);
      assert.ok((await search(id)).includes(id));
      const [first, ...rest] = await does<{ id: string }[]>('GET', 'account');
      assert.deepEqual(await does('GET', 'account', { after: first!.id }), rest);
      assert.equal((await refused(yard, 'GET', 'account/0')).status, 404);

      const { id: keyid, key } = await does<{ id: string; key: string }>('POST', 'key', {
        account: id,
        name: 'first key',
        scopes: ['all'],
      });
      const own = (method: string, path: string, params = {}) =>
        request<{ result: Record<string, unknown> & Refusal }>(yard, method, `/v2/${path}`, { key, params });
      assert.equal((await own('GET', 'account')).body.result['email'], fields.email);
      await does('PUT', 'account', { id, city: 'Odense', company: 'Krag og Co' });
      assert.equal((await own('GET', 'account')).body.result['city'], 'Odense');

      await does('POST', 'account/suspend', { id, reason: 'Spam' });
      assert.equal((await refused(yard, 'POST', 'account/suspend', { id, reason: 'Spam' })).code, 'state_conflict');
      const zone = { domain: `krag-${engine}.example.org` };
      assert.equal((await own('POST', 'dns/domain', zone)).body.result.code, 'account_suspended');
      await does('POST', 'account/resume', { id });
      assert.equal((await own('POST', 'dns/domain', zone)).status, 200);

      const log = (await own('GET', 'account/audit')).body.result as unknown as Record<string, string>[];
      const ofStaff = log.filter((entry) => entry['operator'] !== '');
      assert.deepEqual(
        ofStaff.map((entry) => [entry['operation'], entry['operator'], entry['address']]).reverse(),
        ['accountCreate', 'keyCreate', 'accountUpdate', 'accountSuspend', 'accountResume'].map((name) => [
          `operator.${name}`,
          support.name,
          '',
        ]),
      );
      const { events } = (await own('GET', 'event')).body.result as unknown as { events: { type: string }[] };
      assert.deepEqual(
        events.map(({ type }) => type).filter((type) => /^(?:account|key)/.test(type)),
        ['key.created', 'account.suspended', 'account.resumed'],
      );
      const seen = await does<Record<string, string>[]>('GET', 'audit', { operator: support.name, account: 0 });
      assert.ok(seen.every((entry) => entry['operator'] === support.name && entry['address'] !== ''));

      await does('DELETE', 'key', { account: id, id: keyid });
      assert.equal((await own('GET', 'account')).status, 401);
      assert.equal(
        (await refused(yard, 'DELETE', 'account', { id: yard.lab.customer.account })).code,
        'state_conflict',
      );
      await does('DELETE', 'account', { id });
      assert.equal((await refused(yard, 'PUT', 'account', { id, city: 'Lund' })).code, 'state_conflict');
      assert.equal(await auditVerify(yard.parts.store.queries, Number(id) as AccountId), undefined);
    });

    test('a change that is sent again with its Idempotency-Key is made once, and its answer is nobody else’s', async () => {
      const params = accountFields();
      const send = (key: string) =>
        request<{ result: string & Refusal }>(yard, 'POST', '/operator/account', {
          key,
          params,
          headers: { 'idempotency-key': 'once' },
        });
      const first = await send(yard.lab.operator.key);
      assert.equal(first.status, 200);
      assert.deepEqual((await send(yard.lab.operator.key)).body, first.body);
      const other = await signedIn(yard, 'support');
      assert.equal((await send(other.key)).body.result.code, 'already_exists');
    });

    test('what operators did can be followed from the first entry to the last', async () => {
      assert.equal(await auditVerify(yard.parts.store.queries, providerAccount), undefined);
    });
  });
}
