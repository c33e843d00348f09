// Crosses two tenants: every operation, and every parameter that names a resource, called by one with the other's
// resource and with a nonexistent one. Both responses are identical to the byte, and the other's resources are
// unchanged. The contract says which parameters name resources, so a new operation is covered the day it is declared.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { applySite } from '#app/site/apply.ts';
import { inputs, createAccountFixtures } from '#test/support/account-fixtures.ts';
import { requiredExample, type Example } from '#test/support/examples.ts';
import { enterState, lifecycleStates } from '#test/support/lifecycle-states.ts';
import { resourceOf, withResource, type ResourceKind } from '#test/support/resource-parameters.ts';
import { operatorResult } from '#test/support/operators.ts';
import { createSessionKey } from '#app/account/session-key.ts';
import { keyInsert } from '#store/account/keys.ts';
import { exportInsert } from '#store/privacy/exports.ts';
import { createPasskey } from '#test/support/passkeys.ts';
import { request, requestResult } from '#test/support/request.ts';
import { accountOf, callRoute, routes, type Route, type RouteResponse } from '#test/support/routes.ts';
import { adoptMachines } from '#test/support/machines.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import type { AccountId } from '#store/account-id.ts';

type Names = Readonly<Record<ResourceKind, string>>;

/** Of the person who signs in as the stranger. */
const password = 'correct horse';
/** Beside their server. */
const strangerMachine = '2999';

/** A resource that does not exist, but could. */
function absentLike(name: string): string {
  if (/^\d+$/.test(name)) return '98765';
  if (name.startsWith('dc')) return 'dc77r77ds77';
  if (name.includes('.')) return '203.0.113.77';
  return 'z'.repeat(name.length);
}

const routesWithResources = routes.map((route) => ({
  route,
  parameters:
    route.operation.api === 'operator'
      ? []
      : Object.entries(route.endpoint.params).flatMap(([name, schema]) => {
          const resource = resourceOf(route.endpoint, name, schema);
          return resource === undefined ? [] : [{ name, schema, thing: resource }];
        }),
}));
const crossed = routesWithResources.filter(({ parameters }) => parameters.length > 0);
const serviceKinds = new Set<ResourceKind>(['service', 'server', 'machine', 'port', 'address']);
const ofServices = crossed.filter(({ parameters }) =>
  parameters.some(({ schema, thing }) => serviceKinds.has(thing) && !Type.IsOptional(schema)),
);
const ofStaff = routes.filter(
  ({ operation, endpoint }) => operation.api === 'operator' && endpoint.access !== 'public',
);

describeOnEngines('two tenants', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  let strangerNames: Names;
  let own: Names;
  let session: string;

  before(async () => {
    app = await openApp({ answersDns: true });
    const { lab, site } = app;
    const machine = site.services!.find(({ id }) => String(id) === lab.vps.service)!;
    const owner = { id: Number(strangerMachine), customer: Number(lab.stranger.account), vmid: 999 };
    const services = [...site.services!, { ...machine, ...owner, hostname: 'vps9.example.org', ip: '203.0.113.158' }];
    await applySite(app.parts, { ...site, services, webhooks: { allow: ['127.0.0.0/8'] } });
    await adoptMachines(app.parts.store, app.equipment.hypervisor.name);
    strangerNames = await namesOf(app, lab.customer.key, {
      service: lab.dedicated.service,
      server: lab.dedicated.server,
      machine: lab.vps.vmid,
      address: lab.dedicated.ips[0]!,
    });
    own = await namesOf(app, lab.stranger.key, {
      service: lab.stranger.service,
      server: 'dc01r02ds01',
      machine: absentLike(lab.vps.vmid),
      address: '203.0.113.20',
    });
    // Passkeys belong to a person, and no key sees them.
    const [email, first] = ['bruno@example.org', 'chosen by staff'];
    await operatorResult(app, 'PUT', 'account', { id: lab.stranger.account, password: first, reason: 'sweep' });
    const signIn = { params: { email, password: first } };
    session = (await requestResult<{ key: string }>(app, 'POST', '/v2/session', signIn)).key;
    const change = { key: session, params: { password: first, newpassword: password } };
    await requestResult(app, 'PUT', '/v2/session/password', change);
  });

  function ownOf({ endpoint }: Route): Names {
    return endpoint.tag === 'machine' ? { ...own, service: strangerMachine } : own;
  }

  function callOf(route: Route, input: Example, accept: string): Promise<RouteResponse> {
    const key = route.endpoint.tag === 'session' ? session : app.lab.stranger.key;
    const { code: _, passkey: __, ...rest } = input;
    const proven = route.endpoint.proof === 'caller' ? { ...rest, password } : input;
    return callRoute(app, route, proven, route.method === 'GET' ? 'query' : 'json', { key, headers: { accept } });
  }

  /**
   * Calls with the other's resource and with a nonexistent one at the same time: both must be the same, except for the
   * name itself. Resolves to the first.
   */
  async function compare(
    route: Route,
    inputFor: (name: (kind: ResourceKind) => string) => Example,
    accept = 'application/json',
  ) {
    const foreignInput = inputFor((kind) => strangerNames[kind]);
    const absentInput = inputFor((kind) => absentLike(strangerNames[kind]));
    const [foreign, absent] = await Promise.all([
      callOf(route, foreignInput, accept),
      callOf(route, absentInput, accept),
    ]);
    // A short id may also occur by chance: it is ignored only if the responses echo their input.
    const names = foreign.text === absent.text ? [] : Object.values(strangerNames);
    assert.deepEqual(comparable(foreign, names), comparable(absent, names.map(absentLike)), route.label);
    return foreign;
  }

  test("get identical bytes for the other's and for nonexistent resources, and change nothing", async () => {
    const untouched = await digestOf(app, app.lab.stranger);
    for (const { route, parameters } of crossed) {
      // All ids at once, and each alone among the caller's own.
      const sets = parameters.length === 1 ? [parameters] : [...parameters.map((parameter) => [parameter]), parameters];
      const bases = inputs(route, { ...own, zoneName: 'own.example.org' }, app.lab);
      for (const set of sets) {
        const responses: RouteResponse[] = [];
        for (const [index, base] of bases.entries()) {
          const accept = ['application/json', 'application/problem+json'][index];
          const inputFor = (name: (kind: ResourceKind) => string): Example => {
            const otherParameters = parameters.filter((parameter) => parameter.name in base);
            const all = [
              ...otherParameters.map((parameter) => ({ ...parameter, is: ownOf(route)[parameter.thing] })),
              ...set.map((parameter) => ({ ...parameter, is: name(parameter.thing) })),
            ];
            return {
              ...base,
              ...Object.fromEntries(
                all.map((parameter) => [
                  parameter.name,
                  withResource(parameter.schema, base[parameter.name], parameter.is),
                ]),
              ),
            };
          };
          responses.push(await compare(route, inputFor, accept));
        }
        // Otherwise another error came first, and nothing is proved.
        const isSeen = ({ status, text }: RouteResponse): boolean =>
          status === 404 ||
          text.includes('"results":0,"result":[]') ||
          text === '[]' ||
          (set.length > 1 && text.includes('cannot be combined with ids')) ||
          (status === 400 && set.some(({ name }) => text.includes(`${name} must be`)));
        const what = `${route.label} with ${set.map(({ name }) => name).join(' and ')}`;
        assert.ok(responses.some(isSeen), `${what}: ${responses.map(({ text }) => text).join(' ')}`);
      }
    }
    assert.deepEqual(changed(untouched, await digestOf(app, app.lab.stranger)), []);
  });

  test("get the same for several at once of which one is the other's, and none is touched", async () => {
    const untouched = await digestOf(app);
    const lists = crossed.flatMap(({ route, parameters }) =>
      parameters
        .filter(({ schema }) => (schema as { type?: string }).type === 'array')
        .map((list) => ({ route, list, parameters })),
    );
    assert.ok(lists.length >= 2);
    for (const { route, list, parameters } of lists) {
      const examples = inputs(route, { ...own, zoneName: 'own.example.org' }, app.lab);
      const [base = {}] = examples;
      const listExample = examples.find((example) => list.name in example)?.[list.name];
      const otherParameters = parameters.filter(({ name }) => name in base);
      const response = await compare(route, (name) => ({
        ...base,
        ...Object.fromEntries(
          otherParameters.map((parameter) => [
            parameter.name,
            withResource(parameter.schema, base[parameter.name], own[parameter.thing]),
          ]),
        ),
        [list.name]: [own[list.thing], name(list.thing)].flatMap((id) => withResource(list.schema, listExample, id)),
      }));
      assert.equal(response.status, 404, `${route.label}: ${response.text}`);
    }
    const ledgers = new Set(['accounts', 'audit', 'audit_tips', 'keys']);
    assert.deepEqual(
      changed(untouched, await digestOf(app)).filter((table) => !ledgers.has(table)),
      [],
    );
  });

  test("plan the same with the other's and with nonexistent resources", async () => {
    const route = routes.find(({ operation }) => operation.name === 'planCreate')!;
    for (const [operation, thing, parameter] of [
      ['zoneDelete', 'zone', 'domain'],
      ['devicePowerSet', 'service', 'service'],
      ['contactDelete', 'contact', 'id'],
    ] as const) {
      const rest = operation === 'devicePowerSet' ? { action: 'off' } : {};
      const inputFor = (name: (kind: ResourceKind) => string): Example => ({
        operation,
        params: { [parameter]: name(thing), ...rest },
      });
      assert.notEqual((await compare(route, inputFor)).status, 200, operation);
    }
  });

  test('follow no stream of the other', async () => {
    const streaming = crossed.filter(({ route }) => route.endpoint.streams === true);
    assert.ok(streaming.length >= 2);
    for (const { route } of streaming) {
      const response = await compare(route, (name) => ({ service: name('service') }), 'text/event-stream');
      assert.equal(response.status, 404, route.label);
    }
  });

  test('see only their own, whatever cursor of the other starts a page', async () => {
    const { lab } = app;
    const page = await requestResult<{ cursor: string }>(app, 'GET', '/v2/event', { key: lab.customer.key });
    const path = `/v2/event?after=${encodeURIComponent(page.cursor)}`;
    const response = await request(app, 'GET', path, { key: lab.stranger.key });
    const unknown = await request(app, 'GET', '/v2/event?after=nonsense', { key: lab.stranger.key });
    assert.equal(response.status, 400);
    assert.deepEqual(response.body, unknown.body);
    for (const { route, parameters } of routesWithResources) {
      const { params } = route.endpoint;
      const cursor = (['before', 'after'] as const).find((name) => name in params);
      // Stories have those whose cursor is not just a number: test/api/dns-search.test.ts has that of the search.
      const isOpaque = ['eventLogGet', 'recordSearch'].includes(route.operation.name);
      if (cursor === undefined || route.operation.api === 'operator' || isOpaque) continue;
      const around =
        cursor === 'before' ? ((params[cursor] as { type: string }).type === 'integer' ? 9e9 : 'z'.repeat(16)) : 0;
      const ownNames = parameters
        .filter(({ schema }) => !Type.IsOptional(schema))
        .map(({ name, thing }) => [name, own[thing]]);
      const all = await callOf(route, Object.fromEntries(ownNames), 'application/json');
      const paged = await callOf(route, { ...Object.fromEntries(ownNames), [cursor]: around }, 'application/json');
      assert.equal(all.status, 200, `${route.label}: ${all.text}`);
      assert.equal(paged.text, all.text, route.label);
    }
  });

  test('share no Idempotency-Key', async () => {
    const make = (key: string) =>
      request<{ result: { id: string; key: string } }>(app, 'POST', '/v2/account/key', {
        key,
        params: { name: 'shared', scopes: ['dns:read'] },
        headers: { 'idempotency-key': 'the-very-same' },
      });
    const created = await make(app.lab.customer.key);
    const other = await make(app.lab.stranger.key);
    assert.equal(other.status, 200);
    assert.notEqual(other.body.result.key, created.body.result.key);
    assert.deepEqual((await make(app.lab.customer.key)).body, created.body);
  });

  // After the others, because nothing leads back from the last states.
  for (const state of lifecycleStates.filter((name) => name !== 'active'))
    test(`get the same for nonexistent services and for the other's, ${state}`, async () => {
      await enterState(app, state);
      assert.ok(ofServices.length > 50);
      for (const { route, parameters } of ofServices) {
        const [base = {}] = inputs(route, { ...own, zoneName: 'own.example.org' }, app.lab);
        const response = await compare(route, (name) => ({
          ...base,
          ...Object.fromEntries(
            parameters
              .filter((parameter) => parameter.name in base)
              .map(({ name: parameter, schema, thing }) => [
                parameter,
                withResource(schema, base[parameter], serviceKinds.has(thing) ? name(thing) : own[thing]),
              ]),
          ),
        }));
        assert.notEqual(response.status, 200, `${route.label}: ${response.text}`);
      }
    });

  test('learn nothing from staff endpoints', async () => {
    for (const route of ofStaff) {
      const input = (id: string): Example => ({
        ...requiredExample(route.endpoint),
        ...Object.fromEntries(
          ['id', 'account'].filter((name) => name in route.endpoint.params).map((name) => [name, id]),
        ),
      });
      const theirAccount = await callOf(route, input(app.lab.customer.account), 'application/json');
      const nobodys = await callOf(route, input('98765'), 'application/json');
      assert.equal(theirAccount.status, 403, route.label);
      assert.deepEqual(comparable(theirAccount, []), comparable(nobodys, []), route.label);
    }
  });
});

/** One of everything that the account has, by the parameter that names it. */
async function namesOf(
  app: TestApp,
  key: string,
  equipment: Pick<Names, 'service' | 'server' | 'machine' | 'address'>,
): Promise<Names> {
  const fixtures = await createAccountFixtures(app, key);
  const account = accountOf(app, key);
  return {
    ...fixtures,
    ...equipment,
    passkey: await createPasskey(app, account),
    session: await openSessionOf(app, account),
    export: await exportOf(app, account),
  };
}

async function exportOf({ parts: { store, clock } }: TestApp, account: AccountId): Promise<string> {
  const now = clock.now();
  const times = { created_at: now, ready_at: now, expires_at: now + 86_400_000 };
  const row = { account_id: account, operator: null, reason: '', status: 'Ready' as const, size_bytes: 0, error: '' };
  return String(await exportInsert(store.queries, { ...row, ...times }));
}

/** Removes what may differ: request id, time, and remaining rate limit. */
function comparable({ status, headers, text }: RouteResponse, names: readonly string[]): unknown {
  const { 'x-request-id': id, date: _, ratelimit: __, 'content-length': ___, ...rest } = headers;
  const anonymous = names.reduce((without, name) => without.replaceAll(name, '…'), text.replaceAll(String(id), ''));
  return { status, rest, anonymous };
}

type Digests = ReadonlyMap<string, string>;
/** Digests every table, without this tenant's rows. */
async function digestOf({ parts }: TestApp, except?: { account: string; service: string }): Promise<Digests> {
  const { queries } = parts.store;
  const tables = await queries.introspection.getTables();
  // PostgreSQL has another schema for the queue.
  const ours = tables.filter(({ schema = 'public' }) => schema === 'public');
  const digests = ours.map(async ({ name }) => {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(queries);
    const others = rows.filter(
      (row) =>
        String(row[name === 'accounts' ? 'id' : 'account_id']) !== except?.account &&
        String(row['service_id']) !== except?.service,
    );
    // PostgreSQL returns updated rows in another order.
    const lines = others.map((row) => JSON.stringify(row)).toSorted();
    return [name, createHash('sha256').update(lines.join('\n')).digest('hex')] as const;
  });
  return new Map(await Promise.all(digests));
}
function changed(before: Digests, after: Digests): string[] {
  return [...after].flatMap(([table, digest]) => (before.get(table) === digest ? [] : [table]));
}

async function openSessionOf({ parts }: TestApp, account: AccountId): Promise<string> {
  const holder = { account_id: account, contact_id: null, operator_role: null };
  return String(await keyInsert(parts.store.queries, createSessionKey(holder, parts.clock.now(), '192.0.2.1').row));
}
