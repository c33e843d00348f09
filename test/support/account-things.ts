// A customer's things for the sweeps: one of each kind that a parameter can name, and what every operation is called with so that
// it finds them.
import { isoNames, licenceNames } from '#contract/catalogue.ts';
import { portsOfService } from '#store/network/switches.ts';
import type { AccountId } from '#store/tables.ts';
import { fullExample, leastExample, type Example } from './examples.ts';
import { planFor, plannedCall } from './plan-things.ts';
import { beginForRoute } from './reload-things.ts';
import { request } from './request.ts';
import { freeDevices, routes, type Route } from './routes.ts';
import type { TestYard } from './yard.ts';

/** Things that are really there, for the parameters that name one. */
export interface Things {
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

export const absentThings: Things = {
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
export async function thingsOf(yard: TestYard, key: string, route?: Route): Promise<Things> {
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
    records: [things.record],
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
export const dialled = 'http://127.0.0.1:9/';

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
export function isPersonal({ endpoint: { tag, path }, operation }: Route): boolean {
  return tag === 'session' && (path !== '/v2/session' || operation.name === 'sessionDelete');
}

/** Which thing the parameter of an operation names. A new one that names a thing must say so here. */
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

export function inputs(route: Route, things: Things, lab: TestYard['lab']): Example[] {
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
