// Customers' requests for addresses from the pools.
import type { Insertable, Selectable } from 'kysely';
import { pickDefined } from '#lib/defined.ts';
import { affectsRows, planIfOfAll, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { NetblockRequestStatus, NetblockRequestTable } from './tables.ts';

export type NetblockRequest = Selectable<NetblockRequestTable>;

export async function netblockRequestInsert(
  queries: Queries,
  request: Insertable<NetblockRequestTable>,
): Promise<number> {
  const row = await queries.insertInto('netblock_requests').values(request).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

export interface NetblockRequestFilter {
  readonly account: AccountId | undefined;
  readonly status: NetblockRequestStatus | undefined;
  readonly limit: number;
  /** Only requests made before this one. */
  readonly before: number | undefined;
}
/** Returns requests of all accounts, newest first. */
export async function netblockRequestList(queries: Queries, filter: NetblockRequestFilter): Promise<NetblockRequest[]> {
  const match = pickDefined({ account_id: filter.account, status: filter.status });
  let query = selectWhere(queries, 'netblock_requests', match).selectAll();
  if (filter.before !== undefined) query = query.where('id', '<', filter.before);
  return planIfOfAll(query.orderBy('id', 'desc').limit(filter.limit), filter.account).execute();
}

export async function netblockRequestFind(queries: Queries, id: number): Promise<NetblockRequest | undefined> {
  return queries.selectFrom('netblock_requests').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns false if it was decided already. */
export async function netblockRequestDecide(
  queries: Queries,
  id: number,
  decision: Pick<NetblockRequest, 'status' | 'cidr' | 'reason' | 'decided_at'>,
): Promise<boolean> {
  const pending = updateWhere(queries, 'netblock_requests', { id, status: 'Pending' });
  return affectsRows(pending.set(decision).returning('id'));
}

/** Returns the newest requests of a service. */
export async function netblockRequestsOf(
  queries: Queries,
  account: AccountId,
  service: number,
  limit: number,
): Promise<NetblockRequest[]> {
  const ofService = selectWhere(queries, 'netblock_requests', { account_id: account, service_id: service });
  return ofService.selectAll().orderBy('id', 'desc').limit(limit).execute();
}

export async function netblockRequestsPending(
  queries: Queries,
  account: AccountId,
  service: number,
): Promise<NetblockRequest[]> {
  const pending = { account_id: account, service_id: service, status: 'Pending' } as const;
  return selectWhere(queries, 'netblock_requests', pending).selectAll().execute();
}
