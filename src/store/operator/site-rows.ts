// All rows that a site file can describe, each kind in one query, to compare a file with the database and to export it.
import type { Key } from '../account/keys.ts';
import { providerAccount } from '../account/accounts.ts';
import { hypervisorList } from '../devices/hypervisors.ts';
import { siteNetblocks } from '../network/netblocks.ts';
import { rackList, rackMounts } from '../devices/racks.ts';
import { reloadSystem } from '../devices/reloads.ts';
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
    terms: await queries.selectFrom('service_terms').selectAll().orderBy('id').execute(),
    billing: await queries.selectFrom('billing_accounts').select(['account_id', 'bill_day']).execute(),
    suspensions: await queries.selectFrom('billing_suspensions').select(['account_id', 'services']).execute(),
    keys: await siteKeys(queries),
    servers: await queries.selectFrom('servers').selectAll().where('removed_at', 'is', null).orderBy('name').execute(),
    macs: await queries.selectFrom('server_macs').selectAll().orderBy('mac').execute(),
    switches: await selectWhere(queries, 'switches', { removed_at: null }).selectAll().orderBy('name').execute(),
    ports: await queries.selectFrom('ports').selectAll().orderBy('switch').orderBy('if_index').execute(),
    nodes: await hypervisorList(queries),
    netblocks: await siteNetblocks(queries),
    racks: await rackList(queries),
    mounts: await rackMounts(queries),
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

export async function machinesOnNodes(queries: Queries): Promise<{ node: string; service_id: number }[]> {
  const placed = queries.selectFrom('machines').where('node', 'is not', null);
  return placed.select(['node', 'service_id']).$narrowType<{ node: string }>().execute();
}
