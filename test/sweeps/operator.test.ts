// Every operator endpoint: who may call it, the declared shape of its response, and the audit entry that a change
// leaves.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TSchema } from 'typebox';
import { Check, Errors } from 'typebox/schema';
import { effectOf } from '#contract/endpoint.ts';
import { isPermission, permissionsOf, roleNames } from '#contract/roles.ts';
import { countResults } from '#http/responses.ts';
import { providerAccount } from '#store/account/accounts.ts';
import { auditVerify } from '#store/account/audit.ts';
import { fullExample, requiredExample } from '#test/support/examples.ts';
import { operatorCall } from '#test/support/operator-fixtures.ts';
import { createRoleKey } from '#test/support/operators.ts';
import { callRoute, freeDevices, errorOf, routes, type Route, type RouteResponse } from '#test/support/routes.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';

const ofOperators = routes.filter(({ operation }) => operation.api === 'operator');
const guarded = ofOperators.filter(({ endpoint }) => endpoint.access !== 'public');

/** The schema with every object closed, so that an undeclared member is an error. */
function closed(schema: TSchema): TSchema {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) =>
    typeof value === 'object' && value !== null && 'properties' in value
      ? { ...value, additionalProperties: false }
      : value,
  ) as TSchema;
}

function send(app: TestApp, route: Route, input: Record<string, unknown>, key: string): Promise<RouteResponse> {
  return callRoute(app, route, input, route.method === 'GET' ? 'query' : 'json', { key });
}

describe('the operator declarations', () => {
  test('each have their own words on the command line, two but for the search', () => {
    const commands = ofOperators.map(({ endpoint }) => endpoint.command ?? '');
    for (const command of commands) assert.match(command, /^(?:search|[a-z]+(?:-[a-z]+)* [a-z]+(?:-[a-z]+)*)$/);
    assert.equal(new Set(commands).size, commands.length);
  });

  test('require a permission and no customer scope', () => {
    for (const { endpoint, label } of guarded)
      assert.ok(endpoint.access === 'any' || isPermission(endpoint.access), label);
  });
});

describe('every operator endpoint', () => {
  let app: TestApp;
  before(async () => void (app = await openTestApp({ trustedProxies: ['127.0.0.1'] })));
  after(() => app[Symbol.asyncDispose]());

  test('accepts the roles that have its permission, and no other', async () => {
    for (const role of roleNames) {
      const key = await createRoleKey(app, role);
      const powers = permissionsOf(role);
      for (const route of guarded) {
        const { access } = route.endpoint;
        if (!isPermission(access)) continue;
        // Resources that do not exist: an accepted caller learns that, and nothing changes for the next one.
        const response = await send(app, route, { ...requiredExample(route.endpoint), ...absent(route) }, key);
        if (powers.has(access)) assert.notEqual(response.status, 403, `${route.label} for ${role}: ${response.text}`);
        else {
          assert.equal(response.status, 403, `${route.label} for ${role}: ${response.text}`);
          assert.equal(errorOf(response).code, 'role_missing', route.label);
          assert.ok(errorOf(response).message!.includes(access), response.text);
        }
      }
    }
  });

  test("returns its declared shape, and a change is in the provider's audit log", async () => {
    const { queries } = app.parts.store;
    for (const route of ofOperators) {
      // They need an identity provider, a browser or a relay, which these have: test/api/sign-on.test.ts,
      // test/api/staff-passkeys.test.ts and test/api/staff-recovery.test.ts.
      if (/^(?:signOn|passkey)(?:Begin|Complete|Create)$|^challenge|^recovery/.test(route.operation.name)) continue;
      await freeDevices(app);
      const { params, key = app.lab.operator.key } = await operatorCall(app, route);
      const newest = queries.selectFrom('audit').selectAll().where('account_id', '=', providerAccount);
      const before = await newest.execute();
      const response = await send(app, route, params, key);
      assert.equal(response.status, 200, `${route.label}: ${response.text}`);
      // A file has no envelope; the tests in test/api open each.
      if (route.endpoint.file !== undefined) continue;
      const shape = closed(route.endpoint.result);
      const { result, results } = response.body;
      // The message is expensive.
      if (!Check(shape, result)) assert.fail(`${route.label}: ${JSON.stringify(Errors(shape, result))}`);
      assert.equal(results, countResults(result), route.label);
      const added = (await newest.orderBy('id').execute()).slice(before.length);
      const effect = effectOf(route.endpoint);
      if (route.endpoint.access === 'public') continue;
      assert.equal(added.length, effect === 'none' ? 0 : effect === 'stored' ? 1 : 2, route.label);
      const last = added.at(-1);
      if (last === undefined) continue;
      assert.equal(last.operation, `operator.${route.operation.name}`);
      assert.equal(last.outcome, 'success');
      assert.notEqual(last.operator, null);
      assert.doesNotMatch(JSON.stringify(last), /correct horse|hy_/);
    }
    assert.equal(await auditVerify(queries, providerAccount), undefined);
  });
});

/** Nonexistent ids for every number and name that could belong to someone. */
function absent(route: Route): Record<string, unknown> {
  const full = fullExample(route.endpoint);
  const names = ['id', 'account', 'service', 'key'].filter((name) => typeof full[name] === 'number');
  return Object.fromEntries(names.map((name) => [name, 987_654]));
}
