// Staff: signing in with a second factor, roles, and what customers see of staff's actions.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { accountChange, accountFind, providerAccount } from '#store/account/accounts.ts';
import { auditVerify } from '#store/account/audit.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { serviceList, servicesPut } from '#store/devices/services.ts';
import { operatorUpdate } from '#store/operator/operators.ts';
import type { Queries } from '#store/store.ts';
import { request, type Envelope, type ErrorResult } from '#test/support/request.ts';
import {
  accountFields,
  asOperator,
  codeOf,
  createOperator,
  machineOrder,
  operatorResult,
  signInOperator,
} from '#test/support/operators.ts';
import type { TestApp } from '#test/support/app.ts';
import { callDuring } from '#test/support/concurrent-calls.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { until } from '#test/support/until.ts';
import type { AccountId } from '#store/account-id.ts';

describeOnEngines('operators', { postgres: 'in long runs' }, ({ engine, openApp }) => {
  let app: TestApp;
  before(async () => void (app = await openApp({ trustedProxies: ['127.0.0.1'] })));
  const rejection = async (...call: Parameters<typeof asOperator>) => {
    const { status, body, headers } = await asOperator<ErrorResult>(...call);
    return { status, headers, ...body.result };
  };

  test('a new operator enrols a second factor before anything else, and signs in with it from then on', async () => {
    const { name, password } = await createOperator(app, 'support');
    const first = await operatorResult<{ key: string; secondfactor: string }>(app, 'POST', 'session', {
      name: name.toUpperCase(),
      password,
    });
    assert.equal(first.secondfactor, 'Missing');
    const early = await rejection(app, 'GET', 'account', {}, first.key);
    assert.equal(early.code, 'role_missing');
    assert.match(early.message, /two-factor authentication/);
    assert.equal((await request(app, 'GET', '/metrics', { key: first.key })).status, 403);

    const { secret, url } = await operatorResult<{ secret: string; url: string }>(
      app,
      'POST',
      'totp',
      { password },
      first.key,
    );
    assert.ok(url.startsWith('otpauth://totp/Hostyard:') && url.includes(secret.toUpperCase()));
    const wrong = codeOf(app, secret, 5);
    assert.equal((await rejection(app, 'PUT', 'totp', { code: wrong }, first.key)).code, 'state_conflict');
    const code = codeOf(app, secret);
    await operatorResult(app, 'PUT', 'totp', { code }, first.key);
    const self = await operatorResult<{ powers: string[] }>(app, 'GET', 'session', {}, first.key);
    assert.ok(self.powers.includes('operator:read') && !self.powers.includes('operator:owner'));
    assert.equal((await rejection(app, 'POST', 'totp', { password }, first.key)).code, 'state_conflict');

    const again = { name, password };
    assert.equal((await rejection(app, 'POST', 'session', again)).code, 'unauthenticated');
    assert.equal((await rejection(app, 'POST', 'session', { ...again, code })).code, 'unauthenticated');
    const next = codeOf(app, secret, 1);
    const second = await operatorResult<{ key: string }>(app, 'POST', 'session', { ...again, code: next });
    await operatorResult(app, 'GET', 'account', {}, second.key);
    assert.equal((await rejection(app, 'POST', 'session', { ...again, code: next })).code, 'unauthenticated');

    await operatorResult(app, 'DELETE', 'session', {}, second.key);
    assert.equal((await rejection(app, 'GET', 'account', {}, second.key)).status, 401);
    assert.equal((await rejection(app, 'DELETE', 'session')).code, 'state_conflict');
    app.pass(12 * 3_600_000);
    assert.equal((await rejection(app, 'GET', 'account', {}, first.key)).status, 401);
  });

  test('wrong passwords cause longer and longer waits, and an unknown name behaves the same', async () => {
    const { name, password } = await createOperator(app, 'billing');
    const unknownName = `${name}-nobody`;
    /** All from one network. */
    const signIn = async (tried: string, given: string) => {
      const options = { params: { name: tried, password: given }, headers: { 'x-forwarded-for': '192.0.2.77' } };
      const { status, headers, body } = await request<Envelope<ErrorResult>>(app, 'POST', '/operator/session', options);
      const { code, message } = body.result;
      return { error: [status, code, message], waitSeconds: Number(headers.get('retry-after') ?? 0) };
    };
    const attempt = (tried: string) => signIn(tried, 'not this one');
    for (let free = 0; free < 5; free++) {
      const { error } = await attempt(name);
      assert.deepEqual(error, (await attempt(unknownName)).error);
      assert.equal(error[1], 'unauthenticated');
    }
    // On any machine, a wait that doubles eventually exceeds the time between two attempts.
    for (const tried of [unknownName, name])
      for (let longest = 0; longest < 100;) {
        const { error, waitSeconds } = await attempt(tried);
        if (error[1] !== 'rate_limited') continue;
        longest = waitSeconds;
        if (longest < 100) app.pass(waitSeconds * 1000);
      }
    assert.equal((await signIn(name, password)).error[1], 'rate_limited');
    app.pass(15 * 60_000);
    // The rate limit of the network counts in real time.
    await until(async () => (await signIn(name, password)).error[0] === 200);
  });

  test('an owner creates, changes and removes operators, but not the last owner', async () => {
    const owner = await signInOperator(app, 'owner');
    const { name } = owner;
    assert.equal((await rejection(app, 'POST', 'operator', { name, role: 'support' })).code, 'already_exists');
    const list = () => operatorResult<{ id: string; role: string; status: string }[]>(app, 'GET', 'operator');
    const findOperator = async (id: string) => (await list()).find((operator) => operator.id === id)!;
    for (const { id } of (await list()).filter(({ role, status }) => role === 'owner' && status === 'Active'))
      if (id !== owner.id) await operatorResult(app, 'DELETE', 'operator', { id });
    for (const change of [
      ['DELETE', { id: owner.id }],
      ['PUT', { id: owner.id, role: 'support' }],
    ] as const)
      assert.equal((await rejection(app, change[0], 'operator', change[1])).code, 'state_conflict');

    const person = await signInOperator(app, 'support');
    assert.equal((await rejection(app, 'DELETE', 'operator', { id: owner.id }, person.key)).code, 'role_missing');
    await operatorResult(app, 'PUT', 'operator', { id: person.id, role: 'engineer' }, owner.key);
    const self = await operatorResult<{ role: string }>(app, 'GET', 'session', {}, person.key);
    assert.equal(self.role, 'engineer');
    const { password } = await operatorResult<{ password: string }>(app, 'PUT', 'operator', {
      id: person.id,
      newpassword: true,
      forgettotp: true,
    });
    assert.equal((await rejection(app, 'GET', 'account', {}, person.key)).status, 401);
    assert.equal(
      (await rejection(app, 'POST', 'session', { name: person.name, password: person.password })).code,
      'unauthenticated',
    );
    const back = await operatorResult<{ key: string; secondfactor: string }>(app, 'POST', 'session', {
      name: person.name,
      password,
    });
    assert.equal(back.secondfactor, 'Missing');
    const own = { password, newpassword: 'a password of my own' };
    assert.equal(
      (await rejection(app, 'PUT', 'password', { ...own, newpassword: 'a bird, 11' }, back.key)).status,
      400,
    );
    await operatorResult(app, 'PUT', 'password', own, back.key);
    assert.equal((await rejection(app, 'PUT', 'password', own, back.key)).code, 'state_conflict');
    await operatorResult(app, 'POST', 'session', { name: person.name, password: own.newpassword });
    await operatorResult(app, 'DELETE', 'operator', { id: person.id });
    assert.equal((await rejection(app, 'GET', 'session', {}, back.key)).status, 401);
    assert.equal((await findOperator(person.id)).status, 'Ended');
    assert.equal(
      (await rejection(app, 'POST', 'session', { name: person.name, password: own.newpassword })).code,
      'unauthenticated',
    );
    const { secrets, store } = app.parts;
    const rows = await store.queries.selectFrom('operators').selectAll().execute();
    assert.doesNotMatch(JSON.stringify(rows), new RegExp(owner.secret));
    const sealed = rows.find(({ id }) => String(id) === owner.id)!.totp_secret!;
    assert.equal(secrets.open(sealed, `operators totp_secret ${owner.id}`), owner.secret);
  });

  test('support creates a customer, who uses their key, is suspended and resumed, and finally closed', async () => {
    const support = await signInOperator(app, 'support');
    const send = <Result>(method: string, path: string, params = {}) =>
      operatorResult<Result>(app, method, path, params, support.key);
    const fields = accountFields();
    const id = await send<string>('POST', 'account', fields);
    assert.equal((await rejection(app, 'POST', 'account', fields)).code, 'already_exists');
    const account = await send<Record<string, string>>('GET', `account/${id}`);
    assert.deepEqual(
      [account['country'], account['currency'], account['balance'], account['keys'], account['status']],
      ['DK', 'EUR', '0.00', '0', 'Active'],
    );
    const search = async (text: string) =>
      (await send<{ id: string }[]>('GET', 'account', { search: text })).map((account) => account.id);
    assert.deepEqual(await search(fields.email.toUpperCase()), [id]);
    assert.deepEqual(await search('%'), []);
    assert.ok((await search(id)).includes(id));
    const [first, ...rest] = await send<{ id: string }[]>('GET', 'account');
    assert.deepEqual(await send('GET', 'account', { after: first!.id }), rest);
    assert.equal((await rejection(app, 'GET', 'account/0')).status, 404);
    const byIds = async (ids: readonly string[]) =>
      (await send<{ id: string }[]>('GET', 'account', { ids: ids.join(',') })).map((listed) => listed.id);
    assert.deepEqual(await byIds([id, first!.id, '0', '999999']), [first!.id, id], 'neither unknown ones nor ours');
    const combined = await rejection(app, 'GET', 'account', { ids: id, search: 'x', limit: 1 });
    assert.deepEqual(combined.fields, { search: 'cannot be combined with ids', limit: 'cannot be combined with ids' });

    const owner = await signInOperator(app, 'owner');
    const newKey = { account: id, name: 'first key', scopes: ['all'] };
    const created = await operatorResult<{ id: string; key: string }>(app, 'POST', 'key', newKey, owner.key);
    const { id: keyid, key } = created;
    const sendAsCustomer = (method: string, path: string, params = {}) =>
      request<{ result: Record<string, unknown> & ErrorResult }>(app, method, `/v2/${path}`, { key, params });
    assert.equal((await sendAsCustomer('GET', 'account')).body.result['email'], fields.email);
    await send('PUT', 'account', { id, city: 'Odense', company: 'Krag og Co' });
    assert.equal((await sendAsCustomer('GET', 'account')).body.result['city'], 'Odense');

    await send('POST', 'account/suspend', { id, reason: 'Spam' });
    assert.equal((await rejection(app, 'POST', 'account/suspend', { id, reason: 'Spam' })).code, 'state_conflict');
    const zone = { domain: `krag-${engine}.example.org` };
    assert.equal((await sendAsCustomer('POST', 'dns/domain', zone)).body.result.code, 'account_suspended');
    await send('POST', 'account/resume', { id });
    assert.equal((await sendAsCustomer('POST', 'dns/domain', zone)).status, 200);

    const log = (await sendAsCustomer('GET', 'account/audit')).body.result as unknown as Record<string, string>[];
    const ofStaff = log.filter((entry) => entry['operator'] !== '');
    assert.deepEqual(
      ofStaff.map((entry) => [entry['operation'], entry['operator'], entry['address']]).reverse(),
      ['accountCreate', 'keyCreate', 'accountUpdate', 'accountSuspend', 'accountResume'].map((name) => [
        `operator.${name}`,
        (name === 'keyCreate' ? owner : support).name,
        '',
      ]),
    );
    const { events } = (await sendAsCustomer('GET', 'event')).body.result as unknown as {
      events: { type: string }[];
    };
    assert.deepEqual(
      events.map(({ type }) => type).filter((type) => /^(?:account|key)/.test(type)),
      ['key.created', 'account.suspended', 'account.resumed'],
    );
    const entries = await send<Record<string, string>[]>('GET', 'audit', { operator: support.name, account: 0 });
    assert.ok(entries.every((entry) => entry['operator'] === support.name && entry['address'] !== ''));

    await send('DELETE', 'key', { account: id, id: keyid });
    assert.equal((await sendAsCustomer('GET', 'account')).status, 401);
    assert.equal((await rejection(app, 'DELETE', 'account', { id: app.lab.customer.account })).code, 'state_conflict');
    await send('DELETE', 'account', { id });
    assert.equal((await rejection(app, 'PUT', 'account', { id, city: 'Lund' })).code, 'state_conflict');
    assert.equal(await auditVerify(app.parts.store.queries, Number(id) as AccountId), undefined);
  });

  // SQLite has one writer at a time.
  if (engine === 'postgres') {
    const during = async (
      change: (queries: Queries) => Promise<unknown>,
      ...call: [method: string, path: string, params: Record<string, unknown>]
    ) => (await callDuring(app.parts.store, change, () => asOperator(app, ...call))).status;
    const newAccount = async () =>
      Number(await operatorResult<string>(app, 'POST', 'account', accountFields())) as AccountId;

    test('an account is not closed if a service is ordered at the same time', async () => {
      const account = await newAccount();
      const order = async (queries: Queries) => {
        await billingAccountLock(queries, account);
        const service = { id: 999_001, account_id: account, type: 'vps', name: 'VPS', hostname: '', ip: '' } as const;
        await servicesPut(queries, [{ ...service, status: 'Active', server: null, created_at: app.parts.clock.now() }]);
      };
      assert.equal(await during(order, 'DELETE', 'account', { id: account }), 409);
    });

    const close = (account: AccountId) => async (queries: Queries) => {
      await billingAccountLock(queries, account);
      await accountChange(queries, account, { status: 'Closed' });
    };
    test('an account that is closed at the same time is not suspended, and stays closed', async () => {
      const account = await newAccount();
      const suspension = { id: account, reason: 'Spam' };
      assert.equal(await during(close(account), 'POST', 'account/suspend', suspension), 409);
      assert.equal((await accountFind(app.parts.store.queries, account))!.status, 'Closed');
    });

    test('an account that is closed at the same time gets no service', async () => {
      const account = await newAccount();
      assert.equal(await during(close(account), 'POST', 'service', machineOrder(String(account))), 403);
      assert.deepEqual(await serviceList(app.parts.store.queries, account, undefined), []);
    });

    test('the last owner stays if two of them are removed at the same time', async () => {
      await app.parts.store.queries.updateTable('operators').set({ role: 'support' }).execute();
      const [first, second] = [await createOperator(app, 'owner'), await createOperator(app, 'owner')];
      const demote = (queries: Queries) => operatorUpdate(queries, Number(first.id), { role: 'support' });
      assert.equal(await during(demote, 'DELETE', 'operator', { id: second.id }), 409);
    });
  }

  test('a change repeated with its Idempotency-Key is made once, and its response is returned to no other caller', async () => {
    const params = accountFields();
    const send = (key: string) =>
      request<{ result: string & ErrorResult }>(app, 'POST', '/operator/account', {
        key,
        params,
        headers: { 'idempotency-key': 'once' },
      });
    const first = await send(app.lab.operator.key);
    assert.equal(first.status, 200);
    assert.deepEqual((await send(app.lab.operator.key)).body, first.body);
    const other = await signInOperator(app, 'support');
    assert.equal((await send(other.key)).body.result.code, 'already_exists');
  });

  test("operators' actions can be traced from the first audit entry to the last", async () => {
    assert.equal(await auditVerify(app.parts.store.queries, providerAccount), undefined);
  });
});
