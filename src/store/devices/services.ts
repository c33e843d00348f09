// Customers' services: dedicated servers, virtual private servers and cloud machines.
import type { Insertable, Selectable } from 'kysely';
import { Type } from 'typebox';
import { sortableAddress, type AddressRange } from '#lib/address-ranges.ts';
import { parseAddress } from '#lib/addresses.ts';
import { affectsRows, batches, selectWhere, updateWhere } from '../engine/rows.ts';
import { prepared, preparedRow } from '../engine/prepared.ts';
import { preparedPut } from '../engine/prepared-rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import { jsonColumn } from '../json-column.ts';
import type { ServiceStatus, ServiceTable, ServiceType } from './tables.ts';

export type Service = Selectable<ServiceTable>;
export type NewService = Insertable<ServiceTable>;
export const serviceLabels = jsonColumn('services.labels', Type.Array(Type.String()));

const find = preparedRow((queries: Queries, values: { account: AccountId; id: number }) =>
  queries.selectFrom('services').selectAll().where('account_id', '=', values.account).where('id', '=', values.id),
);
export function serviceFind(queries: Queries, account: AccountId, id: number): Promise<Service | undefined> {
  return find(queries, { account, id });
}

/** Creates or updates services from the site file, except their host names, which belong to the customers. */
export const servicesPut = preparedPut('services', ['id'], ['created_at', 'hostname']);

const ofAccount = prepared((queries: Queries, values: { account: AccountId }) =>
  queries.selectFrom('services').selectAll().where('account_id', '=', values.account).orderBy('id'),
);
export async function serviceList(
  queries: Queries,
  account: AccountId,
  type: ServiceType | undefined,
): Promise<Service[]> {
  const services = await ofAccount(queries, { account });
  return type === undefined ? services : services.filter((service) => service.type === type);
}

/** Returns the services of all accounts that are terminated or whose account is closed. */
export async function servicesGone(queries: Queries): Promise<Set<number>> {
  const rows = await queries
    .selectFrom('services')
    .innerJoin('accounts', 'accounts.id', 'services.account_id')
    .select('services.id')
    .where((where) => where.or([where('services.status', '=', 'Terminated'), where('accounts.status', '=', 'Closed')]))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Finds the caller's service by the name of its server. */
export async function serviceFindByServer(
  queries: Queries,
  account: AccountId,
  server: string,
): Promise<Service | undefined> {
  return selectWhere(queries, 'services', { account_id: account, server }).selectAll().executeTakeFirst();
}

/** Finds the caller's service by its server's name in the legacy API. */
export async function serviceFindByLegacyServer(
  queries: Queries,
  account: AccountId,
  server: string,
): Promise<Service | undefined> {
  const named = queries.selectFrom('servers').select('name').where('alias', '=', server);
  return selectWhere(queries, 'services', { account_id: account })
    .where('server', '=', (where) => where.fn.coalesce(named, where.val(server)))
    .selectAll()
    .executeTakeFirst();
}

/** Returns which server each service has, for the provider's own work. */
export async function serviceHolders(queries: Queries): Promise<Pick<Service, 'id' | 'status' | 'server'>[]> {
  return queries.selectFrom('services').select(['id', 'status', 'server']).execute();
}

/** Returns the service of a server, for what the provider itself observes. */
export async function serviceOfServer(queries: Queries, server: string): Promise<Service | undefined> {
  return queries.selectFrom('services').selectAll().where('server', '=', server).executeTakeFirst();
}

/** Returns the services that have these servers, by server. */
export async function servicesOfServers(
  queries: Queries,
  servers: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (servers.length === 0) return new Map();
  const rows = await queries.selectFrom('services').select(['id', 'server']).where('server', 'in', servers).execute();
  return new Map(rows.map(({ id, server }) => [server!, id]));
}

/** Returns false if it has this name already. */
export async function serviceRename(
  queries: Queries,
  account: AccountId,
  id: number,
  hostname: string,
): Promise<boolean> {
  const renamed = updateWhere(queries, 'services', { account_id: account, id }).where('hostname', '<>', hostname);
  return affectsRows(renamed.set({ hostname }).returning('id'));
}

/** Locks the service on PostgreSQL, so that two changes of its labels do not lose one of them. */
export async function serviceLabelsLock(queries: Queries, account: AccountId, id: number): Promise<string[]> {
  const row = await updateWhere(queries, 'services', { account_id: account, id })
    .set((set) => ({ labels: set.ref('labels') }))
    .returning('labels')
    .executeTakeFirstOrThrow();
  return serviceLabels.decode(row.labels);
}

export async function serviceLabelsSet(
  queries: Queries,
  account: AccountId,
  id: number,
  labels: readonly string[],
): Promise<void> {
  await updateWhere(queries, 'services', { account_id: account, id })
    .set({ labels: serviceLabels.encode(labels) })
    .execute();
}

/** Records which system was installed, or that it is not known since the service got another server. */
export async function serviceInstalledSet(
  queries: Queries,
  id: number,
  installed: Partial<Pick<Service, 'system' | 'installed_at'>>,
): Promise<void> {
  await updateWhere(queries, 'services', { id }).set(installed).execute();
}

/** Finds the caller's vps or cloud service by its machine. */
export async function serviceFindByVmid(
  queries: Queries,
  account: AccountId,
  vmid: number,
): Promise<Service | undefined> {
  return selectWhere(queries, 'services', { account_id: account, vmid }).selectAll().executeTakeFirst();
}

/** For the provider's own work. */
export async function serviceLoad(queries: Queries, id: number): Promise<Service | undefined> {
  return queries.selectFrom('services').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Marks the service active, once its device exists. */
export async function serviceActivate(queries: Queries, id: number): Promise<void> {
  await updateWhere(queries, 'services', { id, status: 'Pending' }).set({ status: 'Active' }).execute();
}

/** Marks active services pending whose machines do not exist yet. */
export async function servicesAwaitMachines(queries: Queries): Promise<void> {
  const waiting = await selectWhere(queries, 'services', { status: 'Active' })
    .innerJoin('machines', 'machines.service_id', 'services.id')
    .select('services.id')
    .where('machines.state', '=', 'pending')
    .execute();
  for (const batch of batches(waiting.map(({ id }) => id)))
    await queries.updateTable('services').set({ status: 'Pending' }).where('id', 'in', batch).execute();
}

/** Marks the service pending, until its device exists. */
export async function serviceAwait(queries: Queries, id: number): Promise<void> {
  await updateWhere(queries, 'services', { id, status: 'Active' }).set({ status: 'Pending' }).execute();
}

/** Returns false if it had another status. */
export async function serviceStatusSet(
  queries: Queries,
  account: AccountId,
  id: number,
  change: { readonly from: ServiceStatus; readonly to: ServiceStatus },
): Promise<boolean> {
  const unchanged = updateWhere(queries, 'services', { account_id: account, id, status: change.from });
  return affectsRows(unchanged.set({ status: change.to }).returning('id'));
}

/** Returns what each service runs on: the name of its server, or the number of its virtual machine. */
export async function devicesOf(queries: Queries, services: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (services.length === 0) return new Map();
  const devices = queries.selectFrom('services').select(['id', 'server', 'vmid']).where('id', 'in', services);
  return new Map((await devices.execute()).map(({ id, server, vmid }) => [id, server ?? String(vmid ?? '')]));
}

/** Returns true if a service has its main address in the range. Reads all services: for rare work of staff. */
export async function hasMainAddress(queries: Queries, range: AddressRange): Promise<boolean> {
  const rows = await queries.selectFrom('services').select('ip').where('status', '!=', 'Terminated').execute();
  return rows.some(({ ip }) => {
    const address = parseAddress(ip);
    const main = address && sortableAddress(address);
    return main !== undefined && range.first <= main && main <= range.last;
  });
}
