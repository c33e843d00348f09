// Searches of staff that use an index other than that of parts of texts.
import { selectWhere } from '../engine/rows.ts';
import { inByteOrder, startsWith } from '../engine/search.ts';
import type { Service } from '../devices/services.ts';
import type { Queries } from '../store.ts';

export interface FoundServer {
  readonly name: string;
  readonly alias: string | null;
  readonly serial: string | null;
  readonly bmc_model: string;
}
const serverColumns = ['name', 'alias', 'serial', 'bmc_model'] as const;

/** Returns servers whose name, legacy name or serial number begins with the text, in lower case. */
export async function serversStarting(queries: Queries, text: string, limit: number): Promise<FoundServer[]> {
  const servers = selectWhere(queries, 'servers', { removed_at: null }).select(serverColumns).limit(limit);
  const lists = await Promise.all([
    servers
      .where(startsWith(queries, 'name', text))
      .orderBy('name')
      .execute(),
    servers.where(startsWith(queries, 'lower(serial)', text)).execute(),
    servers.where('alias', '=', text).execute(),
    servers.where('uuid', '=', text).execute(),
  ]);
  return [...new Map(lists.flat().map((server) => [server.name, server])).values()].slice(0, limit);
}

export async function serverOfMac(queries: Queries, mac: string): Promise<FoundServer | undefined> {
  const owner = selectWhere(queries, 'server_macs', { mac }).select('server');
  return queries.selectFrom('servers').select(serverColumns).where('name', '=', owner).executeTakeFirst();
}

export async function servicesOfMac(queries: Queries, mac: string, limit: number): Promise<Service[]> {
  const machines = selectWhere(queries, 'machines', { mac }).select('service_id').limit(limit);
  const ids = (await machines.execute()).map(({ service_id }) => service_id);
  return ids.length === 0 ? [] : servicesByIds(queries, ids);
}

export async function servicesByIds(queries: Queries, ids: readonly number[]): Promise<Service[]> {
  return queries.selectFrom('services').selectAll().where('id', 'in', ids).orderBy('id').execute();
}

/** Returns switches or hypervisors whose name begins with the text. */
export async function equipmentStarting(
  queries: Queries,
  table: 'switches' | 'nodes',
  text: string,
  limit: number,
): Promise<string[]> {
  const named = selectWhere(queries, table as 'nodes', { removed_at: null }).select('name');
  const rows = await named
    .where(startsWith(queries, 'lower(name)', text))
    .orderBy(inByteOrder(queries, 'lower(name)'))
    .limit(limit)
    .execute();
  return rows.map(({ name }) => name);
}

export async function invoicesStarting(queries: Queries, text: string, limit: number) {
  return queries
    .selectFrom('invoices')
    .select(['id', 'account_id', 'number', 'day', 'total_cents', 'status'])
    .where(startsWith(queries, 'upper(number)', text.toUpperCase()))
    .orderBy(inByteOrder(queries, 'upper(number)'))
    .limit(limit)
    .execute();
}

/** Returns zones whose name begins with the text, and those that the name lies in. */
export async function zonesAround(queries: Queries, name: string, limit: number) {
  const zones = queries.selectFrom('zones').select(['id', 'account_id', 'name']);
  const labels = name.replace(/\.$/, '').split('.');
  const parents = labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
  const containing =
    parents.length === 0 ? [] : await zones.where('name', 'in', parents).orderBy('name').limit(limit).execute();
  const beginning = await zones
    .where(startsWith(queries, 'name', name))
    .orderBy('name')
    .limit(limit)
    .execute();
  return [...new Map([...containing, ...beginning].map((zone) => [zone.id, zone])).values()].slice(0, limit);
}
