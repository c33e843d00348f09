// One resource of each kind that a parameter can name, for the sweeps, and the input that makes every operation find
// them.
import { isoNames, licenceNames } from '#contract/catalogue.ts';
import * as p from '#contract/parameters.ts';
import { sshFingerprint } from '#lib/ssh-key.ts';
import { sshKeyInsert } from '#store/account/ssh-keys.ts';
import { createLinkToken } from '#app/account/links.ts';
import { invitationInsert } from '#store/account/invitations.ts';
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
import { accountOf, freeDevices, routes, type Route } from './routes.ts';
import { allowSepa, mandateInput } from './sepa-fixtures.ts';
import { machineInputs } from './machine-makers.ts';
import {
  absentMachineResources,
  backupOf,
  imageOf,
  machineGroupOf,
  machineResourceInputs,
  snapshotOf,
  volumeOf,
  type MachineResources,
} from './machine-resources.ts';
import { createSshKey } from './ssh-keys.ts';
import type { TestApp } from './app.ts';
import { absentZone, dnsInputs, needsZone, zoneOf, zoneParameter, type ZoneFixtures } from './zone-makers.ts';

/** Existing resources, for the parameters that name one. */
export interface AccountFixtures extends ZoneFixtures, MachineResources {
  readonly contact: string;
  readonly invitation: string;
  readonly key: string;
  readonly tsig: string;
  readonly invoice: string;
  readonly webhook: string;
  readonly delivery: string;
  readonly action: string;
  readonly port: string;
  readonly plan: string;
  readonly supportaccess: string;
  readonly mail: string;
  readonly sshkey: string;
  readonly paymentmethod: string;
}

export const absentFixtures: AccountFixtures = {
  ...absentZone,
  ...absentMachineResources,
  contact: '987654',
  invitation: '987654',
  key: '987654',
  tsig: '987654',
  invoice: '987654',
  webhook: '987654',
  delivery: '987654',
  action: 'absent987654',
  port: '987654',
  plan: '987654',
  supportaccess: '987654',
  mail: '987654',
  sshkey: '987654',
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
    ...(needsZone(route) ? await zoneOf(app, key) : absentZone),
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

let users = 0;

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
    ...machineResourceInputs(route, fixtures, lab),
    ...('license' in params ? licenceInputs(route) : {}),
    ...('username' in params ? { username: `user${users++}` } : {}),
    ...dnsInputs(route, fixtures),
    ...('operation' in params ? plannedCall() : {}),
    ...('timezone' in params ? { timezone: 'Europe/Berlin', language: 'de' } : {}),
    ...(route.operation.name === 'sshKeyCreate' ? { key: createSshKey() } : {}),
    ...(route.operation.name === 'deviceLabelSet' ? { add: ['web'], remove: ['old'] } : {}),
    ...('plan' in params ? { plan: route.operation.name === 'machineSizeSet' ? 'Cloud 2' : otherPlan } : {}),
    ...machineInputs(route.operation.name),
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
