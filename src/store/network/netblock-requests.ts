// What customers asked for of the pools.
import type { Generated, GeneratedAlways, Insertable, Selectable } from 'kysely';
import type { Queries } from '../store.ts';
import type { AccountId } from '../tables.ts';

export interface NetblockRequestTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  service_id: number;
  family: 'ipv4' | 'ipv6';
  prefix_length: number;
  status: NetblockRequestStatus;
  /** Empty where nothing was assigned. */
  cidr: string;
  created_at: number;
  /** Null where the pool's policy gave it at once, and while it waits for the operator. */
  decided_at: number | null;
  /** Why the operator refused it. */
  reason: Generated<string>;
}
export type NetblockRequestStatus = 'Assigned' | 'Pending' | 'Refused';
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
  /** Only those that were made before this one. */
  readonly before: number | undefined;
}
/** Of all accounts, newest first. */
export async function netblockRequestList(queries: Queries, filter: NetblockRequestFilter): Promise<NetblockRequest[]> {
  let query = queries.selectFrom('netblock_requests').selectAll();
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.before !== undefined) query = query.where('id', '<', filter.before);
  return query.orderBy('id', 'desc').limit(filter.limit).execute();
}

export async function netblockRequestFind(queries: Queries, id: number): Promise<NetblockRequest | undefined> {
  return queries.selectFrom('netblock_requests').selectAll().where('id', '=', id).executeTakeFirst();
}

/** False where somebody else decided first. */
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
