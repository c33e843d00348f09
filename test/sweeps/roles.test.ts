// Every operator endpoint, role and field: what a role may not set changes nothing, and what it may set works.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { effectOf, fieldPermissions, type Endpoint } from '#contract/endpoint.ts';
import { isPermission, permissionsOf, roleNames, type OperatorRole, type Permission } from '#contract/roles.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { example } from '#test/support/examples.ts';
import { variantsAt } from '#test/support/long-run.ts';
import { operatorCall } from '#test/support/operator-fixtures.ts';
import { signInOperator } from '#test/support/operators.ts';
import { callRoute, errorOf, freeDevices, routes, type Route } from '#test/support/routes.ts';
import { digestTables } from '#test/support/table-digests.ts';
import type { TestApp } from '#test/support/app.ts';

const guarded = routes.filter(
  ({ operation, endpoint }) => operation.api === 'operator' && isPermission(endpoint.access),
);

/** All that the plan has in euros. */
const pricesInDollars = [
  {
    currency: 'USD',
    price: '1.00',
    hourly: '1',
    setup: '1',
    mbitprice: '1',
    mbitcap: '1',
    addressprice: '1',
    addresscap: '1',
    usage: [{ item: 'traffic', price: '1', cap: '1' }],
  },
];

/** Optional fields that cannot be combined with the others, or whose value depends on the site. */
const specialFields: Readonly<Record<string, (app: TestApp) => unknown>> = {
  'servicePreview server': () => undefined,
  'servicePreview node': ({ equipment }) => equipment.hypervisor.name,
  // Any other hypervisor, of which the lab has none.
  'machineMigrate target': () => undefined,
  'machineMigrate member': () => undefined,
  'machineAdopt service': () => undefined,
  // Names accounts instead of searching for them.
  'accountList ids': () => undefined,
  'serviceProvision server': () => undefined,
  'serviceProvision node': ({ equipment }) => equipment.hypervisor.name,
  'pricePlanCreate prices': () => pricesInDollars,
  'pricePlanUpdate prices': () => pricesInDollars,
  'keyCreate expires': ({ parts }) => Math.floor(parts.clock.now() / 1000) + 3600,
};

function mayCall(role: OperatorRole, { access }: Endpoint): boolean {
  return permissionsOf(role).has(access as never);
}
function maySet(role: OperatorRole, endpoint: Endpoint, field: string): boolean {
  const needed = fieldPermissions(endpoint, [field]);
  return mayCall(role, endpoint) && needed.every(([, permission]) => permissionsOf(role).has(permission));
}

describe('the calls by role in docs/reference/permissions.md', () => {
  test('are those of the declarations', () => {
    const marks = (permission: Permission) =>
      roleNames.map((role) => (permissionsOf(role).has(permission) ? 'yes' : ''));
    const declared = guarded
      .filter(({ endpoint }) => endpoint.access !== 'operator:read')
      .flatMap(({ endpoint }) => {
        const { method, path, params } = endpoint;
        const call = `\`${method} ${path}\``;
        const access = endpoint.access as Permission;
        const fields = fieldPermissions(endpoint, Object.keys(params)).map(([name, permission]) => [
          `${call}, field \`${name}\``,
          `\`${permission}\``,
          ...marks(permission),
        ]);
        return [[call, `\`${access}\``, ...marks(access)], ...fields];
      });
    const page = readFileSync(join(import.meta.dirname, '../../docs/reference/permissions.md'), 'utf8');
    const rows = [...page.matchAll(/^\| (`[A-Z]+ \/operator.*) \|$/gm)].map(([, row]) =>
      row!.split('|').map((cell) => cell.trim()),
    );
    assert.deepEqual(rows.sort(), declared.sort());
  });
});

describeOnEngines('the roles of operators', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  const keys = new Map<OperatorRole, string>();
  before(async () => {
    app = await openApp({ trustedProxies: ['127.0.0.1'] });
    for (const role of roleNames) keys.set(role, (await signInOperator(app, role)).key);
    await app.parts.store.queries.updateTable('keys').set({ rate: 1e6, burst: 1e6 }).execute();
    app.parts.authentication.forget();
  });
  const send = (route: Route, input: Record<string, unknown>, role: OperatorRole) =>
    callRoute(app, route, input, route.method === 'GET' ? 'query' : 'json', { key: keys.get(role)! });
  const fieldValue = (route: Route, field: string): unknown => {
    const special = specialFields[`${route.operation.name} ${field}`];
    return special === undefined ? example(route.endpoint.params[field]!) : special(app);
  };

  test('at least one field needs more than its endpoint', () => {
    const fields = guarded.flatMap(({ endpoint }) => fieldPermissions(endpoint, Object.keys(endpoint.params)));
    assert.deepEqual(fields.map(([name]) => name).sort(), ['email', 'forgetfactors', 'password']);
  });

  test('a field that a role may not set is rejected by name, and nothing changes', async () => {
    let rejections = 0;
    const calls: [Route, Record<string, unknown>][] = [];
    for (const route of guarded) calls.push([route, (await operatorCall(app, route)).params]);
    const unchanged = await digestTables(app.parts);
    for (const [route, params] of calls)
      for (const role of roleNames) {
        const { endpoint } = route;
        const denied = Object.keys(endpoint.params).filter((field) => !maySet(role, endpoint, field));
        const inputs = mayCall(role, endpoint) ? [] : [params];
        for (const field of denied) inputs.push({ ...params, [field]: params[field] ?? fieldValue(route, field) });
        for (const [index, input] of inputs.entries()) {
          rejections++;
          const response = await send(route, input, role);
          const context = `${route.label} as ${role}: ${JSON.stringify(input)} ${response.text}`;
          assert.equal(response.status, 403, context);
          const { code, fields = {} } = errorOf(response);
          assert.equal(code, 'role_missing', context);
          if (mayCall(role, endpoint)) assert.deepEqual(Object.keys(fields), [denied[index]], context);
        }
      }
    assert.ok(rejections > 200, String(rejections));
    assert.deepEqual(await digestTables(app.parts), unchanged);
  });

  test('a role can set every other field', async () => {
    for (const [index, route] of guarded.entries()) {
      const others = roleNames.filter((name) => name !== 'owner' && mayCall(name, route.endpoint));
      for (const role of ['owner', ...variantsAt(index, others)] as const) {
        // Only their author can change them.
        if (/^note(?:Update|Delete)$/.test(route.operation.name)) continue;
        await freeDevices(app);
        const { params } = await operatorCall(app, route);
        const allowed = Object.keys(route.endpoint.params).filter((field) => maySet(role, route.endpoint, field));
        const values = allowed.map((field) => [field, params[field] ?? fieldValue(route, field)] as const);
        const input = Object.fromEntries(values.filter(([, value]) => value !== undefined));
        const isDigested = role === 'owner' && effectOf(route.endpoint) === 'stored';
        const unchanged = isDigested ? await digestTables(app.parts) : undefined;
        const response = await send(route, input, role);
        const context = `${route.label} as ${role}: ${JSON.stringify(input)} ${response.text}`;
        assert.equal(response.status, 200, context);
        if (isDigested) assert.notDeepEqual(await digestTables(app.parts), unchanged, context);
      }
    }
  });
});
