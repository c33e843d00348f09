// What built operations answer and leave behind: the declared shape and nothing more, an audit row for every change, and
// nothing that tells a stranger's things from absent ones. What is not built yet is listed, and the list can only shrink.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { TSchema } from 'typebox';
import { Check, Errors } from 'typebox/schema';
import { applySite } from '#app/site/apply.ts';
import { isoNames, licenceNames } from '#contract/catalogue.ts';
import { effectOf, isReading } from '#contract/endpoint.ts';
import { countOf } from '#http/answers.ts';
import { auditVerify } from '#store/audit.ts';
import { portsOfService } from '#store/switches.ts';
import type { AccountId } from '#store/tables.ts';
import { fullExample, leastExample, type Example } from '#test/support/examples.ts';
import { ask, call, freeDevices, keyFor, refusal, routes, type Route, type Told } from '#test/support/routes.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { planFor, plannedCall } from '#test/support/plan-things.ts';
import { beginForRoute } from '#test/support/reload-things.ts';
import { bootable } from '#test/support/reloads.ts';
import { request } from '#test/support/request.ts';
import { openTestYard, type TestYard } from '#test/support/yard.ts';

const notBuilt = new Set(
  readFileSync(new URL('../../golden/not-built.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean),
);
const nameOf = ({ operation }: Route): string => `${operation.face}.${operation.name}`;
/** What the provider's staff do has a sweep of its own, beside this one. */
const built = routes.filter((route) => !notBuilt.has(nameOf(route)) && route.operation.face !== 'operator');
const mutations = built.filter(({ endpoint }) => effectOf(endpoint) !== 'none');

/** The schema with every object closed: a member that is not declared is a fault too. */
function closed(schema: TSchema): TSchema {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) =>
    typeof value === 'object' && value !== null && 'properties' in value
      ? { ...value, additionalProperties: false }
      : value,
  ) as TSchema;
}

/** Things that are really there, for the parameters that name one. */
interface Things {
  readonly contact: string;
  readonly key: string;
  readonly invoice: string;
  readonly webhook: string;
  readonly delivery: string;
  readonly zone: string;
  readonly zoneName: string;
  readonly record: string;
  readonly action: string;
  readonly port: string;
  readonly plan: string;
}

const absentThings: Things = {
  contact: '987654',
  key: '987654',
  invoice: '987654',
  webhook: '987654',
  delivery: '987654',
  zone: '987654',
  zoneName: 'absent.example.org',
  record: '987654',
  action: 'absent987654',
  port: '987654',
  plan: '987654',
};

/** What a route has nothing to do with is not made for it: a password to hash, a webhook to look up, a zone to sign. */
async function thingsOf(yard: TestYard, key: string, route?: Route): Promise<Things> {
  // What takes several steps is begun here and goes no further: whoever comes next finds his device free.
  await freeDevices(yard);
  if (route !== undefined) await beginForRoute(yard, route);
  const made = await request<{ result: { id: string; key: string } }>(yard, 'POST', '/v2/account/key', {
    key,
    params: { name: 'sweep', scopes: ['all'] },
  });
  const plans = route === undefined || route.endpoint.tag === 'plan';
  const invoices = await request<{ result: { id: string }[] }>(yard, 'GET', '/v2/account/invoice', { key });
  const isAbout = (thing: 'contact' | 'webhook' | 'delivery'): boolean =>
    route === undefined || route.url.includes(`/${thing}`) || namedThing(route)?.thing === thing;
  return {
    contact: isAbout('contact') ? await contactOf(yard, key) : absentThings.contact,
    key: made.body.result.id,
    invoice: invoices.body.result[0]!.id,
    plan: plans ? await planFor(yard, route, key, made.body.result.key) : absentThings.plan,
    ...(isAbout('webhook') || isAbout('delivery') ? await webhookOf(yard, key) : noWebhook),
    ...(await workOf(yard, key)),
    ...(route === undefined || zoneParameter(route) !== undefined ? await zoneOf(yard, key) : noZone),
  };
}

async function contactOf(yard: TestYard, key: string): Promise<string> {
  const made = await request<{ result: { contactid: string } }>(yard, 'POST', '/client/contact', {
    key,
    params: {
      ...fullExample(routes.find(({ url }) => url === '/client/contact')!.endpoint),
      ...contactFields(),
      county: 'FR',
    },
  });
  return made.body.result.contactid;
}

/** An action that has ended, and a port of one of the account's servers. */
async function workOf(yard: TestYard, key: string): Promise<Pick<Things, 'action' | 'port'>> {
  const { queries } = yard.parts.store;
  const account = Number(
    key === yard.lab.customer.key ? yard.lab.customer.account : yard.lab.stranger.account,
  ) as AccountId;
  const action = `sweep0000000${account}`;
  const nothing = {
    service_id: null,
    name: 'sweep',
    version: 1,
    operation: 'sweep',
    step: '',
    step_since: 0,
    tries: 0,
  };
  const ended = { status: 'Completed', direction: 'forward', position: 0, progress: 100, ended_at: 1 } as const;
  const empty = {
    input: '{}',
    outputs: '{}',
    error_code: null,
    error_reason: null,
    cancel_requested: 0,
    created_at: 0,
    revision: 0,
  };
  await queries
    .insertInto('workflows')
    .values({ id: action, account_id: account, ...nothing, ...ended, ...empty })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const service = Number(key === yard.lab.customer.key ? yard.lab.dedicated.service : yard.lab.stranger.service);
  const [port] = await portsOfService(queries, account, service);
  return { action, port: String(port!.id) };
}

let users = 0;
let zones = 0;
const noZone = { zone: absentThings.zone, zoneName: absentThings.zoneName, record: absentThings.record };
async function zoneOf(yard: TestYard, key: string): Promise<Pick<Things, 'zone' | 'zoneName' | 'record'>> {
  const zoneName = `zone${zones++}.example.org`;
  const made = await request<{ result: string }>(yard, 'POST', '/dns/domain', { key, params: { name: zoneName } });
  const zone = made.body.result;
  const params = { name: 'a', type: 'A', content: '192.0.2.1' };
  const record = await request<{ result: string }>(yard, 'POST', `/dns/domain/${zone}`, { key, params });
  return { zone, zoneName, record: record.body.result };
}

/** `domain` is a zone's id but where a zone is made. */
function zoneParameter({ endpoint: { params } }: Route): 'domain' | 'domain_id' | undefined {
  return (['domain', 'domain_id'] as const).find((name) => (params[name] as { type?: string })?.type === 'integer');
}

function newZoneName(route: Route): Example {
  const parameter = route.operation.name === 'zoneCreate' ? Object.keys(route.endpoint.params)[0]! : undefined;
  return parameter === undefined ? {} : { [parameter]: `new${zones++}.example.org` };
}

/** What an operation on a zone is given beside the zone. */
function zoneInputs({ endpoint: { params } }: Route, things: Things): Example {
  const given: Example = {
    record: (params['record'] as { type?: string })?.type === 'integer' ? things.record : `b.${things.zoneName}`,
    name: 'b',
    content: '192.0.2.2',
    zonefile: '@ NS ns1.example.net.',
    version: 1,
    after: 0,
    before: 9,
  };
  return Object.fromEntries(Object.entries(given).filter(([name]) => name in params));
}

const noWebhook = { webhook: absentThings.webhook, delivery: absentThings.delivery };
/** A webhook, and a delivery that was made to it, as far as the log can tell: nothing works off jobs here. */
async function webhookOf(yard: TestYard, key: string): Promise<Pick<Things, 'webhook' | 'delivery'>> {
  const listed = await request<{ result: { id: string }[] }>(yard, 'GET', '/v2/account/webhook', { key });
  for (const { id } of listed.body.result)
    await request(yard, 'DELETE', '/v2/account/webhook', { key, params: { id } });
  const made = await request<{ result: { id: string } }>(yard, 'POST', '/v2/account/webhook', {
    key,
    params: { url: dialled },
  });
  await request(yard, 'POST', '/v2/account/key', { key, params: { name: 'sweep', scopes: ['all'] } });
  await yard.parts.store.queries.updateTable('deliveries').set({ status: 'Delivered' }).execute();
  const sent = await request<{ result: { id: string }[] }>(yard, 'GET', '/v2/account/webhook/delivery', { key });
  return { webhook: made.body.result.id, delivery: sent.body.result[0]!.id };
}
/** Loopback is opened to webhooks here; nobody is called. */
const dialled = 'http://127.0.0.1:9/';

let contacts = 0;
const contactFields = () => ({
  firstname: 'Anna',
  lastname: 'Berg',
  phone: '1',
  email: `anna${contacts++}@example.com`,
  password: 'correct horse',
  address1: 'Street 1',
  city: 'Lyon',
  state: 'Rhone',
  zipcode: '69003',
});

/** Signing out, one's own password, second factor and passkeys: for a session, some of it in a browser. */
function isPersonal({ endpoint: { tag, path }, operation }: Route): boolean {
  return tag === 'session' && (path !== '/v2/session' || operation.name === 'sessionDelete');
}

/** Which thing the parameter of a built operation names. A new one that names a thing must say so here. */
function namedThing(route: Route): { parameter: string; thing: keyof Things } | undefined {
  if ('invoice' in route.endpoint.params) return { parameter: 'invoice', thing: 'invoice' };
  const zone = zoneParameter(route);
  if (zone !== undefined) return { parameter: zone, thing: 'zone' };
  if (!('id' in route.endpoint.params) || isPersonal(route)) return undefined;
  if (route.url === '/v2/action/:id') return { parameter: 'id', thing: 'action' };
  if (route.endpoint.tag === 'plan') return { parameter: 'id', thing: 'plan' };
  const thing = (['delivery', 'webhook', 'key', 'port'] as const).find((one) => route.url.endsWith(`/${one}`));
  return { parameter: 'id', thing: thing ?? 'contact' };
}

function inputs(route: Route, things: Things, lab: TestYard['lab']): Example[] {
  const { params } = route.endpoint;
  const named = namedThing(route);
  const real: Example = {
    ...(named === undefined ? {} : { [named.parameter]: things[named.thing] }),
    ...('password' in params && 'email' in params && !('firstname' in params)
      ? { email: lab.customer.email, password: lab.customer.password }
      : {}),
    ...('url' in params ? { url: dialled } : {}),
    ...('vmid' in params ? { vmid: lab.vps.vmid } : {}),
    ...('template' in params ? { template: 'debian-12' } : {}),
    ...('value' in params && 'service' in params ? { value: 'debian-12' } : {}),
    ...(/\/(?:iso|image)$/.test(route.url) ? imageInputs(route) : {}),
    ...('license' in params ? licenceInputs(route) : {}),
    ...('username' in params ? { username: `user${users++}` } : {}),
    ...(zoneParameter(route) === undefined ? {} : zoneInputs(route, things)),
    ...newZoneName(route),
    ...('operation' in params ? plannedCall() : {}),
    ...('expires' in params ? { expires: Math.floor(Date.now() / 1000) + 3600 } : {}),
  };
  const least = leastExample(route.endpoint);
  const full = { ...fullExample(route.endpoint), ...real };
  // `status` and `invoice` exclude each other; a key for a contact needs one that signs in.
  if ('invoice' in params) delete full['status'];
  delete full['contact'];
  const known = Object.fromEntries(Object.entries(real).filter(([name]) => name in least));
  return [{ ...least, ...known }, full].filter((input) => route.inPath.every((name) => name in input));
}

/** The lab's server behind Redfish, which has a drive for images; the other one has none. */
function imageInputs({ endpoint: { params } }: Route): Example {
  const given: Example = { service: '1002', server: 'dc01r01ds02-01', image: isoNames[0] };
  return Object.fromEntries(Object.entries(given).filter(([name]) => name in params));
}

let licences = 0;
/** Each order is for another licence, as the same one cannot be ordered twice; the first is the one that is cancelled. */
function licenceInputs({ url }: Route): Example {
  const names = licenceNames.filter((name) => name.startsWith('DEDICATED_'));
  return { service: '1001', type: 'Dedicated', license: names[url.endsWith('/order') ? licences++ : 0]! };
}

/** What acts on equipment is written down before and after; what only reads by its parameter is not. */
function auditRows({ endpoint }: Route, input: Example): number {
  if (isReading(endpoint, input)) return 0;
  return effectOf(endpoint) === 'equipment' ? 2 : 1;
}

describe('the operations that are not built yet', () => {
  test('are those of the list, and answer 501 once all about the request is right', async () => {
    await using yard = await openTestYard();
    const found = new Set<string>();
    for (const route of routes) {
      await freeDevices(yard);
      const encoding = route.method === 'GET' ? 'query' : 'form';
      const answer = await ask(
        yard.http,
        call(route, fullExample(route.endpoint), encoding, { key: keyFor(yard, route) }),
      );
      if (answer.status !== 501) continue;
      found.add(nameOf(route));
      if (route.operation.face !== 'legacy') assert.equal(refusal(answer).code, 'not_built_yet');
    }
    console.log(`not built yet: ${found.size} operations`);
    assert.deepEqual([...found].sort(), [...notBuilt].sort());
  });
});

describe('every built operation', () => {
  let yard: TestYard;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  before(async () => {
    yard = await openTestYard();
    folder = await temporaryFolder('answers');
    await applySite(yard.parts, { ...bootable(yard.site, folder.path), webhooks: { allow: ['127.0.0.0/8'] } });
  });
  after(() => yard[Symbol.asyncDispose]());
  after(() => folder[Symbol.asyncDispose]());

  test('answers in its declared shape, with nothing added, and counts its results', async () => {
    // One of everything, so that no list is empty.
    await thingsOf(yard, yard.lab.customer.key);
    for (const route of built) {
      let succeeded = 0;
      for (const input of inputs(route, await thingsOf(yard, yard.lab.customer.key, route), yard.lab)) {
        const encoding = route.method === 'GET' ? 'query' : 'json';
        const answer = await ask(yard.http, call(route, input, encoding, { key: yard.lab.customer.key }));
        if (answer.status !== 200) continue;
        succeeded++;
        assert.equal(answer.headers['cache-control'], 'no-store');
        assert.match(String(answer.headers['ratelimit-policy']), /^"key";q=\d+;w=\d+$/, route.label);
        assert.match(String(answer.headers['ratelimit']), /^"key";r=\d+;t=\d+$/, route.label);
        const type = route.endpoint.file ?? 'application/json; charset=utf-8';
        assert.equal(answer.headers['content-type'], type);
        if (route.endpoint.file !== undefined) continue;
        assert.deepEqual(Object.keys(answer.body), ['success', 'results', 'result'], route.label);
        assert.equal(answer.body.success, true);
        const shape = closed(route.endpoint.result);
        const { result, results } = answer.body;
        assert.ok(Check(shape, result), `${route.label}: ${JSON.stringify(Errors(shape, result))}`);
        if (route.endpoint.resultsAs === undefined) assert.equal(results, countOf(result), route.label);
      }
      // The lab's key is no session, and signing zones needs another name server: their stories are told elsewhere.
      if (!isPersonal(route) && !nameOf(route).startsWith('v2.dnssec'))
        assert.ok(succeeded > 0, `no example of ${route.label} succeeds: say in this file what it names`);
    }
  });

  test('that changes something leaves an audit row, whether it succeeds or is refused', async () => {
    const account = Number(yard.lab.customer.account) as AccountId;
    const { store } = yard.parts;
    const outcomes = new Map<string, Set<string>>();
    for (const route of mutations) {
      const things = await thingsOf(yard, yard.lab.customer.key, route);
      const absent = { ...absentThings, invoice: things.invoice };
      for (const input of [...inputs(route, things, yard.lab), ...inputs(route, absent, yard.lab)]) {
        const last = await store.queries.selectFrom('audit').select('id').orderBy('id', 'desc').executeTakeFirst();
        const options = call(route, input, 'json', { key: yard.lab.customer.key });
        const answer = await ask(yard.http, options);
        const added = store.queries
          .selectFrom('audit')
          .selectAll()
          .where('id', '>', last?.id ?? 0);
        const rows = await added.orderBy('id').execute();
        assert.equal(rows.length, auditRows(route, input), `${route.label}: ${answer.text}`);
        if (rows.length === 0) continue;
        const row = rows.at(-1)!;
        const expected = answer.status === 200 ? 'success' : (refusal(answer).code ?? row.outcome);
        assert.equal(row.account_id, account);
        assert.equal(row.operation, nameOf(route));
        assert.equal(row.address, options.remoteAddress);
        assert.equal(row.request_id, answer.headers['x-request-id']);
        assert.equal(row.outcome, expected);
        assert.notEqual(row.key_id, null);
        assert.doesNotMatch(JSON.stringify(row), /correct horse|hy_/);
        const seen = outcomes.get(route.label) ?? new Set();
        outcomes.set(route.label, seen.add(row.outcome));
      }
    }
    for (const [label, seen] of outcomes) {
      if (!/\/v2\/(?:session|dns\/dnssec)/.test(label)) assert.ok(seen.has('success'), label);
    }
    assert.equal(await auditVerify(store.queries, account), undefined);
    const own = await store.queries.selectFrom('audit').select('id').where('account_id', '=', account).execute();
    assert.equal(await auditShown(yard), own.length);
  });

  test("answers to a stranger's things byte for byte as to absent ones", async () => {
    const named = built.filter((route) => namedThing(route) !== undefined);
    assert.ok(named.length >= 10);
    const foreign = await thingsOf(yard, yard.lab.stranger.key);
    for (const route of named) {
      const theirs = inputs(route, foreign, yard.lab).at(-1);
      const nobodys = inputs(route, absentThings, yard.lab).at(-1);
      for (const accept of ['application/json', 'application/problem+json']) {
        const encoding = route.method === 'GET' ? 'query' : 'json';
        const options = { key: yard.lab.customer.key, headers: { accept } };
        const one = await ask(yard.http, call(route, theirs!, encoding, options));
        const other = await ask(yard.http, call(route, nobodys!, encoding, options));
        assert.equal(one.status, 404, `${route.label}: ${one.text}`);
        assert.deepEqual(comparable(one), comparable(other), route.label);
      }
    }
  });
});

/** How many entries the account reads, page by page. */
async function auditShown(yard: TestYard): Promise<number> {
  let shown = 0;
  for (let before: string | undefined; ;) {
    const { body } = await request<{ result: { id: string }[] }>(yard, 'GET', '/v2/account/audit', {
      key: yard.lab.customer.key,
      params: { limit: 1000, ...(before === undefined ? {} : { before }) },
    });
    if (body.result.length === 0) return shown;
    shown += body.result.length;
    before = body.result.at(-1)!.id;
  }
}

function comparable({ status, headers, text }: Told): unknown {
  const { 'x-request-id': _, date: __, ratelimit: ___, ...rest } = headers;
  return { status, rest, text };
}
