// All rows that a site file can describe, each kind in one query, to compare a file with the database and to export it.
import type { Key } from '../account/keys.ts';
import { providerAccount } from '../account/accounts.ts';
import { allTerms } from '../billing/service-terms.ts';
import { hypervisorList } from '../devices/hypervisors.ts';
import { siteNetblocks } from '../network/netblocks.ts';
import { allPorts, storedSwitches } from '../network/switches.ts';
import { pduList } from '../devices/pdus.ts';
import { rackList, rackMounts } from '../devices/racks.ts';
import { storedServers } from '../devices/servers.ts';
import { reloadSystem } from '../devices/reloads.ts';
import { pricePlanList } from '../pricing/price-plans.ts';
import { countRows, selectWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';

export type SiteRows = Awaited<ReturnType<typeof siteRows>>;

export async function siteRows(queries: Queries) {
  return {
    accounts: await queries
      .selectFrom('accounts')
      .selectAll()
      .where('id', '!=', providerAccount)
      .orderBy('id')
      .execute(),
    services: await queries.selectFrom('services').selectAll().orderBy('id').execute(),
    machines: await queries.selectFrom('machines').selectAll().execute(),
    terms: await allTerms(queries),
    panelPlans: new Set((await pricePlanList(queries)).map(({ name }) => name)),
    billing: await queries.selectFrom('billing_accounts').select(['account_id', 'bill_day']).execute(),
    suspensions: await queries.selectFrom('billing_suspensions').select(['account_id', 'services']).execute(),
    keys: await siteKeys(queries),
    netblocks: await siteNetblocks(queries),
    ...(await equipmentRows(queries)),
  };
}

export type EquipmentRows = Awaited<ReturnType<typeof equipmentRows>>;

export async function equipmentRows(queries: Queries) {
  return {
    servers: await queries.selectFrom('servers').selectAll().where('removed_at', 'is', null).orderBy('name').execute(),
    macs: await queries.selectFrom('server_macs').selectAll().orderBy('mac').execute(),
    switches: await selectWhere(queries, 'switches', { removed_at: null }).selectAll().orderBy('name').execute(),
    ports: await allPorts(queries),
    pdus: await pduList(queries),
    nodes: await hypervisorList(queries),
    racks: await rackList(queries),
    /** By kind and name of the equipment. */
    mounts: new Map((await rackMounts(queries)).map((mount) => [`${mount.kind} ${mount.name}`, mount])),
  };
}

/** The stored rows that a site file is compared with while it is applied, by what identifies them in the file. */
export type StoredRows = Awaited<ReturnType<typeof loadStoredRows>>;

export async function loadStoredRows(queries: Queries) {
  const accounts = await queries.selectFrom('accounts').selectAll().execute();
  const signIns = await selectWhere(queries, 'sign_ins', { contact_id: null })
    .select(['account_id', 'email'])
    .execute();
  const keys = await queries.selectFrom('keys').selectAll().where('site_hash', 'is not', null).execute();
  const services = await queries.selectFrom('services').selectAll().execute();
  return {
    accounts: new Map<number, (typeof accounts)[number]>(accounts.map((account) => [account.id, account])),
    signIns: new Map<number, string>(signIns.map(({ account_id, email }) => [account_id, email])),
    keys: new Map(keys.map((key) => [key.printable_id, key])),
    /** By account and number. */
    services: new Map(services.map((service) => [`${service.account_id} ${service.id}`, service])),
    servers: await storedServers(queries),
    switches: await storedSwitches(queries),
    pdus: new Map((await queries.selectFrom('pdus').selectAll().execute()).map((pdu) => [pdu.name, pdu])),
  };
}

/** Returns the valid keys that came from a site file. */
async function siteKeys(queries: Queries): Promise<(Key & { site_hash: string })[]> {
  const keys = selectWhere(queries, 'keys', { revoked_at: null }).where('site_hash', 'is not', null);
  return keys.selectAll().orderBy('id').$narrowType<{ site_hash: string }>().execute();
}

/** Returns the catalogue entries and settings that customers use, by their name in the site file. */
export async function settingsInUse(queries: Queries): Promise<ReadonlyMap<string, string>> {
  const licences = queries.selectFrom('licences').select('name').distinct().where('status', '!=', 'Ended');
  const images = await queries.selectFrom('device_images').select(['image', 'service_id']).execute();
  const reloads = selectWhere(queries, 'reloads', { ended_at: null }).select(['system', 'service_id']);
  const zones = await countRows(queries.selectFrom('zones').where('account_id', 'is not', null));
  const routes = await countRows(selectWhere(queries, 'nullroutes', { removed_at: null, withdrawn_at: null }));
  return new Map([
    ...(await licences.execute()).map(({ name }) => [`licences ${name}`, 'customers use it'] as const),
    ...images.map(({ image, service_id }) => [`images ${image}`, `service ${service_id} uses it`] as const),
    ...(await reloads.execute()).map(({ system, service_id }) => {
      const { value } = reloadSystem.decode(system);
      return [`systems ${value}`, `service ${service_id} is being installed with it`] as const;
    }),
    ...(zones > 0 ? [['nameserver', `customers have ${zones} zones`] as const] : []),
    ...(routes > 0 ? [['nullroutes', `${routes} addresses are null-routed`] as const] : []),
  ]);
}

export interface NodeContent {
  readonly node: string;
  /** In words. */
  readonly what: string;
  /** True if it is only there because it has not been removed yet. */
  readonly isLeft: boolean;
}

/** Returns what these hypervisors have: machines, and what accounts keep there without one. */
export async function contentOfNodes(queries: Queries, nodes: readonly string[]): Promise<readonly NodeContent[]> {
  if (nodes.length === 0) return [];
  const placed = queries.selectFrom('machines').where('node', 'in', nodes);
  const machines = await placed.select(['node', 'service_id']).$narrowType<{ node: string }>().execute();
  const kept = ['node', 'id', 'account_id', 'state'] as const;
  const volumes = await queries.selectFrom('volumes').select(kept).where('node', 'in', nodes).execute();
  const made = queries.selectFrom('machine_images').where('state', '!=', 'failed');
  const images = await made.select(kept).where('node', 'in', nodes).execute();
  const copied = queries.selectFrom('machine_copies').where('node', 'in', nodes);
  const copies = await copied.select(['node', 'service_id', 'is_obsolete']).execute();
  return [
    ...machines.map(({ node, service_id }) => ({ node, what: `the machine of service ${service_id}`, isLeft: false })),
    ...[...volumes.map((row) => ({ ...row, kind: 'volume' })), ...images.map((row) => ({ ...row, kind: 'image' }))].map(
      ({ node, id, account_id, state, kind }) => ({
        node,
        what: `${kind} ${id} of customer ${account_id}`,
        isLeft: state.toLowerCase() === 'deleting',
      }),
    ),
    ...copies.map(({ node, service_id, is_obsolete }) => ({
      node,
      what: `a copy of the machine of service ${service_id}`,
      isLeft: is_obsolete === 1,
    })),
  ];
}
