// One resource of each kind that a parameter can name, for the sweeps, and the input that makes every operation find
// them.
import { randomUUID } from 'node:crypto';
import { isoNames, licenceNames } from '#contract/catalogue.ts';
import * as p from '#contract/parameters.ts';
import { sshFingerprint } from '#lib/ssh-key.ts';
import { sshKeyInsert } from '#store/account/ssh-keys.ts';
import { createLinkToken } from '#app/account/links.ts';
import { invitationInsert } from '#store/account/invitations.ts';
import { machineGroupInsert } from '#store/devices/machine-groups.ts';
import { machineImageChange, machineImageInsert } from '#store/devices/machine-images.ts';
import { newBackupPlan } from '#app/machines/backup-settings.ts';
import { randomBase32 } from '#lib/random.ts';
import { backupPlanEnsure, machineBackupInsert } from '#store/devices/machine-backups.ts';
import { machineSnapshotChange, machineSnapshotInsert } from '#store/devices/machine-snapshots.ts';
import { volumeInsert } from '#store/devices/volumes.ts';
import { mailsInsert } from '#store/mail/mails.ts';
import { portsOfService } from '#store/network/switches.ts';
import { impersonationInsert } from '#store/operator/impersonations.ts';
import { anna } from './contacts.ts';
import { fullExample, requiredExample, type Example } from './examples.ts';
import { createOperator } from './operators.ts';
import { createTsigKey } from './dns-updates.ts';
import { planFor, plannedCall } from './plan-fixtures.ts';
import { otherPlan, sweepCoupon } from './pricing-makers.ts';
import { prepareForRoute } from './reload-fixtures.ts';
import { createKey, request, requestResult } from './request.ts';
import { issueUntaxed, paymentMethodOf } from './payment-fixtures.ts';
import { reasonOf } from './resource-parameters.ts';
import { freeDevices, routes, type Route } from './routes.ts';
import { allowSepa, mandateInput } from './sepa-fixtures.ts';
import { machineInputs } from './machine-makers.ts';
import { createSshKey } from './ssh-keys.ts';
import type { TestApp } from './app.ts';
import type { AccountId } from '#store/account-id.ts';

/** Existing resources, for the parameters that name one. */
export interface AccountFixtures {
  readonly contact: string;
  readonly invitation: string;
  readonly key: string;
  readonly tsig: string;
  readonly invoice: string;
  readonly webhook: string;
  readonly delivery: string;
  readonly zone: string;
  readonly zoneName: string;
  readonly record: string;
  readonly action: string;
  readonly port: string;
  readonly plan: string;
  readonly supportaccess: string;
  readonly mail: string;
  readonly sshkey: string;
  readonly machinegroup: string;
  readonly snapshot: string;
  readonly backup: string;
  readonly machineimage: string;
  readonly volume: string;
  readonly paymentmethod: string;
}

export const absentFixtures: AccountFixtures = {
  contact: '987654',
  invitation: '987654',
  key: '987654',
  tsig: '987654',
  invoice: '987654',
  webhook: '987654',
  delivery: '987654',
  zone: '987654',
  zoneName: 'absent.example.org',
  record: '987654',
  action: 'absent987654',
  port: '987654',
  plan: '987654',
  supportaccess: '987654',
  mail: '987654',
  sshkey: '987654',
  machinegroup: '987654',
  snapshot: '987654',
  backup: 'absent987654',
  machineimage: '987654',
  volume: '987654',
  paymentmethod: '987654',
};

/** Creates only what the route needs: hashing a password, looking up a webhook and signing a zone are slow. */
export async function createAccountFixtures(app: TestApp, key: string, route?: Route): Promise<AccountFixtures> {
  // Workflows start here but never run, so that the next caller finds the device free.
  await freeDevices(app);
  if (route !== undefined) await prepareForRoute(app, route);
  if (route === undefined || /\/payment\/(?:sepa|mandate)$/.test(route.url)) await allowSepa(app);
  const createdKey = await createKey(app, key, { scopes: ['all'] });
  const plans = route === undefined || route.endpoint.tag === 'plan';
  const invoices = await requestResult<{ id: string }[]>(app, 'GET', '/v2/account/invoice', { key });
  const isAbout = (
    resource:
      | 'contact'
      | 'invitation'
      | 'webhook'
      | 'delivery'
      | 'supportaccess'
      | 'tsig'
      | 'sshkey'
      | 'machinegroup'
      | 'snapshot'
      | 'backup'
      | 'volume',
  ): boolean => route === undefined || route.url.includes(`/${resource}`) || namedResource(route)?.thing === resource;
  return {
    contact: isAbout('contact') ? await contactOf(app, key) : absentFixtures.contact,
    invitation: isAbout('invitation') ? await invitationOf(app, key) : absentFixtures.invitation,
    key: createdKey.id,
    tsig: isAbout('tsig') ? (await createTsigKey(app, key)).id : absentFixtures.tsig,
    invoice: route?.operation.name === 'invoicePay' ? await openInvoiceOf(app, key) : invoices[0]!.id,
    plan: plans ? await planFor(app, route, key, createdKey.key) : absentFixtures.plan,
    mail: await mailOf(app, key),
    paymentmethod:
      route === undefined || route.endpoint.tag === 'payment'
        ? await paymentMethodOf(app, accountOf(app, key))
        : absentFixtures.paymentmethod,
    sshkey: isAbout('sshkey') ? await sshKeyOf(app, key) : absentFixtures.sshkey,
    machinegroup: isAbout('machinegroup') ? await machineGroupOf(app, key) : absentFixtures.machinegroup,
    snapshot:
      isAbout('snapshot') || route!.url === '/v2/machine/image' ? await snapshotOf(app, key) : absentFixtures.snapshot,
    backup: isAbout('backup') ? await backupOf(app, key) : absentFixtures.backup,
    volume: isAbout('volume') ? await volumeOf(app, key, route) : absentFixtures.volume,
    machineimage:
      route === undefined || route.url === '/v2/machine/image' ? await imageOf(app, key) : absentFixtures.machineimage,
    supportaccess: isAbout('supportaccess') ? await supportAccessOf(app, key) : absentFixtures.supportaccess,
    ...(isAbout('webhook') || isAbout('delivery') ? await webhookOf(app, key) : noWebhook),
    ...(await workOf(app, key)),
    ...(needsZone(route) ? await zoneOf(app, key) : noZone),
  };
}

async function openInvoiceOf(app: TestApp, key: string): Promise<string> {
  return String((await issueUntaxed(app.parts, accountOf(app, key), 1000)).id);
}

async function contactOf(app: TestApp, key: string): Promise<string> {
  const { contactid } = await requestResult<{ contactid: string }>(app, 'POST', '/client/contact', {
    key,
    params: {
      ...fullExample(routes.find(({ url }) => url === '/client/contact')!.endpoint),
      ...legacyContact(),
    },
  });
  return contactid;
}

async function invitationOf(app: TestApp, key: string): Promise<string> {
  const { store, clock } = app.parts;
  const contact = { account_id: accountOf(app, key), contact_id: Number(await contactOf(app, key)) };
  const link = { ...createLinkToken(), email: 'anna@example.com', permissions: '', invited_by: 'Ada Lovelace' };
  const { token: _, ...row } = { ...contact, ...link, created_at: clock.now(), expires_at: clock.now() + 3_600_000 };
  return String(await invitationInsert(store.queries, row));
}

async function supportAccessOf(app: TestApp, key: string): Promise<string> {
  const { store, clock } = app.parts;
  const { id, name } = await createOperator(app, 'support');
  const access = await impersonationInsert(store.queries, {
    account_id: accountOf(app, key),
    operator_id: Number(id),
    operator: name,
    reason: 'sweep',
    key_id: 0,
    created_at: clock.now(),
    expires_at: clock.now() + 3_600_000,
  });
  return String(access);
}

async function mailOf(app: TestApp, key: string): Promise<string> {
  const { store, clock } = app.parts;
  const person = { account_id: accountOf(app, key), contact_id: null, address: 'ada@example.net', language: '' };
  const [id] = await mailsInsert(store.queries, [{ ...person, kind: 'account.resumed', created_at: clock.now() }]);
  return String(id);
}

async function sshKeyOf(app: TestApp, key: string): Promise<string> {
  const { store, clock } = app.parts;
  const text = createSshKey();
  const row = { account_id: accountOf(app, key), name: 'sweep', public_key: text, created_at: clock.now() };
  const added = await sshKeyInsert(store.queries, { ...row, fingerprint: sshFingerprint(text)! });
  return String(added!.id);
}

let groups = 0;
async function machineGroupOf(app: TestApp, key: string): Promise<string> {
  const group = { account_id: accountOf(app, key), name: `group ${groups++}`, created_at: 0 };
  return String((await machineGroupInsert(app.parts.store.queries, group))!.id);
}

let schedules = 0;
let volumes = 0;
/** The name of a volume of this id. */
const volumeLabel = (id: string): string => `volume ${id}`;

/** Detached, unless the route detaches it. */
async function volumeOf(app: TestApp, key: string, route: Route | undefined): Promise<string> {
  const { lab, parts } = app;
  const account_id = accountOf(app, key);
  const service_id = Number(key === lab.customer.key ? lab.vps.service : lab.stranger.service);
  const node = app.equipment.hypervisor.name;
  const is_attached = route?.operation.name === 'volumeDetach' ? 1 : 0;
  const content = { node, name: randomUUID(), size_gb: 1, state: 'Ready', is_attached, created_at: 0 } as const;
  const { queries } = parts.store;
  const { id } = (await volumeInsert(queries, { account_id, service_id, ...content }))!;
  await queries
    .updateTable('volumes')
    .set({ name: volumeLabel(String(id)) })
    .where('id', '=', id)
    .execute();
  return String(id);
}

/** The only one of its account, because nothing runs that would complete or delete others. */
async function snapshotOf(app: TestApp, key: string): Promise<string> {
  const { queries } = app.parts.store;
  await queries.deleteFrom('machine_snapshots').where('account_id', '=', accountOf(app, key)).execute();
  const content = { ...copyOwner(app, key), name: 'sweep', template: 'debian-12', created_at: 0 };
  const { id } = await machineSnapshotInsert(queries, content);
  await machineSnapshotChange(queries, id, { state: 'ready' });
  return String(id);
}

async function backupOf(app: TestApp, key: string): Promise<string> {
  const { queries } = app.parts.store;
  await queries.deleteFrom('machine_backups').where('account_id', '=', accountOf(app, key)).execute();
  // Nothing runs them, and a machine has one at a time.
  await queries.updateTable('workflows').set({ ended_at: 1 }).where('name', 'like', 'machine-backup%').execute();
  const { account_id, service_id } = copyOwner(app, key);
  await backupPlanEnsure(queries, newBackupPlan(app.parts, account_id, service_id));
  const id = randomBase32(80);
  const machine = { hostname: 'vps1.example.net', template: 'debian-12', created_at: 0, source: 'request' } as const;
  const content = { disk_gb: 1, snapshot: 'none', digest: '0', size_bytes: 1, added_bytes: 1, is_consistent: 1 };
  const owner = { id, account_id, service_id, state: 'stored', verified_at: null, verify_error: '' } as const;
  await machineBackupInsert(queries, { ...owner, ...machine, ...content });
  return id;
}

async function imageOf(app: TestApp, key: string): Promise<string> {
  const { queries } = app.parts.store;
  await queries.deleteFrom('machine_images').where('account_id', '=', accountOf(app, key)).execute();
  const content = { kind: 'Xen', node: app.equipment.hypervisor.name, disk_gb: 20, template: 'debian-12' } as const;
  const image = { ...copyOwner(app, key), ...content, name: 'sweep', created_at: 0 };
  const { id } = await machineImageInsert(queries, image);
  await machineImageChange(queries, id, { state: 'ready' });
  return String(id);
}

function copyOwner(app: TestApp, key: string) {
  const { customer, vps, stranger } = app.lab;
  return { account_id: accountOf(app, key), service_id: Number(key === customer.key ? vps.service : stranger.service) };
}

function accountOf({ lab }: TestApp, key: string): AccountId {
  return Number(key === lab.customer.key ? lab.customer.account : lab.stranger.account) as AccountId;
}

/** A finished action, and a port of one of the account's servers. */
async function workOf(app: TestApp, key: string): Promise<Pick<AccountFixtures, 'action' | 'port'>> {
  const { queries } = app.parts.store;
  const account = accountOf(app, key);
  const action = `sweep0000000${account}`;
  const nothing = {
    service_id: null,
    name: 'sweep',
    version: 1,
    operation: 'v2.sweep',
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
  const service = Number(key === app.lab.customer.key ? app.lab.dedicated.service : app.lab.stranger.service);
  const [port] = await portsOfService(queries, account, service);
  return { action, port: String(port!.id) };
}

let users = 0;
let zones = 0;
const noZone = { zone: absentFixtures.zone, zoneName: absentFixtures.zoneName, record: absentFixtures.record };
async function zoneOf(app: TestApp, key: string): Promise<Pick<AccountFixtures, 'zone' | 'zoneName' | 'record'>> {
  const zoneName = `zone${zones++}.example.org`;
  const zone = await requestResult<string>(app, 'POST', '/dns/domain', { key, params: { name: zoneName } });
  const params = { name: 'a', type: 'A', content: '192.0.2.1' };
  const record = await request<{ result: string }>(app, 'POST', `/dns/domain/${zone}`, { key, params });
  return { zone, zoneName, record: record.body.result };
}

/** `domain` is a zone's id, except when a zone is created. */
function zoneParameter({ endpoint: { params } }: Route): 'domain' | 'domain_id' | undefined {
  return (['domain', 'domain_id'] as const).find((name) => (params[name] as { type?: string })?.type === 'integer');
}

function needsZone(route: Route | undefined): boolean {
  if (route === undefined || route.operation.api === 'automation') return true;
  return zoneParameter(route) !== undefined || 'changes' in route.endpoint.params;
}

/** Changes of the zone, and a name in it for an address. */
function changeInputs({ zoneName }: AccountFixtures): Example {
  const change = { action: 'add', name: `c.${zoneName}`, type: 'A', content: '192.0.2.3' };
  return { changes: [change], addresses: [{ ip: '203.0.113.10', record: `host.${zoneName}` }], dry_run: false };
}

/** Input of DNS tools, which name a zone instead of its id. */
function toolInputs({ endpoint: { params }, operation }: Route, { zoneName }: AccountFixtures): Example {
  const set = { name: `tool.${zoneName}.`, type: 'TXT', changetype: 'REPLACE', records: [{ content: '"v"' }] };
  const values: Example = {
    zone: zoneName,
    rrsets: operation.name === 'zonePatch' ? [set] : operation.name === 'zoneCreate' ? [] : true,
    rrset_name: zoneName,
    rrset_type: 'NS',
    kind: 'Native',
    dnssec: false,
    nameservers: ['ns1.example.net'],
    fqdn: `_acme-challenge.${zoneName}`,
    value: 'v',
  };
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in params));
}

function newZoneName(route: Route): Example {
  const createsZone = ['zoneCreate', 'zoneClaim'].includes(route.operation.name);
  const parameter = createsZone ? Object.keys(route.endpoint.params)[0]! : undefined;
  return parameter === undefined ? {} : { [parameter]: `new${zones++}.example.org` };
}

/** Further input of an operation on a zone. */
function zoneInputs({ endpoint: { params } }: Route, fixtures: AccountFixtures): Example {
  const values: Example = {
    record: (params['record'] as { type?: string })?.type === 'integer' ? fixtures.record : `b.${fixtures.zoneName}`,
    records: [fixtures.record],
    name: 'b',
    content: '192.0.2.2',
    zonefile: '@ NS ns1.example.net.',
    version: 1,
    after: 0,
    before: 9,
  };
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in params));
}

const noWebhook = { webhook: absentFixtures.webhook, delivery: absentFixtures.delivery };
/** A webhook and one delivery to it in the log; nothing runs jobs here. */
async function webhookOf(app: TestApp, key: string): Promise<Pick<AccountFixtures, 'webhook' | 'delivery'>> {
  const existing = await requestResult<{ id: string }[]>(app, 'GET', '/v2/account/webhook', { key });
  for (const { id } of existing) await request(app, 'DELETE', '/v2/account/webhook', { key, params: { id } });
  const webhook = await request<{ result: { id: string } }>(app, 'POST', '/v2/account/webhook', {
    key,
    params: { url: webhookUrl },
  });
  await createKey(app, key, { scopes: ['all'] });
  await app.parts.store.queries.updateTable('deliveries').set({ status: 'Delivered' }).execute();
  const sent = await requestResult<{ id: string }[]>(app, 'GET', '/v2/account/webhook/delivery', { key });
  return { webhook: webhook.body.result.id, delivery: sent[0]!.id };
}
/** Loopback is allowed for webhooks here, but nothing is sent. */
export const webhookUrl = 'http://127.0.0.1:9/';

let contacts = 0;
function legacyContact() {
  const { country: county, ...fields } = anna;
  return { ...fields, county, phone: '1', email: `anna${contacts++}@example.com` };
}

/** Operations that only a session can call: sign-out, own password, second factor and passkeys. */
export function isPersonal({ endpoint: { tag, path }, operation }: Route): boolean {
  return tag === 'session' && (path !== '/v2/session' || operation.name === 'sessionDelete');
}

/** Returns the resource that a parameter names. Add a new one here. */
function namedResource(route: Route): { parameter: string; thing: keyof AccountFixtures } | undefined {
  if ('invoice' in route.endpoint.params) return { parameter: 'invoice', thing: 'invoice' };
  if (route.url === '/v2/payment/method' && 'id' in route.endpoint.params)
    return { parameter: 'id', thing: 'paymentmethod' };
  const zone = zoneParameter(route);
  if (zone !== undefined) return { parameter: zone, thing: 'zone' };
  if (!('id' in route.endpoint.params) || isPersonal(route)) return undefined;
  if (route.url === '/v2/action/:id') return { parameter: 'id', thing: 'action' };
  if (route.endpoint.tag === 'plan') return { parameter: 'id', thing: 'plan' };
  if (route.url.endsWith('/support')) return { parameter: 'id', thing: 'supportaccess' };
  if (route.url === '/v2/machine/group' && 'id' in route.endpoint.params)
    return { parameter: 'id', thing: 'machinegroup' };
  if (/^machine(?:Create|BackupOrder)$/.test(route.operation.name))
    return { parameter: 'group', thing: 'machinegroup' };
  if (route.url.startsWith('/v2/machine/volume')) return { parameter: 'id', thing: 'volume' };
  if (route.url.startsWith('/v2/machine/snapshot')) return { parameter: 'id', thing: 'snapshot' };
  if (route.url === '/v2/machine/image') return { parameter: 'id', thing: 'machineimage' };
  const resource = (['delivery', 'webhook', 'sshkey', 'invitation', 'key', 'tsig', 'port', 'mail'] as const).find(
    (name) => route.url.endsWith(`/${name}`),
  );
  return { parameter: 'id', thing: resource ?? 'contact' };
}

export function inputs(route: Route, fixtures: AccountFixtures, lab: TestApp['lab']): Example[] {
  const { params } = route.endpoint;
  const target = namedResource(route);
  const real: Example = {
    ...(target === undefined ? {} : { [target.parameter]: fixtures[target.thing] }),
    ...('password' in params && 'email' in params && !('firstname' in params)
      ? { email: lab.customer.email, password: lab.customer.password }
      : {}),
    ...('iban' in params ? mandateInput : {}),
    ...('method' in params && route.endpoint.tag === 'payment' ? { method: fixtures.paymentmethod } : {}),
    ...(route.operation.name === 'topUp' ? { amount: '20.00' } : {}),
    ...('url' in params ? { url: webhookUrl } : {}),
    ...('vmid' in params ? { vmid: lab.vps.vmid } : {}),
    ...('services' in params ? { services: [lab.dedicated.service] } : {}),
    ...(route.url.startsWith('/v2/device/tun') ? { service: '3001' } : {}),
    ...('template' in params ? { template: 'debian-12' } : {}),
    ...('value' in params && 'service' in params ? { value: 'debian-12' } : {}),
    ...(/^(?!\/v2\/machine\/).*\/(?:iso|image)$/.test(route.url) ? imageInputs(route) : {}),
    ...(route.url.startsWith('/v2/machine') && 'service' in params ? { service: lab.vps.service } : {}),
    ...('snapshot' in params ? { snapshot: fixtures.snapshot } : {}),
    ...('backup' in params ? { backup: fixtures.backup } : {}),
    ...(route.operation.name === 'machineBackupRestore' ? { hostname: 'vps1.example.net' } : {}),
    ...(route.operation.name === 'machineBackupScheduleSet' ? { hour: schedules++ % 24, monthly: 0 } : {}),
    ...(route.operation.name === 'volumeCreate' ? { name: `new volume ${volumes++}`, size: 1 } : {}),
    ...(route.operation.name === 'machineBackupVolumeCreate'
      ? { name: `new volume ${volumes++}`, target: lab.vps.service }
      : {}),
    ...(route.operation.name === 'volumeResize' ? { size: 2 } : {}),
    ...(route.operation.name === 'volumeDelete' ? { name: volumeLabel(fixtures.volume) } : {}),
    ...('license' in params ? licenceInputs(route) : {}),
    ...('username' in params ? { username: `user${users++}` } : {}),
    ...(zoneParameter(route) === undefined ? {} : zoneInputs(route, fixtures)),
    ...(route.operation.api === 'automation' ? toolInputs(route, fixtures) : {}),
    ...newZoneName(route),
    ...('changes' in params ? changeInputs(fixtures) : {}),
    ...('operation' in params ? plannedCall() : {}),
    ...('timezone' in params ? { timezone: 'Europe/Berlin', language: 'de' } : {}),
    ...(route.operation.name === 'sshKeyCreate' ? { key: createSshKey() } : {}),
    ...(route.operation.name === 'deviceLabelSet' ? { add: ['web'], remove: ['old'] } : {}),
    ...('plan' in params ? { plan: route.operation.name === 'machineSizeSet' ? 'Cloud 2' : otherPlan } : {}),
    ...machineInputs(route.operation.name),
    ...(route.operation.name === 'machineGroupCreate' ? { name: `new group ${groups++}` } : {}),
    ...('coupon' in params ? { coupon: sweepCoupon } : {}),
    ...('off' in params ? { off: ['payment.received'] } : {}),
    ...('expires' in params ? { expires: Math.floor(Date.now() / 1000) + 3600 } : {}),
  };
  const least = requiredExample(route.endpoint);
  const full = { ...fullExample(route.endpoint), ...real };
  // `status` and `invoice` exclude each other; a key for a contact needs a contact who can sign in.
  if ('invoice' in params) delete full['status'];
  // It would have to be a volume of the backup.
  if ('backup' in params) delete full['volume'];
  // It would have to be a record that the key may read.
  if (route.operation.name === 'recordSearch') delete full['after'];
  // They would have to be the current ones.
  delete full['serials'];
  delete full['contact'];
  // A challenge is named by `fqdn`, or else by these.
  if ('keyAuth' in params) for (const name of ['domain', 'keyAuth']) delete full[name];
  // Only a session can, with a proof.
  delete full['forgetfactors'];
  for (const [name, schema] of Object.entries(params))
    if (reasonOf(schema) === reasonOf(p.Unchanged)) delete full[name];
  const realRequired = Object.fromEntries(Object.entries(real).filter(([name]) => name in least));
  return [{ ...least, ...realRequired }, full].filter((input) => route.inPath.every((name) => name in input));
}

/** An upload to a server is a workflow, which nothing runs here; one to a virtual machine is not. */
function imageInputs({ endpoint: { params } }: Route): Example {
  const values: Example = { service: '3001', server: 'dc01r01ds02-01', image: isoNames[0] };
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in params));
}

let licences = 0;
/** Every order names another licence, because one cannot be ordered twice; the last one is cancelled. */
function licenceInputs({ url }: Route): Example {
  const names = licenceNames.filter((name) => name.startsWith('DEDICATED_'));
  return {
    service: '1001',
    type: 'Dedicated',
    license: names[url.endsWith('/order') ? licences++ : Math.max(licences - 1, 0)]!,
  };
}
