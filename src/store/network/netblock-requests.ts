// Customers' requests for addresses from the pools.
import type { Insertable, Selectable } from 'kysely';
import type { Queries } from '../store.ts';
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
  readonly status: NetblockRequestStatus | undefined;
  readonly limit: number;
  /** Only requests made before this one. */
  readonly before: number | undefined;
}
/** Returns requests of all accounts, newest first. */
export async function netblockRequestList(queries: Queries, filter: NetblockRequestFilter): Promise<NetblockRequest[]> {
  let query = queries.selectFrom('netblock_requests').selectAll();
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.before !== undefined) query = query.where('id', '<', filter.before);
  return query.orderBy('id', 'desc').limit(filter.limit).execute();
}

export async function netblockRequestFind(queries: Queries, id: number): Promise<NetblockRequest | undefined> {
  return queries.selectFrom('netblock_requests').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns false if it was decided already. */
export async function netblockRequestDecide(
  queries: Queries,
  id: number,
  decision: {
    readonly status: 'Assigned' | 'Refused';
    readonly cidr: string;
    readonly reason: string;
    readonly at: number;
  },
): Promise<boolean> {
  const { status, cidr, reason, at } = decision;
  const row = await queries
    .updateTable('netblock_requests')
    .set({ status, cidr, reason, decided_at: at })
    .where('id', '=', id)
    .where('status', '=', 'Pending')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
