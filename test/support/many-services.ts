// Many services with everything around them, written straight to the database: for each ten an account with a server, a
// webhook, a zone and invoices; for each hundred a switch and a rack. And the pages that must cost the same with few and with many.
import type { Insertable } from 'kysely';
import { networkRange, networkText } from '#lib/address-ranges.ts';
import { parseNetwork } from '#lib/addresses.ts';
import type { AccountId } from '#store/account-id.ts';
import { batches } from '#store/engine/rows.ts';
import type { Store } from '#store/store.ts';
import type { Tables } from '#store/tables.ts';
import { firstHash } from '#store/account/tables.ts';
import { labHypervisorName } from '#lab/hypervisor/machines.ts';
import type { LabFile } from '#lab/lab-file.ts';
import { labSwitchName } from '#lab/network.ts';

type Rows = { [Table in keyof Tables]?: Insertable<Tables[Table]>[] };

const firstAccount = 100_000;
const firstService = 1_000_000;
const servicesPerAccount = 10;
const rowsPerStatement = 200;
const at = Date.UTC(2026, 0, 1);

/** The account of the service with this index. */
export function accountOf(index: number): AccountId {
  return (firstAccount + Math.floor(index / servicesPerAccount)) as AccountId;
}

/** Adds the services with these indexes, from a multiple of a hundred on. */
export async function addManyServices(store: Store, from: number, until: number): Promise<void> {
  for (let start = from; start < until; start += 1000) {
    const rows = rowsOf(start, Math.min(start + 1000, until));
    await store.transaction(async (queries) => {
      for (const [table, list] of Object.entries(rows) as unknown as ['meta', Insertable<Tables['meta']>[]][])
        for (const batch of batches(list, rowsPerStatement)) await queries.insertInto(table).values(batch).execute();
    });
  }
}

/** In the order in which they refer to each other. */
function rowsOf(from: number, until: number): Rows {
  const indexes = Array.from({ length: until - from }, (_, offset) => from + offset);
  const every = (count: number): number[] => indexes.filter((index) => index % count === 0);
  const ofAccounts = every(servicesPerAccount);
  const ofServers = every(10);
  return {
    accounts: ofAccounts.map(accountRow),
    keys: ofAccounts.map(keyRow),
    contacts: ofAccounts.map((index) => ({ ...person(index), account_id: accountOf(index), ...contactValues })),
    racks: every(100).map((index) => ({ name: rackName(index), height: 42, place: '' })),
    servers: ofServers.map(serverRow),
    rack_mounts: ofServers.map((index) => ({
      kind: 'server',
      name: serverName(index),
      rack: rackName(index),
      unit: ((index / 10) % 10) + 1,
      height: 1,
    })),
    switches: every(100).map((index) => ({
      name: switchName(index),
      driver: 'snmp',
      settings: '',
      revision: 0,
      next_poll_at: 0,
      last_poll_at: at,
      poll_error: null,
      removed_at: null,
    })),
    services: indexes.map(serviceRow),
    machines: indexes.filter((index) => index % 10 !== 0).map(machineRow),
    ports: ofServers.map((index) => ({
      switch: switchName(index),
      if_index: (index / 10) % 10,
      service_id: firstService + index,
      server: serverName(index),
      alias: '',
      speed: 0,
    })),
    netblocks: [...every(256).map(providerBlock), ...every(8).map(heldBlock)],
    netblock_holdings: every(8).map((index) => {
      const { cidr, first, last, account_id, service_id } = heldBlock(index);
      return { cidr, first, last, account_id, service_id, held_from: at, held_until: null };
    }),
    audit_tips: ofAccounts.map((index) => ({ account_id: accountOf(index), hash: firstHash, events: 3 })),
    events: ofAccounts.flatMap((index) => [1, 2, 3].map((sequence) => eventRow(index, sequence))),
    audit: indexes.flatMap((index) => [index, index]).map(auditRow),
    workflows: indexes.map(workflowRow),
    zones: ofAccounts.map((index) => ({
      account_id: accountOf(index),
      name: `zone${index}.many.test`,
      path: `test.many.zone${index}.`,
      kind: 'forward',
      revision: 1,
      record_count: 0,
      created_at: at,
    })),
    invoices: ofAccounts.flatMap((index) => [`M${index}a`, `M${index}b`].map((number) => invoiceRow(index, number))),
    webhooks: ofAccounts.map((index) => ({
      account_id: accountOf(index),
      url: 'https://hooks.example.net/',
      description: '',
      events: '[]',
      status: 'Active',
      reason: '',
      secret: '',
      previous_secret: null,
      previous_until: null,
      created_at: at,
    })),
  };
}

function person(index: number) {
  return {
    firstname: 'Pat',
    lastname: `Many${index}`,
    companyname: `Company ${index}`,
    email: `person${index}@many.example.net`,
    address1: 'Street 1',
    address2: '',
    city: 'Town',
    state: 'State',
    postcode: '12345',
    country: 'NL',
    phonenumber: '',
    password_hash: null,
  };
}

function accountRow(index: number): Insertable<Tables['accounts']> {
  const money = { currency: 'EUR', currency_prefix: '', currency_suffix: '' };
  const logins = {
    last_login_at: null,
    last_login_address: null,
    last_login_host: null,
    password_temporary_until: null,
  };
  return { id: accountOf(index), ...person(index), ...money, ...logins, status: 'Active', created_at: at };
}

const contactValues = {
  subaccount: 0,
  permissions: '',
  domainemails: 0,
  generalemails: 0,
  invoiceemails: 0,
  productemails: 0,
  supportemails: 0,
  affiliateemails: 0,
  status: 'Active',
  created_at: at,
};

function keyRow(index: number): Insertable<Tables['keys']> {
  return {
    account_id: accountOf(index),
    kind: 'key',
    printable_id: `many${index}`,
    secret_hash: '',
    name: 'own',
    scopes: '["all"]',
    allow: '[]',
    rate: 100,
    burst: 100,
    created_at: at,
  };
}

function serverName(index: number): string {
  return `many-${String(index).padStart(7, '0')}`;
}

function rackName(index: number): string {
  return `M${String(Math.floor(index / 100)).padStart(6, '0')}`;
}

function switchName(index: number): string {
  return `sw-many-${Math.floor(index / 100)}`;
}

function serverRow(index: number): Insertable<Tables['servers']> {
  return {
    name: serverName(index),
    bmc_driver: 'ipmi',
    bmc_settings: '',
    bmc_revision: 0,
    bmc_model: 'Lab',
    console_host: '',
    parts: '{"CPU":["AMD EPYC 9124"],"RAM":["32 GB","32 GB"]}',
    power_state: 'on',
    power_source: 'sync',
    power_seen_at: at,
    power_error: null,
    next_look_at: 0,
    uuid: null,
    serial: null,
    removed_at: null,
  };
}

function serviceRow(index: number): Insertable<Tables['services']> {
  const isServer = index % 10 === 0;
  return {
    id: firstService + index,
    account_id: accountOf(index),
    type: isServer ? 'dedicated' : 'vps',
    name: isServer ? 'Server' : 'VPS',
    hostname: `host${index}.many.example.net`,
    status: 'Active',
    ip: addressText(index),
    server: isServer ? serverName(index) : null,
    vmid: isServer ? null : firstService + index,
    created_at: at,
  };
}

function machineRow(index: number): Insertable<Tables['machines']> {
  return {
    service_id: firstService + index,
    account_id: accountOf(index),
    vmid: firstService + index,
    kind: 'Xen',
    state: 'ready',
    reason: '',
    wanted_node: null,
    node: null,
    member: null,
    template: 'debian',
    vcpus: 1,
    memory_mb: 1024,
    disk_gb: 10,
    bandwidth_gb: 0,
    mac: '52:54:00:00:00:01',
    power_state: 'on',
    power_source: 'sync',
    power_seen_at: at,
    power_error: null,
    install_secret: null,
    untidy: 0,
    networks: '',
    addresses_digest: '',
    traffic_month: 0,
    traffic_bytes: 0,
  };
}

function addressText(index: number): string {
  return `11.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
}

function blockRow(index: number, length: number) {
  const network = parseNetwork(`${addressText(index)}/${length}`)!;
  return { cidr: networkText(network), ...networkRange(network), origin: 'site', pool: null, gateway: null } as const;
}

function providerBlock(index: number): Insertable<Tables['netblocks']> {
  return { ...blockRow(index, 24), account_id: null, service_id: null };
}

function heldBlock(index: number) {
  return { ...blockRow(index, 29), account_id: accountOf(index), service_id: firstService + index };
}

function eventRow(index: number, sequence: number): Insertable<Tables['events']> {
  const data = JSON.stringify({ keyid: '1', name: 'own' });
  return { account_id: accountOf(index), sequence, type: 'key.revoked', version: 1, service_id: null, data, at };
}

function auditRow(index: number): Insertable<Tables['audit']> {
  return {
    account_id: accountOf(index),
    at,
    address: '192.0.2.1',
    key_id: null,
    contact_id: null,
    operation: 'v2.devicePowerSet',
    target: `service=${firstService + index}`,
    outcome: 'success',
    request_id: '',
    operator: index % 10 === 0 ? 'many' : null,
    previous: firstHash,
    hash: firstHash,
  };
}

function workflowRow(index: number): Insertable<Tables['workflows']> {
  return {
    id: `0many${String(index).padStart(10, '0')}`,
    account_id: accountOf(index),
    service_id: firstService + index,
    name: 'power-cycle',
    version: 1,
    operation: 'v2.devicePowerSet',
    status: 'Completed',
    direction: 'forward',
    position: 3,
    step: '',
    step_since: at,
    tries: 0,
    progress: 100,
    input: '{}',
    outputs: '{}',
    error_code: null,
    error_reason: null,
    cancel_requested: 0,
    created_at: at,
    ended_at: at,
    revision: 1,
  };
}

function invoiceRow(index: number, number: string): Insertable<Tables['invoices']> {
  const cents = { subtotal_cents: 100, credit_cents: 0, tax_cents: 0, tax2_cents: 0, total_cents: 100 };
  const rates = { tax_rate: 0, tax_rate2: 0, payment_method: '', notes: '' };
  return { account_id: accountOf(index), number, day: 20_000, due_day: 20_014, status: 'Paid', ...cents, ...rates };
}

export interface ListedPage {
  readonly label: string;
  readonly key: string;
  readonly path: string;
}

/** The lists, searches and overviews of both APIs, as the lab's staff and its customer, who has few services, call them. */
export function listedPages({ operator, customer, dedicated }: LabFile): ListedPage[] {
  const service = dedicated.service;
  const ofStaff = {
    accounts: 'account?limit=10',
    'accounts of a status': 'account?status=Suspended',
    'accounts, found by email address': 'account?search=person70@many',
    'accounts, nothing found': 'account?search=absent',
    'keys of an account': `key?account=${customer.account}`,
    services: 'service?limit=10',
    'services of an account': `service?account=${customer.account}`,
    'services of a status': 'service?status=Suspended',
    'services of a type and status': 'service?type=dedicated&status=Suspended',
    'services, found by host name': 'service?search=host77.many',
    'services, found by server': 'service?search=many-0000070',
    'services, a common word': 'service?search=example&limit=10',
    'services, nothing found': 'service?search=absent',
    servers: 'device?limit=10',
    machines: 'device?kind=machine&limit=10',
    'the fleet': 'fleet',
    'the installation': 'installation',
    racks: 'rack?limit=1&after=M',
    hypervisors: 'node?limit=10',
    'machines of a hypervisor': `machine?node=${labHypervisorName}&limit=10`,
    switches: 'switch?limit=10',
    'ports of a switch': `port?switch=${labSwitchName}&limit=10`,
    'address blocks': 'netblock?limit=10&after=11.0.0.0/24',
    'audit log': 'audit?limit=10',
    'audit log of an operation': 'audit?operation=v2.contactCreate&limit=10',
    'audit log of an operator': 'audit?operator=absent',
    'audit log of failures': 'audit?outcome=not_found&limit=10',
    workflows: 'workflow?limit=10',
    'workflows of a kind': 'workflow?name=reload&limit=10',
    'workflows of a status': 'workflow?status=Failed',
    'failed jobs': 'job?limit=10',
    'search, an email address': 'search?text=person70@many',
    'search, a host name': 'search?text=host77.many',
    'search, an address': `search?text=${dedicated.ips[0]}`,
    'search, an invoice': 'search?text=M70a',
    'search, a zone': 'search?text=zone70.many',
    'search, a server': 'search?text=many-0000070',
    'search, nothing found': 'search?text=absent',
    'notes on an account': `note?account=${customer.account}`,
    'invoices of an account': `invoice?account=${customer.account}`,
    'events of an account': `event?account=${customer.account}`,
    'licence orders': 'licence?limit=10',
    reconcilers: 'reconciler',
    'address requests': 'request?limit=10',
    'null routes': 'nullroute?limit=10',
    'support access': 'impersonation?limit=10',
    'servers between customers': 'reclaim?limit=10',
  };
  const ofCustomer = {
    'own account': 'account',
    'own devices': 'device/list',
    'own device states': 'device/state',
    'own invoices': 'account/invoice',
    'own contacts': 'account/contact',
    'own keys': 'account/key',
    'own audit log': 'account/audit?limit=10',
    'own actions': 'action?limit=10',
    'own zones': 'dns/domain',
    'own reverse names': `dns/reverse/${service}`,
    'own webhooks': 'account/webhook',
    'own deliveries': 'account/webhook/delivery',
    'own address blocks': `network/netblock/${service}`,
    'delivery of own addresses': `network/delivery/${service}`,
    'attacks on own addresses': `network/events/${service}`,
    'own events': 'event?limit=10',
    'own newest events': 'event?newest=true&limit=10',
  };
  const pages = (prefix: string, key: string, paths: object): ListedPage[] =>
    Object.entries(paths).map(([label, path]) => ({ label, key, path: `${prefix}/${String(path)}` }));
  return [...pages('/operator', operator.key, ofStaff), ...pages('/v2', customer.key, ofCustomer)];
}
