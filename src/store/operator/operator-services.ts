// Services as the provider's staff look for them, begin them and end them, over all accounts.
import { sql } from 'kysely';
import { containing } from '../engine/search.ts';
import type { Service } from '../devices/services.ts';
import type { Queries } from '../store.ts';
import type { AccountId, ServiceStatus, ServiceType } from '../tables.ts';

export interface ServiceSearch {
  readonly account: number | undefined;
  readonly type: ServiceType | undefined;
  readonly status: ServiceStatus | undefined;
  readonly search: string | undefined;
  readonly limit: number;
  readonly after: number;
}

/** In the order of their numbers. */
export async function serviceSearch(queries: Queries, filter: ServiceSearch): Promise<Service[]> {
  let query = queries.selectFrom('services').selectAll().where('id', '>', filter.after);
  if (filter.account !== undefined) query = query.where('account_id', '=', filter.account as AccountId);
  if (filter.type !== undefined) query = query.where('type', '=', filter.type);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  const { search } = filter;
  if (search !== undefined) {
    const id = /^[0-9]{1,15}$/.test(search) ? Number(search) : -1;
    const texts = ['name', 'hostname', 'ip', 'server'].map((column) => containing(sql.ref(column), search));
    query = query.where((where) => where.or([where('id', '=', id), where('vmid', '=', id), ...texts]));
  }
  return query.orderBy('id').limit(filter.limit).execute();
}

/** Under the number after the largest, a machine's likewise; where somebody else has just taken that, under the next. */
export async function serviceInsert(queries: Queries, service: Omit<Service, 'id' | 'vmid'>): Promise<Service> {
  for (;;) {
    const largest = await queries
      .selectFrom('services')
      .select((select) => [select.fn.max('id').as('id'), select.fn.max('vmid').as('vmid')])
      .executeTakeFirstOrThrow();
    const inserted = await queries
      .insertInto('services')
      .values({
        ...service,
        id: Math.max(firstService, Number(largest.id) + 1),
        vmid: service.type === 'dedicated' ? null : Math.max(firstMachine, Number(largest.vmid) + 1),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (inserted !== undefined) return inserted;
  }
}
const firstService = 1001;
const firstMachine = 101;

export async function serviceAddressSet(queries: Queries, id: number, ip: string): Promise<void> {
  await queries.updateTable('services').set({ ip }).where('id', '=', id).execute();
}

/** The service, which nobody else changes until the transaction ends. */
export async function serviceHold(queries: Queries, id: number): Promise<Service | undefined> {
  return queries
    .updateTable('services')
    .set((set) => ({ status: set.ref('status') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** Over for good: its server is free for another. False where it was over before. */
export async function serviceTerminate(queries: Queries, id: number): Promise<boolean> {
  const row = await queries
    .updateTable('services')
    .set({ status: 'Terminated', server: null })
    .where('id', '=', id)
    .where('status', '<>', 'Terminated')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Names of the workflows that have not ended for a service. */
export async function workUnderWay(queries: Queries, service: number): Promise<string[]> {
  const rows = await queries
    .selectFrom('workflows')
    .select('name')
    .where('service_id', '=', service)
    .where('ended_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(({ name }) => name);
}
