// Two tenants crossed: every operation, and every parameter of it that names a thing, called by one with what belongs to the other
// and with what nobody has. Both answers are the same to the byte, and the other's things are as they were. Which parameters name
// things is worked out from the contract: a new operation is crossed the day it is declared.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { applySite } from '#app/site/apply.ts';
import { passkeyInsert } from '#store/account/passkeys.ts';
import type { AccountId } from '#store/tables.ts';
import { inputs, thingsOf } from '#test/support/account-things.ts';
import { leastExample, type Example } from '#test/support/examples.ts';
import { thingOf, withThing, type Thing } from '#test/support/named-things.ts';
import { operated } from '#test/support/operators.ts';
import { request } from '#test/support/request.ts';
import { ask, call, routes, type Route, type Told } from '#test/support/routes.ts';
import { openTestYard, type TestYard } from '#test/support/yard.ts';

type Names = Readonly<Record<Thing, string>>;

/** What nobody has, and could. */
function absentLike(name: string): string {
  if (/^\d+$/.test(name)) return '98765';
  if (name.startsWith('dc')) return 'dc77r77ds77';
  if (name.includes('.')) return '203.0.113.77';
  return 'z'.repeat(name.length);
}

const named = routes.map((route) => ({
  route,
  parameters:
    route.operation.face === 'operator'
      ? []
      : Object.entries(route.endpoint.params).flatMap(([name, schema]) => {
          const thing = thingOf(route.endpoint, name, schema);
          return thing === undefined ? [] : [{ name, schema, thing }];
        }),
}));
const crossed = named.filter(({ parameters }) => parameters.length > 0);
const ofStaff = routes.filter(
  ({ operation, endpoint }) => operation.face === 'operator' && endpoint.access !== 'public',
);

describe('two tenants', () => {
  let yard: TestYard;
  let theirs: Names;
  let own: Names;
  let session: string;

  before(async () => {
    yard = await openTestYard();
    await applySite(yard.parts, { ...yard.site, webhooks: { allow: ['127.0.0.0/8'] } });
    const { lab } = yard;
    theirs = await namesOf(yard, lab.customer.key, {
      service: lab.dedicated.service,
      server: lab.dedicated.server,
      machine: lab.vps.vmid,
      address: lab.dedicated.ips[0]!,
    });
    own = await namesOf(yard, lab.stranger.key, {
      service: lab.stranger.service,
      server: 'dc01r02ds01',
      machine: absentLike(lab.vps.vmid),
      address: '203.0.113.20',
    });
    // Passkeys are a person's own matter, which no key sees.
    const [email, password] = ['bruno@example.org', 'correct horse'];
    await operated(yard, 'PUT', 'account', { id: lab.stranger.account, password });
    const signedIn = await request<{ result: { key: string } }>(yard, 'POST', '/v2/session', {
      params: { email, password },
    });
    session = signedIn.body.result.key;
  });
  after(() => yard[Symbol.asyncDispose]());

  function callOf(route: Route, input: Example, accept: string): Promise<Told> {
    const key = route.endpoint.tag === 'session' ? session : yard.lab.stranger.key;
    return ask(yard.http, call(route, input, route.method === 'GET' ? 'query' : 'json', { key, headers: { accept } }));
  }

  /** Calls with what is the other's, and with what is nobody's: the same, but for the name itself. Resolves to the first. */
  async function compare(
    route: Route,
    given: (name: (thing: Thing) => string) => Example,
    accept = 'application/json',
  ) {
    const foreign = await callOf(
      route,
      given((thing) => theirs[thing]),
      accept,
    );
    const absent = await callOf(
      route,
      given((thing) => absentLike(theirs[thing])),
      accept,
    );
    // A short id may stand for something else: it is looked past only where the answers echo what they were asked for.
    const names = foreign.text === absent.text ? [] : Object.values(theirs);
    assert.deepEqual(comparable(foreign, names), comparable(absent, names.map(absentLike)), route.label);
    return foreign;
  }

  test('get byte for byte the same for what is the other’s and for what is nobody’s, and change nothing of it', async () => {
    const untouched = await digestOf(yard, yard.lab.stranger);
    for (const { route, parameters } of crossed) {
      // All ids at once, and each alone among one's own.
      const sets = parameters.length === 1 ? [parameters] : [...parameters.map((one) => [one]), parameters];
      const bases = inputs(route, { ...own, zoneName: 'own.example.org' }, yard.lab);
      for (const set of sets) {
        const told: Told[] = [];
        for (const [index, base] of bases.entries()) {
          const accept = ['application/json', 'application/problem+json'][index];
          const given = (name: (thing: Thing) => string): Example => {
            const beside = parameters.filter((one) => one.name in base);
            const all = [
              ...beside.map((one) => ({ ...one, is: own[one.thing] })),
              ...set.map((one) => ({ ...one, is: name(one.thing) })),
            ];
            return {
              ...base,
              ...Object.fromEntries(all.map((one) => [one.name, withThing(one.schema, base[one.name], one.is)])),
            };
          };
          told.push(await compare(route, given, accept));
        }
        // Otherwise another fault of the call would have been in the way, and nothing proved.
        const isSeen = ({ status, text }: Told): boolean =>
          status === 404 ||
          text.includes('"results":0,"result":[]') ||
          (set.length > 1 && text.includes('does not go with')) ||
          (status === 400 && set.some(({ name }) => text.includes(`${name} must be`)));
        const what = `${route.label} with ${set.map(({ name }) => name).join(' and ')}`;
        assert.ok(told.some(isSeen), `${what}: ${told.map(({ text }) => text).join(' ')}`);
      }
    }
    assert.deepEqual(changed(untouched, await digestOf(yard, yard.lab.stranger)), []);
  });

  test('get the same for several at once of which one is the other’s, and none of them is touched', async () => {
    const untouched = await digestOf(yard);
    const lists = crossed.flatMap(({ route, parameters }) =>
      parameters
        .filter(({ schema }) => (schema as { type?: string }).type === 'array')
        .map((list) => ({ route, list, parameters })),
    );
    assert.ok(lists.length >= 2);
    for (const { route, list, parameters } of lists) {
      const [base = {}] = inputs(route, { ...own, zoneName: 'own.example.org' }, yard.lab);
      const beside = parameters.filter(({ name }) => name in base);
      const told = await compare(route, (name) => ({
        ...base,
        ...Object.fromEntries(beside.map((one) => [one.name, withThing(one.schema, base[one.name], own[one.thing])])),
        [list.name]: [own[list.thing], name(list.thing)].flatMap((each) =>
          withThing(list.schema, base[list.name], each),
        ),
      }));
      assert.equal(told.status, 404, `${route.label}: ${told.text}`);
    }
    const ledgers = new Set(['accounts', 'audit', 'audit_tips', 'keys']);
    assert.deepEqual(
      changed(untouched, await digestOf(yard)).filter((table) => !ledgers.has(table)),
      [],
    );
  });

  test('plan nothing with what is the other’s that they would not with what is nobody’s', async () => {
    const route = routes.find(({ operation }) => operation.name === 'planCreate')!;
    for (const [operation, thing, parameter] of [
      ['zoneDelete', 'zone', 'domain'],
      ['devicePowerSet', 'service', 'service'],
      ['contactDelete', 'contact', 'id'],
    ] as const) {
      const rest = operation === 'devicePowerSet' ? { action: 'off' } : {};
      const given = (name: (thing: Thing) => string): Example => ({
        operation,
        params: { [parameter]: name(thing), ...rest },
      });
      assert.notEqual((await compare(route, given)).status, 200, operation);
    }
  });

  test('follow no stream of the other', async () => {
    const streaming = crossed.filter(({ route }) => route.endpoint.streams === true);
    assert.ok(streaming.length >= 2);
    for (const { route } of streaming) {
      const told = await compare(route, (name) => ({ service: name('service') }), 'text/event-stream');
      assert.equal(told.status, 404, route.label);
    }
  });

  test('see their own alone, wherever a cursor of the other makes a page begin', async () => {
    const { lab } = yard;
    const page = await request<{ result: { cursor: string } }>(yard, 'GET', '/v2/event', { key: lab.customer.key });
    const path = `/v2/event?after=${encodeURIComponent(page.body.result.cursor)}`;
    const told = await request(yard, 'GET', path, { key: lab.stranger.key });
    const unknown = await request(yard, 'GET', '/v2/event?after=nonsense', { key: lab.stranger.key });
    assert.equal(told.status, 400);
    assert.deepEqual(told.body, unknown.body);
    for (const { route, parameters } of named) {
      const { params } = route.endpoint;
      const cursor = (['before', 'after'] as const).find((name) => name in params);
      if (cursor === undefined || route.operation.face === 'operator' || route.operation.name === 'eventLogGet')
        continue;
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
      request<{ result: { id: string; key: string } }>(yard, 'POST', '/v2/account/key', {
        key,
        params: { name: 'shared', scopes: ['dns:read'] },
        headers: { 'idempotency-key': 'the-very-same' },
      });
    const one = await make(yard.lab.customer.key);
    const other = await make(yard.lab.stranger.key);
    assert.equal(other.status, 200);
    assert.notEqual(other.body.result.key, one.body.result.key);
    assert.deepEqual((await make(yard.lab.customer.key)).body, one.body);
  });

  test('learn nothing at the doors of the staff', async () => {
    for (const route of ofStaff) {
      const input = (id: string): Example => ({
        ...leastExample(route.endpoint),
        ...Object.fromEntries(
          ['id', 'account'].filter((name) => name in route.endpoint.params).map((name) => [name, id]),
        ),
      });
      const theirAccount = await callOf(route, input(yard.lab.customer.account), 'application/json');
      const nobodys = await callOf(route, input('98765'), 'application/json');
      assert.equal(theirAccount.status, 403, route.label);
      assert.deepEqual(comparable(theirAccount, []), comparable(nobodys, []), route.label);
    }
  });
});

/** One of everything that the account has, by what a parameter calls it. */
async function namesOf(
  yard: TestYard,
  key: string,
  equipment: Pick<Names, 'service' | 'server' | 'machine' | 'address'>,
): Promise<Names> {
  const things = await thingsOf(yard, key);
  const { lab, parts } = yard;
  const account = Number(key === lab.customer.key ? lab.customer.account : lab.stranger.account) as AccountId;
  const passkey = await passkeyInsert(parts.store.queries, {
    account_id: account,
    contact_id: null,
    credential: `credential-${account}`,
    public_key: '',
    user_handle: `handle-${account}`,
    counter: 0,
    transports: '[]',
    rp_id: 'localhost',
    name: 'sweep',
    created_at: 0,
    last_used_at: null,
  });
  return { ...things, ...equipment, passkey: String(passkey) };
}

/** All that may differ is which request it was, when, and how many more there may be. */
function comparable({ status, headers, text }: Told, names: readonly string[]): unknown {
  const { 'x-request-id': id, date: _, ratelimit: __, 'content-length': ___, ...rest } = headers;
  const said = names.reduce((without, name) => without.replaceAll(name, '…'), text.replaceAll(String(id), ''));
  return { status, rest, said };
}

type Digests = ReadonlyMap<string, string>;
/** Of every table, what it holds but for the rows of this tenant. */
async function digestOf({ parts }: TestYard, except?: { account: string; service: string }): Promise<Digests> {
  const { queries } = parts.store;
  const tables = await sql<{ name: string }>`select name from sqlite_master
    where type = 'table' and name not like 'sqlite_%'`.execute(queries);
  const digests = tables.rows.map(async ({ name }) => {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(queries);
    const others = rows.filter(
      (row) =>
        String(row[name === 'accounts' ? 'id' : 'account_id']) !== except?.account &&
        String(row['service_id']) !== except?.service,
    );
    return [name, createHash('sha256').update(JSON.stringify(others)).digest('hex')] as const;
  });
  return new Map(await Promise.all(digests));
}
function changed(before: Digests, after: Digests): string[] {
  return [...after].flatMap(([table, digest]) => (before.get(table) === digest ? [] : [table]));
}
