// An attacker's walk: every endpoint of every API, by every role, in every state of a customer's services, while two tenants call at
// the same time, on both databases. What each may do follows from the contract, so that a new endpoint is covered the day it is
// declared. No response is an internal error or has anything of the other tenant, and the other's resources answer like those
// that do not exist. A caller whom the contract refuses is refused before anything of a service is read, and staff name nothing that
// exists, so those are called in two states instead of nine.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectOf, isReading } from '#contract/endpoint.ts';
import { errorKinds, type ErrorCode } from '#contract/errors.ts';
import { isPermission, permissionsOf, roleNames, type OperatorRole } from '#contract/roles.ts';
import { grantedScopes, supportScopes, type Scope } from '#contract/scopes.ts';
import { createAccountFixtures, inputs, isPersonal, type AccountFixtures } from '#test/support/account-fixtures.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { changingExample, requiredExample, type Example } from '#test/support/examples.ts';
import { enterState, lifecycleStates, type LifecycleState } from '#test/support/lifecycle-states.ts';
import { createLimitedContact } from '#test/support/limited-contacts.ts';
import { createRoleKey, operatorResult, signInOperator } from '#test/support/operators.ts';
import { createKey } from '#test/support/request.ts';
import { resourceOf, withResource, type ResourceKind } from '#test/support/resource-parameters.ts';
import {
  callRoute,
  errorOf,
  freeDevices,
  routes,
  textOf,
  type Route,
  type RouteResponse,
} from '#test/support/routes.ts';
import { changedTables, digestTables } from '#test/support/table-digests.ts';

interface Role {
  readonly name: string;
  /** Undefined for a visitor. */
  readonly key: string | undefined;
  readonly side: 'victim' | 'stranger' | 'staff';
  readonly scopes: ReadonlySet<Scope>;
  readonly operator?: OperatorRole;
  readonly isSupport?: true;
}
type Names = Readonly<Partial<Record<ResourceKind, string>>>;

/** How many routes are called at the same time, each by all roles. */
const routesAtOnce = 6;
const canaries = { victim: 'canaryvictim', stranger: 'canarystranger' } as const;
/** A service of the victim that a limited person sees. */
const visible = '1002';
const serviceKinds = new Set<ResourceKind | undefined>(['service', 'server', 'machine', 'port', 'address']);
/** They change something of a service; plans, cancellations and limits of people are matters of the account. */
const changesService = ({ endpoint, operation }: Route): boolean =>
  operation.api !== 'operator' &&
  effectOf(endpoint) !== 'none' &&
  endpoint.access !== 'account:write' &&
  endpoint.access !== 'public' &&
  Object.entries(endpoint.params).some(
    ([name, schema]) => name !== 'services' && serviceKinds.has(resourceOf(endpoint, name, schema)),
  );
/** These restore something that was deleted. */
const ofDeleted = new Set(['machineRestore', 'machineBackupOrder', 'machineBackupVolumeCreate']);
const forbidding = new Set<LifecycleState>(['suspended', 'deleted', 'account suspended', 'terminated']);
/** All others are states of services, which authorization does not read. */
const statesOfAuthorization = new Set<LifecycleState>(['active', 'account suspended']);

describeOnEngines('every endpoint, role and state, with two tenants at once', ({ openApp }) => {
  for (const state of lifecycleStates)
    test(`reveals and changes nothing of another tenant, ${state}`, { timeout: 1_200_000 }, async (t) => {
      const app = await openApp({ trustedProxies: ['127.0.0.1'], site: { webhooks: { allow: ['127.0.0.0/8'] } } });
      const victim = await createAccountFixtures(app, app.lab.customer.key);
      const stranger = await createAccountFixtures(app, app.lab.stranger.key);
      const roles = await createRoles(app);
      await plantCanaries(app);
      await enterState(app, state);
      const { queries } = app.parts.store;
      await queries.updateTable('keys').set({ rate: 1e6, burst: 1e6 }).execute();
      app.parts.authentication.forget();
      const walk = { app, state, victim, stranger, counts: { calls: 0 } };
      const isVictims = (row: Record<string, unknown>): boolean =>
        String(row['account_id']) === app.lab.customer.account;
      const before = await digestTables(app.parts, isVictims);
      const outsiders = roles.filter(({ side, key }) => side === 'stranger' || key === undefined);
      const problems = await callAll(walk, outsiders, 'compare');
      const changed = changedTables(before, await digestTables(app.parts, isVictims));
      if (changed.length > 0) problems.push(`a stranger changed ${changed.join(', ')} of another tenant`);
      problems.push(...(await callAll(walk, roles, 'all')));
      t.diagnostic(`${routes.length} routes, ${roles.length} roles, ${walk.counts.calls} calls`);
      assert.deepEqual([...new Set(problems)], []);
      await app[Symbol.asyncDispose]();
    });
});

interface Walk {
  readonly app: TestApp;
  readonly state: LifecycleState;
  readonly victim: AccountFixtures;
  readonly stranger: AccountFixtures;
  readonly counts: { calls: number };
}

/** Calls every route by all these roles at the same time, with the resources of both tenants, and returns what is wrong. */
async function callAll(walk: Walk, roles: readonly Role[], how: 'compare' | 'all'): Promise<string[]> {
  const problems: string[] = [];
  // They open a session with the right password, end the one that calls, or end the state for all that follow.
  const queue = routes.filter(
    ({ endpoint, operation: { name } }) => !endpoint.session && !['sessionRevoke', 'machineRestore'].includes(name),
  );
  const work = async (): Promise<void> => {
    for (let route = queue.shift(); route !== undefined; route = queue.shift()) {
      await freeDevices(walk.app);
      const calls = how === 'compare' ? compareRoute(walk, route, roles) : callRouteByAll(walk, route, roles);
      problems.push(...(await calls));
    }
  };
  await Promise.all(Array.from({ length: routesAtOnce }, work));
  return problems;
}

async function callRouteByAll(walk: Walk, route: Route, roles: readonly Role[]): Promise<string[]> {
  const found = await Promise.all(
    roles.map(async (role) => {
      const results: string[] = [];
      for (const input of inputsOf(walk, route, role)) {
        if (!dependsOnState(walk, route, role, input)) continue;
        const response = await send(walk, route, role, input);
        results.push(...check(walk, route, role, input, response));
      }
      return results;
    }),
  );
  return found.flat();
}

/** Calls with the other's resources and with nonexistent ones at the same time: the responses are the same to the byte. */
async function compareRoute(walk: Walk, route: Route, roles: readonly Role[]): Promise<string[]> {
  if (route.operation.api === 'operator') return callRouteByAll(walk, route, roles);
  const { app } = walk;
  const theirs = foreignNames(walk);
  const found = await Promise.all(
    roles.map(async (role) => {
      const results: string[] = [];
      for (const base of inputs(route, walk.stranger, app.lab)) {
        const [foreign, absent] = [theirs, absentNames(theirs)].map((names) => withNames(route, base, names));
        if (!dependsOnState(walk, route, role, foreign!)) continue;
        const responses = await Promise.all([foreign!, absent!].map((input) => send(walk, route, role, input)));
        results.push(...check(walk, route, role, foreign!, responses[0]!));
        const named = Object.entries(route.endpoint.params).some(
          ([name, schema]) => name in base && resourceOf(route.endpoint, name, schema) !== undefined,
        );
        const [left, right] = [comparable(responses[0]!, foreign!), comparable(responses[1]!, absent!)];
        if (named && role.key !== undefined && left !== right)
          results.push(`${route.label} by ${role.name} differs: ${left.slice(0, 300)} | ${right.slice(0, 300)}`);
      }
      return results;
    }),
  );
  return found.flat();
}

/** True if this call can have another response than in the states before. */
function dependsOnState({ state }: Walk, route: Route, role: Role, input: Example): boolean {
  if (statesOfAuthorization.has(state)) return true;
  return route.operation.api !== 'operator' && expectedStatus(route, role, input) === undefined;
}

function send({ app, counts }: Walk, route: Route, role: Role, input: Example): Promise<RouteResponse> {
  counts.calls++;
  const options = role.key === undefined ? {} : { key: role.key };
  return callRoute(app, route, input, route.method === 'GET' ? 'query' : 'json', options);
}

/** Staff name nothing that exists, because what they may do would change the state for all others. */
function inputsOf({ app, victim, stranger }: Walk, route: Route, role: Role): Example[] {
  if (route.operation.api === 'operator') {
    const absent = ['id', 'account', 'service', 'key'].filter((name) => name in route.endpoint.params);
    return [{ ...requiredExample(route.endpoint), ...Object.fromEntries(absent.map((name) => [name, 987_654])) }];
  }
  const given = inputs(route, role.side === 'stranger' ? stranger : victim, app.lab);
  return given.length > 0 ? given : [changingExample(route.endpoint)];
}

function check(walk: Walk, route: Route, role: Role, input: Example, response: RouteResponse): string[] {
  const { status, text, headers } = response;
  const problems: string[] = [];
  const fail = (why: string): void =>
    void problems.push(`${route.label} by ${role.name}: ${why}: ${status} ${text.slice(0, 300)}`);
  const { code } = errorOf(response);
  const declared = code === undefined || !(code in errorKinds) ? undefined : errorKinds[code as ErrorCode].status;
  // Errors of the legacy API have no code.
  const isDocumented = code === undefined ? status > 501 : declared === status && code !== 'internal_error';
  if (status >= 500 && !isDocumented) fail('an undocumented failure');
  // Values that the caller sent themselves reveal nothing.
  const echoed = Object.values(input).map((value) => textOf(value ?? '').replaceAll('"', ''));
  const shown = echoed.reduce((rest, value) => rest.replaceAll(value, ''), `${text} ${JSON.stringify(headers)}`);
  const foreign = role.side === 'victim' ? [canaries.stranger] : role.side === 'stranger' ? [canaries.victim] : [];
  const hidden = role.key === undefined ? Object.values(canaries) : foreign;
  for (const canary of hidden) if (shown.toLowerCase().includes(canary)) fail(`it has ${canary}`);
  const expected = expectedStatus(route, role, input);
  if (expected !== undefined && status !== expected) fail(`${expected} was expected`);
  const isForbidden =
    forbidding.has(walk.state) &&
    changesService(route) &&
    !(walk.state === 'deleted' && ofDeleted.has(route.operation.name));
  const isDedicated = walk.state === 'deleted' && !route.url.includes('/machine');
  if (role.side === 'victim' && isForbidden && !isDedicated && !isReading(route.endpoint, input) && status < 400)
    fail(`it is allowed although the service is ${walk.state}`);
  return problems;
}

/** Returns the status of a caller who may not call the route at all, as the contract says; undefined for others. */
function expectedStatus({ endpoint, operation, ...route }: Route, role: Role, input: Example): number | undefined {
  const { access } = endpoint;
  if (access === 'public') return undefined;
  if (role.key === undefined) return 401;
  if ((operation.api === 'operator') !== (role.operator !== undefined)) return 403;
  if (role.operator !== undefined)
    return isPermission(access) && !permissionsOf(role.operator).has(access) ? 403 : undefined;
  if (role.isSupport === true && access === 'any' && endpoint.limitedSessions?.includes('support') !== true) return 403;
  if (access === 'any' || isPersonal({ endpoint, operation, ...route })) return undefined;
  const mayRead = isReading(endpoint, input) && role.scopes.has(endpoint.reading!.access);
  return mayRead || role.scopes.has(access as Scope) ? undefined : undefinedUnlessValid(endpoint.reading !== undefined);
}

/** If a parameter decides between reading and changing, parameters are checked before the scope. */
function undefinedUnlessValid(isDecidedLate: boolean): 403 | undefined {
  return isDecidedLate ? undefined : 403;
}

async function createRoles(app: TestApp): Promise<Role[]> {
  const { customer, stranger } = app.lab;
  const keyOf = async (owner: string, ...scopes: string[]) => (await createKey(app, owner, { scopes })).key;
  const support = await signInOperator(app, 'support');
  const access = { account: customer.account, reason: 'a walk' };
  const impersonation = await operatorResult<{ key: string }>(app, 'POST', 'impersonation', access, support.key);
  const limited = await createLimitedContact(app, [visible]);
  const [all, readOnly] = [grantedScopes(['all']), grantedScopes(['read-only'])];
  const staff = roleNames.map(async (operator): Promise<Role> => {
    const key = await createRoleKey(app, operator);
    return { name: `staff ${operator}`, key, side: 'staff', scopes: new Set(), operator };
  });
  return [
    { name: 'a visitor', key: undefined, side: 'stranger', scopes: new Set() },
    { name: 'the owner', key: customer.key, side: 'victim', scopes: all },
    { name: 'a reader', key: await keyOf(customer.key, 'read-only'), side: 'victim', scopes: readOnly },
    {
      name: 'an auditor',
      key: await keyOf(customer.key, 'audit:read'),
      side: 'victim',
      scopes: new Set(['audit:read']),
    },
    { name: 'a limited person', key: limited.session, side: 'victim', scopes: all },
    { name: 'support', key: impersonation.key, side: 'victim', scopes: new Set(supportScopes), isSupport: true },
    { name: 'a stranger', key: stranger.key, side: 'stranger', scopes: all },
    { name: 'a reading stranger', key: await keyOf(stranger.key, 'read-only'), side: 'stranger', scopes: readOnly },
    ...(await Promise.all(staff)),
  ];
}

/** Makes everything that the tenants have named after them. */
async function plantCanaries({ parts, lab }: TestApp): Promise<void> {
  const { queries } = parts.store;
  for (const [side, account] of [
    ['victim', lab.customer.account],
    ['stranger', lab.stranger.account],
  ] as const) {
    const name = canaries[side];
    const rename = (table: 'contacts', column: 'firstname'): Promise<unknown> =>
      queries
        .updateTable(table)
        .set({ [column]: name })
        .where('account_id', '=', Number(account) as never)
        .execute();
    await queries
      .updateTable('accounts')
      .set({ companyname: name })
      .where('id', '=', Number(account) as never)
      .execute();
    for (const [table, column] of Object.entries({
      services: 'hostname',
      contacts: 'firstname',
      keys: 'name',
      webhooks: 'description',
      volumes: 'name',
      machine_snapshots: 'name',
      machine_images: 'name',
      machine_groups: 'name',
      ssh_keys: 'name',
      machine_backups: 'hostname',
    }))
      await rename(table as 'contacts', column as 'firstname');
  }
}

function foreignNames({ app: { lab }, victim }: Walk): Names {
  const { dedicated, vps } = lab;
  return {
    ...victim,
    service: dedicated.service,
    server: dedicated.server,
    machine: vps.vmid,
    address: dedicated.ips[0]!,
  };
}

/** Resources that do not exist, but could. */
function absentNames(names: Names): Names {
  return Object.fromEntries(Object.entries(names).map(([kind, name]) => [kind, absentLike(name)]));
}

function absentLike(name: string): string {
  if (/^\d+$/.test(name)) return '98765';
  if (name.startsWith('dc')) return 'dc77r77ds77';
  if (/^[\d.]+$/.test(name)) return '203.0.113.77';
  return name.includes('.') ? `absent.${name}` : 'z'.repeat(name.length);
}

function withNames({ endpoint }: Route, base: Example, names: Names): Example {
  const changed = Object.entries(endpoint.params).flatMap(([name, schema]) => {
    const kind = resourceOf(endpoint, name, schema);
    const is = kind === undefined || !(name in base) ? undefined : names[kind];
    return is === undefined ? [] : [[name, withResource(schema, base[name], is)]];
  });
  return { ...base, ...Object.fromEntries(changed) } as Example;
}

/** The status, headers and body, without what differs between any two calls, and without what the caller sent. */
function comparable({ status, headers, text }: RouteResponse, input: Example): string {
  const { 'x-request-id': id, date: _, ratelimit: __, 'content-length': ___, ...rest } = headers;
  const sent = Object.values(input)
    .map((value) => textOf(value ?? ''))
    .filter((value) => value.length > 2)
    .toSorted((left, right) => right.length - left.length);
  const body = sent.reduce((left, value) => left.replaceAll(value, '…'), text.replaceAll(String(id), ''));
  return JSON.stringify([status, rest, body]);
}
