// Permission to call: what every kind of bad or insufficient key gets on every route of every API.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createKeyText } from '#lib/key-text.ts';
import { scopeNames } from '#contract/scopes.ts';
import { changingExample } from '#test/support/examples.ts';
import {
  callRoute,
  freeDevices,
  keyFor,
  errorOf,
  routes,
  type CallOptions,
  type Route,
  type RouteResponse,
} from '#test/support/routes.ts';
import { createKey, request } from '#test/support/request.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { csrfHeader, csrfTokenOf, sessionCookies } from '#http/session-cookie.ts';

const guarded = routes.filter(({ endpoint }) => endpoint.access !== 'public');
const ofCustomers = guarded.filter(({ operation }) => operation.api !== 'operator');
const ofOperators = guarded.filter(({ operation }) => operation.api === 'operator');
const scoped = ofCustomers.filter(({ endpoint }) => endpoint.access !== 'any');

describe('every route', () => {
  let app: TestApp;
  before(async () => void (app = await openTestApp()));
  after(() => app[Symbol.asyncDispose]());

  const send = (route: Route, options: CallOptions): Promise<RouteResponse> =>
    callRoute(app, route, changingExample(route.endpoint), route.method === 'GET' ? 'query' : 'form', options);

  const newKey = (fields: Record<string, unknown>) =>
    createKey(app, app.lab.customer.key, { scopes: ['all'], ...fields });

  async function assertAllReject(key: string | undefined, headers: Record<string, string> = {}): Promise<void> {
    for (const route of guarded) {
      const response = await send(route, { headers, ...(key === undefined ? {} : { key }) });
      assert.equal(response.status, 401, route.label);
      assert.equal(response.body.success, false);
      assert.equal(response.body.results, 0);
      const { code, message } = errorOf(response);
      assert.equal(message, 'A valid API key is required.', route.label);
      assert.equal(code, route.operation.api !== 'legacy' ? 'unauthenticated' : undefined);
      assert.ok(response.headers['x-request-id']);
    }
  }

  test('without a key is 401', () => assertAllReject(undefined));
  test('with an empty key is 401', () => assertAllReject(''));
  test('with something that is not a key is 401', () => assertAllReject('hy_nonsense'));
  test('with an unknown key is 401', () => assertAllReject(createKeyText().text));

  test("with the panel's cookie is 401 without its token, or from another site", async () => {
    const { customer, operator } = app.lab;
    const cookie = `${sessionCookies.customer}=${customer.key}; ${sessionCookies.staff}=${operator.key}`;
    await assertAllReject(undefined, { cookie });
    for (const { key } of [customer, operator])
      await assertAllReject(undefined, { cookie, [csrfHeader]: csrfTokenOf(key), 'sec-fetch-site': 'cross-site' });
  });

  test('with a wrong checksum is 401', () => {
    const { key } = app.lab.customer;
    return assertAllReject(`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`);
  });

  test('with the right id and a wrong secret is 401', () => {
    const printableId = app.lab.customer.key.split('_')[1]!;
    return assertAllReject(createKeyText(printableId).text);
  });

  test('with a revoked key is 401', async () => {
    const { id, key } = await newKey({});
    await request(app, 'DELETE', '/v2/account/key', { key: app.lab.customer.key, params: { id } });
    await assertAllReject(key);
  });

  test('with an expired key is 401', async () => {
    const { key } = await newKey({ expires: Math.floor(app.parts.clock.now() / 1000) + 60 });
    app.pass(61_000);
    await assertAllReject(key);
  });

  test('accepts no key in the URL', async () => {
    for (const route of guarded) {
      const key = keyFor(app, route);
      const response = await send(route, {
        query: [
          ['key', key],
          ['api_key', key],
          ['X-API-KEY', key],
        ],
      });
      assert.equal(response.status, 401, route.label);
    }
  });

  test('accepts a bearer token, except in legacy', async () => {
    for (const route of guarded) {
      await freeDevices(app);
      const response = await send(route, { headers: { authorization: `Bearer ${keyFor(app, route)}` } });
      assert.equal(response.status === 401, route.operation.api === 'legacy', route.label);
      // Signing out ends only a session; the lab's key is not one, and stays valid.
    }
  });

  test('needs its scope: a key with all the others is 403', async () => {
    const keys = new Map<string, string>();
    for (const scope of scopeNames) {
      keys.set(scope, (await newKey({ scopes: scopeNames.filter((name) => name !== scope) })).key);
    }
    for (const route of scoped) {
      const response = await send(route, { key: keys.get(route.endpoint.access)! });
      assert.equal(response.status, 403, route.label);
      if (route.operation.api === 'v2') assert.equal(errorOf(response).code, 'scope_missing', route.label);
      assert.ok(response.headers['ratelimit'], route.label);
    }
  });

  test('rejects an operator, whose key works on no customer route', async () => {
    for (const route of ofCustomers) {
      const response = await send(route, { key: app.lab.operator.key });
      assert.equal(response.status, 403, route.label);
    }
  });

  test('of the operator API rejects a customer, whatever the scopes of the key', async () => {
    assert.ok(ofOperators.length > 0);
    for (const route of ofOperators) {
      const response = await send(route, { key: app.lab.customer.key });
      assert.equal(response.status, 403, route.label);
      assert.equal(errorOf(response).code, 'scope_missing', route.label);
    }
  });

  test("is 403 from an address that is not on the key's list", async () => {
    const { key } = await newKey({ allow: ['192.0.2.0/24', '2001:db8::/32'] });
    for (const route of guarded) {
      const response = await send(route, { key });
      assert.equal(response.status, 403, route.label);
      if (route.operation.api !== 'legacy') assert.equal(errorOf(response).code, 'address_not_allowed', route.label);
    }
  });
});
