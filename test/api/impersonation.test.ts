// A member of staff views a customer's account: only reading, for a limited time, and in view of the customer.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { effectOf } from '#contract/endpoint.ts';
import type { AccountId } from '#store/account-id.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { changingExample } from '#test/support/examples.ts';
import {
  asOperator,
  createAccount,
  operatorResult,
  signInOperator,
  uniqueAddress,
  type SignedInOperator,
} from '#test/support/operators.ts';
import { request, requestResult, type Envelope, type ErrorResult } from '#test/support/request.ts';
import { callRoute, errorOf, routes } from '#test/support/routes.ts';
import { digestTables } from '#test/support/table-digests.ts';
import type { TestApp } from '#test/support/app.ts';

const minute = 60_000;
const reason = 'Ticket 4711: graphs are empty';

interface Access {
  readonly id: string;
  readonly operator: string;
  readonly reason: string;
  readonly status: string;
  readonly ended: string;
  readonly endedby: string;
}
interface Event {
  readonly type: string;
  readonly data: Record<string, string>;
}

describeOnEngines('an impersonation', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  let support: SignedInOperator;
  before(async () => {
    app = await openApp({ trustedProxies: ['127.0.0.1'] });
    support = await signInOperator(app, 'support');
  });

  const start = (params: object = {}, operator = support) =>
    operatorResult<{ id: string; key: string; expires: string }>(
      app,
      'POST',
      'impersonation',
      { account: app.lab.customer.account, reason, ...params },
      operator.key,
    );
  const asCustomer = <Result>(method: string, path: string, params = {}, key = app.lab.customer.key) =>
    requestResult<Result>(app, method, `/v2/${path}`, { key, params });
  const statusOf = async (key: string) => (await request(app, 'GET', '/v2/account', { key })).status;
  /** Of the keys that exist, before their first call. */
  const liftRateLimit = () => app.parts.store.queries.updateTable('keys').set({ rate: 1e6, burst: 1e6 }).execute();
  const accesses = () => asCustomer<Access[]>('GET', 'account/support');
  const newestEvents = async (limit: number) =>
    (await asCustomer<{ events: Event[] }>('GET', 'event', { newest: true, limit })).events;

  test('reads as the customer, and the customer sees who it is and why', async () => {
    const lastLogin = (await asCustomer<{ lastlogin: string }>('GET', 'account')).lastlogin;
    const { id, key } = await start();
    const self = await asCustomer<Record<string, unknown>>('GET', 'session', {}, key);
    assert.equal(self['operator'], support.name);
    assert.equal(self['account'], app.lab.customer.account);
    assert.ok((self['scopes'] as string[]).every((scope) => scope.endsWith(':read') && scope !== 'software:read'));
    const account = await requestResult<{ lastlogin: string }>(app, 'GET', '/v2/account', {
      key,
      headers: uniqueAddress(),
    });
    assert.equal(account.lastlogin.split('\n')[1], lastLogin.split('\n')[1]);

    const { operator, reason: seen, status, endedby } = (await accesses())[0]!;
    assert.deepEqual([operator, seen, status, endedby], [support.name, reason, 'Active', '']);
    const [event] = await newestEvents(1);
    assert.equal(event!.type, 'support.access.started');
    assert.deepEqual(
      [event!.data['accessid'], event!.data['operator'], event!.data['reason']],
      [id, support.name, reason],
    );
    for (const account of [app.lab.customer.account, '0']) {
      const [entry] = await operatorResult<Record<string, string>[]>(app, 'GET', 'audit', {
        account,
        operation: 'operator.impersonationStart',
        limit: 1,
      });
      assert.deepEqual([entry!['operator'], entry!['outcome']], [support.name, 'success']);
    }
    await operatorResult(app, 'DELETE', 'impersonation', { id }, support.key);
  });

  test('changes nothing, at any endpoint of the customer APIs', async () => {
    const { key } = await start({ minutes: 60 });
    const changing = routes.filter(
      ({ operation, endpoint }) =>
        operation.api !== 'operator' && endpoint.access !== 'public' && effectOf(endpoint) !== 'none',
    );
    assert.ok(changing.length > 50);
    // More calls than a key has at once.
    await liftRateLimit();
    const before = await digestTables(app.parts);
    for (const route of changing) {
      if (route.operation.name === 'sessionDelete') continue;
      const input = changingExample(route.endpoint);
      const response = await callRoute(app, route, input, route.method === 'GET' ? 'query' : 'json', { key });
      assert.equal(response.status, 403, `${route.label}: ${response.text}`);
    }
    for (const [method, path] of [
      ['POST', 'impersonation'],
      ['GET', 'account'],
    ] as const)
      assert.equal((await asOperator(app, method, path, {}, key)).status, 403);
    assert.equal((await request(app, 'POST', '/v2/plan/run', { key, params: { id: 1 } })).status, 403);
    assert.equal((await request(app, 'GET', '/metrics', { key })).status, 403);
    assert.deepEqual(await digestTables(app.parts), before);
  });

  test('reads what needs no secret', async () => {
    const { key } = await start({ minutes: 60 });
    await liftRateLimit();
    const reading = routes.filter(({ endpoint }) => effectOf(endpoint) === 'none' && endpoint.access.endsWith(':read'));
    for (const route of reading.filter(({ operation }) => operation.api !== 'operator')) {
      const input = changingExample(route.endpoint);
      const response = await callRoute(app, route, input, route.method === 'GET' ? 'query' : 'json', { key });
      const isDenied = route.endpoint.access === 'software:read';
      assert.equal(response.status === 403, isDenied, `${route.label}: ${JSON.stringify(errorOf(response))}`);
    }
  });

  test('ends by staff, by the customer, by signing out and by expiry', async () => {
    const byStaff = await start();
    await operatorResult(app, 'DELETE', 'impersonation', { id: byStaff.id }, support.key);
    const byCustomer = await start();
    await asCustomer('DELETE', 'account/support', { id: byCustomer.id });
    const signedOut = await start();
    await asCustomer('DELETE', 'session', {}, signedOut.key);
    for (const { key } of [byStaff, byCustomer, signedOut]) assert.equal(await statusOf(key), 401);
    const ended = (await accesses()).slice(0, 3).map(({ status, endedby }) => `${status} ${endedby}`);
    assert.deepEqual(ended, ['Ended Staff', 'Ended Customer', 'Ended Staff']);
    const events = (await newestEvents(6)).filter(({ type }) => type === 'support.access.ended');
    assert.deepEqual(
      events.map(({ data }) => [data['operator'], data['endedby']]),
      [
        [support.name, 'Staff'],
        [support.name, 'Customer'],
        [support.name, 'Staff'],
      ],
    );
    const [audited] = await asCustomer<Record<string, string>[]>('GET', 'account/audit', { limit: 1 });
    assert.deepEqual(
      [audited!['operation'], audited!['operator'], audited!['address']],
      ['v2.sessionDelete', support.name, ''],
    );
    const again = await request<Envelope<ErrorResult>>(app, 'DELETE', '/v2/account/support', {
      key: app.lab.customer.key,
      params: { id: byCustomer.id },
    });
    assert.equal(again.status, 404);

    const expiring = await start({ minutes: 5 });
    app.pass(5 * minute - 1000);
    assert.equal(await statusOf(expiring.key), 200);
    app.pass(1000);
    assert.equal(await statusOf(expiring.key), 401);
    const [expired] = await accesses();
    assert.deepEqual([expired!.status, expired!.endedby, expired!.ended], ['Ended', '', expiring.expires]);
  });

  test('ends when the operator loses the role, the password or the job', async () => {
    const person = await signInOperator(app, 'support');
    for (const change of [
      () => operatorResult(app, 'PUT', 'operator', { id: person.id, role: 'billing' }),
      () => operatorResult(app, 'PUT', 'operator', { id: person.id, newpassword: true }),
      () => operatorResult(app, 'DELETE', 'operator', { id: person.id }),
    ]) {
      const { queries } = app.parts.store;
      const values = { role: 'support', status: 'Active' } as const;
      await queries.updateTable('operators').set(values).where('id', '=', Number(person.id)).execute();
      const operator = await signInAgain(person);
      const { key } = await start({}, operator);
      assert.equal(await statusOf(key), 200);
      await change();
      assert.equal(await statusOf(key), 401);
      assert.deepEqual(
        [(await accesses())[0]!.status, (await newestEvents(1))[0]!.type],
        ['Ended', 'support.access.ended'],
      );
    }

    // Without the API, such as by a change in the database: the session itself is checked too.
    const other = await signInOperator(app, 'support');
    const { key } = await start({}, other);
    const { queries } = app.parts.store;
    await queries.updateTable('operators').set({ role: 'engineer' }).where('id', '=', Number(other.id)).execute();
    app.parts.authentication.forget();
    assert.equal(await statusOf(key), 401);
  });

  test('ends with the sessions of the owner', async () => {
    const account = await createAccount(app);
    const { id, key } = await start({ account });
    const change = { id: account, password: 'another password', reason: 'a letter' };
    await operatorResult(app, 'PUT', 'account', change);
    assert.equal(await statusOf(key), 401);
    const [ended] = await operatorResult<Access[]>(app, 'GET', 'impersonation', { account });
    assert.deepEqual([ended!.id, ended!.status, ended!.endedby], [id, 'Ended', 'Staff']);
    const types = await app.parts.store.queries
      .selectFrom('events')
      .select('type')
      .where('account_id', '=', Number(account) as AccountId)
      .execute();
    assert.ok(types.some(({ type }) => type === 'support.access.ended'));
  });

  /** A new session without the password, which the owner has replaced since. */
  async function signInAgain(person: SignedInOperator): Promise<SignedInOperator> {
    const { queries } = app.parts.store;
    await queries
      .updateTable('keys')
      .set({ revoked_at: null })
      .where('operator_id', '=', Number(person.id))
      .where('account_id', 'is', null)
      .execute();
    app.parts.authentication.forget();
    return person;
  }

  test('needs a person with the role, a reason, an open account and at most an hour', async () => {
    const rejected = async (params: object, key = support.key) => {
      const all = { account: app.lab.customer.account, reason, ...params };
      const { status, body } = await asOperator<ErrorResult>(app, 'POST', 'impersonation', all, key);
      return [status, body.result.code];
    };
    assert.deepEqual(await rejected({}, app.lab.operator.key), [409, 'state_conflict']);
    for (const role of ['billing', 'engineer'] as const)
      assert.deepEqual(await rejected({}, (await signInOperator(app, role)).key), [403, 'role_missing']);
    assert.deepEqual(await rejected({ minutes: 61 }), [400, 'invalid_parameter']);
    assert.deepEqual(await rejected({ reason: '' }), [400, 'invalid_parameter']);
    assert.deepEqual(await rejected({ account: 0 }), [404, 'not_found']);
    const account = await createAccount(app);
    await operatorResult(app, 'DELETE', 'account', { id: account });
    assert.deepEqual(await rejected({ account }), [403, 'account_closed']);
  });

  test('of another account is nothing to end', async () => {
    const { id, key } = await start();
    const { status } = await request(app, 'DELETE', '/v2/account/support', {
      key: app.lab.stranger.key,
      params: { id },
    });
    assert.equal(status, 404);
    assert.equal(await statusOf(key), 200);
    assert.deepEqual(await asCustomer('GET', 'account/support', {}, app.lab.stranger.key), []);
  });
});
