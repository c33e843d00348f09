// Planned maintenance, and the services that it affects.
import type { Insertable, Selectable, Updateable } from 'kysely';
import { MaintenanceTargets, type MaintenanceStatus } from '#contract/shapes/maintenance.ts';
import { affectsRows, batches, deleteWhere, rowsInBatches, selectWhere, updateWhere } from '../engine/rows.ts';
import type { AccountId } from '../account-id.ts';
import { jsonColumn } from '../json-column.ts';
import type { Queries } from '../store.ts';
import type { MaintenanceTable } from './tables.ts';

export const maintenanceTargets = jsonColumn('maintenances.targets', MaintenanceTargets);
export type Maintenance = Selectable<MaintenanceTable>;

export async function maintenanceInsert(queries: Queries, row: Insertable<MaintenanceTable>): Promise<number> {
  return (await queries.insertInto('maintenances').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

export async function maintenanceFind(queries: Queries, id: number): Promise<Maintenance | undefined> {
  return selectWhere(queries, 'maintenances', { id }).selectAll().executeTakeFirst();
}

/** Returns false if it was changed since this revision. */
export async function maintenanceUpdate(
  queries: Queries,
  { id, revision }: Pick<Maintenance, 'id' | 'revision'>,
  change: Updateable<MaintenanceTable>,
): Promise<boolean> {
  const row = updateWhere(queries, 'maintenances', { id, revision });
  return affectsRows(row.set({ ...change, revision: revision + 1 }).returning('id'));
}

export interface MaintenancePage {
  readonly status: MaintenanceStatus | undefined;
  readonly before: number | undefined;
  readonly limit: number;
}
/** Newest first. */
export async function maintenanceList(queries: Queries, page: MaintenancePage): Promise<Maintenance[]> {
  let query = selectWhere(queries, 'maintenances', page.status === undefined ? {} : { status: page.status });
  if (page.before !== undefined) query = query.where('id', '<', page.before);
  return query.selectAll().orderBy('id', 'desc').limit(page.limit).execute();
}

/** Returns how many accounts and services each affects. */
export async function affectedCounts(queries: Queries, ids: readonly number[]) {
  if (ids.length === 0) return [];
  return queries
    .selectFrom('maintenance_services')
    .select('maintenance_id')
    .select((row) => [
      row.fn.count<number>('account_id').distinct().as('accounts'),
      row.fn.count<number>('service_id').as('services'),
    ])
    .where('maintenance_id', 'in', ids)
    .groupBy('maintenance_id')
    .execute();
}

/** Returns what affects services of the account and has not ended before this time, with those services. */
export async function maintenancesOf(queries: Queries, account: AccountId, endingAfter: number) {
  return queries
    .selectFrom('maintenance_services')
    .innerJoin('maintenances', 'maintenances.id', 'maintenance_services.maintenance_id')
    .innerJoin('services', 'services.id', 'maintenance_services.service_id')
    .selectAll('maintenances')
    .select(['services.id as service', 'services.hostname'])
    .where('maintenance_services.account_id', '=', account)
    .where('maintenances.end_at', '>', endingAfter)
    .orderBy('maintenances.start_at')
    .orderBy('maintenances.id')
    .orderBy('services.id')
    .execute();
}

/** Returns the next accounts that have services, by number. */
export async function accountsWithServices(queries: Queries, after: number, limit: number): Promise<AccountId[]> {
  const rows = await queries
    .selectFrom('services')
    .select('account_id')
    .distinct()
    .where('account_id', '>', after as AccountId)
    .orderBy('account_id')
    .limit(limit)
    .execute();
  return rows.map(({ account_id }) => account_id);
}

/** Returns the next accounts that were notified, by number. */
export async function accountsAffected(
  queries: Queries,
  maintenance: number,
  after: number,
  limit: number,
): Promise<AccountId[]> {
  const rows = await selectWhere(queries, 'maintenance_services', { maintenance_id: maintenance })
    .select('account_id')
    .distinct()
    .where('account_id', '>', after as AccountId)
    .orderBy('account_id')
    .limit(limit)
    .execute();
  return rows.map(({ account_id }) => account_id);
}

export interface PlacedService {
  readonly id: number;
  readonly account_id: AccountId;
  readonly hostname: string;
  readonly server: string | null;
  readonly node: string | null;
  readonly member: string | null;
}
/** Returns the services of these accounts that have not ended, with the device that each runs on. */
export async function placedServices(queries: Queries, accounts: readonly AccountId[]): Promise<PlacedService[]> {
  return queries
    .selectFrom('services')
    .leftJoin('machines', 'machines.service_id', 'services.id')
    .select(['services.id', 'services.account_id', 'services.hostname', 'services.server'])
    .select(['machines.node', 'machines.member'])
    .where('services.account_id', 'in', accounts)
    .where('services.status', '<>', 'Terminated')
    .orderBy('services.account_id')
    .orderBy('services.id')
    .execute();
}

/** Returns the servers and services behind the ports of these switches. */
export async function behindSwitches(queries: Queries, switches: readonly string[]) {
  const ports = queries.selectFrom('ports').select(['server', 'service_id']);
  const rows = await rowsInBatches(switches, (names) => ports.where('switch', 'in', names));
  return {
    servers: new Set(rows.flatMap(({ server }) => server ?? [])),
    services: new Set(rows.flatMap(({ service_id }) => service_id ?? [])),
  };
}

/** Returns the services that these accounts were notified of. */
export async function notifiedServices(queries: Queries, maintenance: number, accounts: readonly AccountId[]) {
  return queries
    .selectFrom('maintenance_services')
    .innerJoin('services', 'services.id', 'maintenance_services.service_id')
    .select(['services.id', 'maintenance_services.account_id', 'services.hostname'])
    .where('maintenance_id', '=', maintenance)
    .where('maintenance_services.account_id', 'in', accounts)
    .orderBy('services.id')
    .execute();
}

export async function notifiedServicesReplace(
  queries: Queries,
  maintenance_id: number,
  account_id: AccountId,
  services: readonly number[],
): Promise<void> {
  await deleteWhere(queries, 'maintenance_services', { maintenance_id, account_id }).execute();
  for (const batch of batches(services))
    await queries
      .insertInto('maintenance_services')
      .values(batch.map((service_id) => ({ maintenance_id, account_id, service_id })))
      .execute();
}

/** Returns the names that no such equipment has. */
export async function unknownNames(
  queries: Queries,
  table: 'nodes' | 'switches' | 'racks' | 'servers',
  names: readonly string[],
): Promise<string[]> {
  if (names.length === 0) return [];
  const rows = await queries.selectFrom(table).select('name').where('name', 'in', names).execute();
  const known = new Set(rows.map(({ name }) => name));
  return names.filter((name) => !known.has(name));
}
