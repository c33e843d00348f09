// Customers' services: dedicated servers, virtual private servers and cloud machines.
import type { Selectable } from 'kysely';
import { ifChanged } from '../engine/if-changed.ts';
import { prepared } from '../engine/prepared.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { ServiceStatus, ServiceTable, ServiceType } from './tables.ts';

export type Service = Selectable<ServiceTable>;

const find = prepared((queries: Queries, values: { account: AccountId; id: number }) =>
  queries.selectFrom('services').selectAll().where('account_id', '=', values.account).where('id', '=', values.id),
);
export async function serviceFind(queries: Queries, account: AccountId, id: number): Promise<Service | undefined> {
  return (await find(queries, { account, id }))[0];
}

/** Creates or updates the service from the site file, except its host name, which belongs to the customer. */
export async function servicePut(queries: Queries, service: Service): Promise<void> {
  const { id, created_at, hostname, ...changing } = service;
  await queries
    .insertInto('services')
    .values({ id, created_at, hostname, ...changing })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changing).where(ifChanged('services', changing)))
    .execute();
}

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
  return queries
    .selectFrom('services')
    .selectAll()
    .where('account_id', '=', account)
    .where('server', '=', server)
    .executeTakeFirst();
}

/** Returns the service of a server, for what the provider itself observes. */
export async function serviceOfServer(queries: Queries, server: string): Promise<Service | undefined> {
  return queries.selectFrom('services').selectAll().where('server', '=', server).executeTakeFirst();
}

export async function serviceRename(queries: Queries, account: AccountId, id: number, hostname: string): Promise<void> {
  await queries
    .updateTable('services')
    .set({ hostname })
    .where('account_id', '=', account)
    .where('id', '=', id)
    .execute();
}

/** Finds the caller's vps or cloud service by its machine. */
export async function serviceFindByVmid(
  queries: Queries,
  account: AccountId,
  vmid: number,
): Promise<Service | undefined> {
  return queries
    .selectFrom('services')
    .selectAll()
    .where('account_id', '=', account)
    .where('vmid', '=', vmid)
    .executeTakeFirst();
}

/** For the provider's own work. */
export async function serviceLoad(queries: Queries, id: number): Promise<Service | undefined> {
  return queries.selectFrom('services').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Marks the service active, once its device exists. */
export async function serviceActivate(queries: Queries, id: number): Promise<void> {
  await queries
    .updateTable('services')
    .set({ status: 'Active' })
    .where('id', '=', id)
    .where('status', '=', 'Pending')
    .execute();
}

/** Marks the service pending, until its device exists. */
export async function serviceAwait(queries: Queries, id: number): Promise<void> {
  await queries
    .updateTable('services')
    .set({ status: 'Pending' })
    .where('id', '=', id)
    .where('status', '=', 'Active')
    .execute();
}

/** Returns false if it had another status. */
export async function serviceStatusSet(
  queries: Queries,
  account: AccountId,
  id: number,
  change: { readonly from: ServiceStatus; readonly to: ServiceStatus },
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('services')
    .set({ status: change.to })
    .where('account_id', '=', account)
    .where('id', '=', id)
    .where('status', '=', change.from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
