// Services as operators search for, provision and terminate them, over all accounts.
import { pickDefined } from '#lib/defined.ts';
import { mergeById, searchRows } from '../engine/search.ts';
import type { NewService, Service } from '../devices/services.ts';
import { affectsRows, insertNew, planIfOfAll, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { ServiceStatus, ServiceType } from '../devices/tables.ts';

export interface ServiceSearch {
  readonly account: number | undefined;
  readonly type: ServiceType | undefined;
  readonly status: ServiceStatus | undefined;
  readonly search: string | undefined;
  readonly limit: number;
  readonly after: number;
}

/** Ordered by id. */
export async function serviceSearch(queries: Queries, filter: ServiceSearch): Promise<Service[]> {
  const { account, type, status, search, after, limit } = filter;
  const match = pickDefined({ account_id: account as AccountId | undefined, type, status });
  const page = selectWhere(queries, 'services', match).selectAll().where('id', '>', after).orderBy('id').limit(limit);
  if (search === undefined) return planIfOfAll(page, account).execute();
  const id = /^[0-9]{1,15}$/.test(search) ? Number(search) : -1;
  const named = queries.selectFrom('servers').select('name').where('alias', '=', search.toLowerCase());
  const numbered = page.where((where) =>
    where.or([where('id', '=', id), where('vmid', '=', id), where('server', '=', named)]),
  );
  const containing = await searchRows(queries, 'services', { text: search, match, after, limit });
  return mergeById([await numbered.execute(), containing], limit);
}

/**
 * Uses the id after the largest one (and likewise for a machine's vmid), or the next if another process has just taken
 * that.
 */
export async function serviceInsert(queries: Queries, service: Omit<NewService, 'id' | 'vmid'>): Promise<Service> {
  for (;;) {
    // Two queries: a database finds only one maximum at a time by an index.
    const largest = {
      id: (await selectMax(queries, 'id')).largest,
      vmid: (await selectMax(queries, 'vmid')).largest,
    };
    const inserted = await insertNew(queries, 'services', {
      ...service,
      id: Math.max(firstService, Number(largest.id) + 1),
      vmid: service.type === 'dedicated' ? null : Math.max(firstMachine, Number(largest.vmid) + 1),
    })
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

/** Returns the service and locks it until the transaction ends. */
export async function serviceLock(queries: Queries, id: number): Promise<Service | undefined> {
  return updateWhere(queries, 'services', { id })
    .set((set) => ({ status: set.ref('status') }))
    .returningAll()
    .executeTakeFirst();
}

/** Terminates the service, which frees its server. Returns false if it was terminated already. */
export async function serviceTerminate(queries: Queries, id: number): Promise<boolean> {
  return affectsRows(
    updateWhere(queries, 'services', { id })
      .set({ status: 'Terminated', server: null })
      .where('status', '<>', 'Terminated')
      .returning('id'),
  );
}

export async function runningWorkflowNames(queries: Queries, service: number): Promise<string[]> {
  const running = selectWhere(queries, 'workflows', { service_id: service, ended_at: null }).select('name');
  return (await running.orderBy('id').execute()).map(({ name }) => name);
}

function selectMax(queries: Queries, column: 'id' | 'vmid'): Promise<{ largest: number | null }> {
  return queries
    .selectFrom('services')
    .select((select) => select.fn.max(column).as('largest'))
    .executeTakeFirstOrThrow();
}
