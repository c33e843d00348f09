// All rows that a site file can describe, each kind in one query, to compare a file with the database and to export it.
import type { Key } from '../account/keys.ts';
import { providerAccount } from '../account/accounts.ts';
import { hypervisorList } from '../devices/hypervisors.ts';
import { siteNetblocks } from '../network/netblocks.ts';
import { rackList, rackMounts } from '../devices/racks.ts';
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
    terms: await queries.selectFrom('service_terms').selectAll().orderBy('id').execute(),
    billing: await queries.selectFrom('billing_accounts').select(['account_id', 'bill_day']).execute(),
    suspensions: await queries.selectFrom('billing_suspensions').select(['account_id', 'services']).execute(),
    keys: await siteKeys(queries),
    servers: await queries.selectFrom('servers').selectAll().where('removed_at', 'is', null).orderBy('name').execute(),
    macs: await queries.selectFrom('server_macs').selectAll().orderBy('mac').execute(),
    switches: await queries
      .selectFrom('switches')
      .selectAll()
      .where('removed_at', 'is', null)
      .orderBy('name')
      .execute(),
    ports: await queries.selectFrom('ports').selectAll().orderBy('switch').orderBy('if_index').execute(),
    nodes: await hypervisorList(queries),
    netblocks: await siteNetblocks(queries),
    racks: await rackList(queries),
    mounts: await rackMounts(queries),
  };
}

/** Returns the valid keys that came from a site file. */
async function siteKeys(queries: Queries): Promise<(Key & { site_hash: string })[]> {
  const rows = await queries
    .selectFrom('keys')
    .selectAll()
    .where('site_hash', 'is not', null)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows as (Key & { site_hash: string })[];
}

/** Returns the catalogue entries and settings that customers use, by their name in the site file. */
export async function settingsInUse(queries: Queries): Promise<ReadonlyMap<string, string>> {
  const licences = await queries
    .selectFrom('licences')
    .select('name')
    .distinct()
    .where('status', '!=', 'Ended')
    .execute();
  const images = await queries.selectFrom('device_images').select(['image', 'service_id']).execute();
  const reloads = await queries
    .selectFrom('reloads')
    .select(['system', 'service_id'])
    .where('ended_at', 'is', null)
    .execute();
  const zones = await queries
    .selectFrom('zones')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', 'is not', null)
    .executeTakeFirstOrThrow();
  const routes = await queries
    .selectFrom('nullroutes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('removed_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirstOrThrow();
  return new Map([
    ...licences.map(({ name }) => [`licences ${name}`, 'customers use it'] as const),
    ...images.map(({ image, service_id }) => [`images ${image}`, `service ${service_id} uses it`] as const),
    ...reloads.map(
      ({ system, service_id }) => [`systems ${system}`, `service ${service_id} is being installed with it`] as const,
    ),
    ...(Number(zones.count) > 0 ? [['nameserver', `customers have ${zones.count} zones`] as const] : []),
    ...(Number(routes.count) > 0 ? [['nullroutes', `${routes.count} addresses are null-routed`] as const] : []),
  ]);
}

export async function machinesOnNodes(queries: Queries): Promise<{ node: string; service_id: number }[]> {
  const rows = await queries
    .selectFrom('machines')
    .select(['node', 'service_id'])
    .where('node', 'is not', null)
    .execute();
  return rows as { node: string; service_id: number }[];
}
