// Who may call: over every route of every interface, what each kind of bad or insufficient key gets.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeKeyText } from '#kernel/key-text.ts';
import { scopeNames } from '#contract/scopes.ts';
import { changingExample } from '#test/support/examples.ts';
import {
  ask,
  call,
  freeDevices,
  keyFor,
  refusal,
  routes,
  type CallOptions,
  type Route,
  type Told,
} from '#test/support/routes.ts';
import { request } from '#test/support/request.ts';
import { openTestYard, type TestYard } from '#test/support/yard.ts';

const guarded = routes.filter(({ endpoint }) => endpoint.access !== 'public');
const ofCustomers = guarded.filter(({ operation }) => operation.face !== 'operator');
const ofOperators = guarded.filter(({ operation }) => operation.face === 'operator');
const scoped = ofCustomers.filter(({ endpoint }) => endpoint.access !== 'any');

describe('every route', () => {
  let yard: TestYard;
  before(async () => {
    yard = await openTestYard();
  });
  after(() => yard[Symbol.asyncDispose]());

  const told = (route: Route, options: CallOptions): Promise<Told> =>
    ask(yard.http, call(route, changingExample(route.endpoint), route.method === 'GET' ? 'query' : 'form', options));

  async function newKey(fields: Record<string, unknown>): Promise<{ id: string; key: string }> {
    const { key } = yard.lab.customer;
    const { body } = await request<{ result: { id: string; key: string } }>(yard, 'POST', '/v2/account/key', {
      key,
      params: { name: 'sweep', scopes: ['all'], ...fields },
    });
    return body.result;
  }

  async function allRefuse(key: string | undefined, headers: Record<string, string> = {}): Promise<void> {
    for (const route of guarded) {
      const answer = await told(route, { headers, ...(key === undefined ? {} : { key }) });
      assert.equal(answer.status, 401, route.label);
      assert.equal(answer.body.success, false);
      assert.equal(answer.body.results, 0);
      const { code, message } = refusal(answer);
      assert.equal(message, 'A valid API key is required.', route.label);
      assert.equal(code, route.operation.face !== 'legacy' ? 'unauthenticated' : undefined);
      assert.ok(answer.headers['x-request-id']);
    }
  }

  test('without a key is 401', () => allRefuse(undefined));
  test('with an empty key is 401', () => allRefuse(''));
  test('with something that is no key is 401', () => allRefuse('hy_nonsense'));
  test('with a key that nobody was given is 401', () => allRefuse(makeKeyText().text));

  test('with a key whose checksum is wrong is 401', () => {
    const { key } = yard.lab.customer;
    return allRefuse(`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`);
  });

  test('with the right id and another secret is 401', () => {
    const printableId = yard.lab.customer.key.split('_')[1]!;
    return allRefuse(makeKeyText(printableId).text);
  });

  test('with a revoked key is 401', async () => {
    const { id, key } = await newKey({});
    await request(yard, 'DELETE', '/v2/account/key', { key: yard.lab.customer.key, params: { id } });
    await allRefuse(key);
  });

  test('with an expired key is 401', async () => {
    const { key } = await newKey({ expires: Math.floor(yard.parts.clock.now() / 1000) + 60 });
    yard.pass(61_000);
    await allRefuse(key);
  });

  test('takes no key from the URL', async () => {
    for (const route of guarded) {
      const key = keyFor(yard, route);
      const answer = await told(route, {
        query: [
          ['key', key],
          ['api_key', key],
          ['X-API-KEY', key],
        ],
      });
      assert.equal(answer.status, 401, route.label);
    }
  });

  test('takes a bearer token, but not in legacy', async () => {
    for (const route of guarded) {
      await freeDevices(yard);
      const answer = await told(route, { headers: { authorization: `Bearer ${keyFor(yard, route)}` } });
      assert.equal(answer.status === 401, route.operation.face === 'legacy', route.label);
      // Signing out ends the key's session only; the lab's key is none, and stays.
    }
  });

  test('needs its scope: a key with all the others is 403', async () => {
    const keys = new Map<string, string>();
    for (const scope of scopeNames) {
      keys.set(scope, (await newKey({ scopes: scopeNames.filter((name) => name !== scope) })).key);
    }
    for (const route of scoped) {
      const answer = await told(route, { key: keys.get(route.endpoint.access)! });
      assert.equal(answer.status, 403, route.label);
      if (route.operation.face === 'v2') assert.equal(refusal(answer).code, 'scope_missing', route.label);
      assert.ok(answer.headers['ratelimit'], route.label);
    }
  });

  test('is closed to an operator, whose key opens no door of a customer', async () => {
    for (const route of ofCustomers) {
      const answer = await told(route, { key: yard.lab.operator.key });
      assert.equal(answer.status, 403, route.label);
    }
  });

  test('of the operator is closed to a customer, whatever his key may do', async () => {
    assert.ok(ofOperators.length > 0);
    for (const route of ofOperators) {
      const answer = await told(route, { key: yard.lab.customer.key });
      assert.equal(answer.status, 403, route.label);
      assert.equal(refusal(answer).code, 'scope_missing', route.label);
    }
  });

  test("is 403 from an address that is not on the key's list", async () => {
    const { key } = await newKey({ allow: ['192.0.2.0/24', '2001:db8::/32'] });
    for (const route of guarded) {
      const answer = await told(route, { key });
      assert.equal(answer.status, 403, route.label);
      if (route.operation.face !== 'legacy') assert.equal(refusal(answer).code, 'address_not_allowed', route.label);
    }
  });
});
