// What customers asked for of the pools.
import type { GeneratedAlways, Insertable } from 'kysely';
import type { Queries } from './store.ts';
import type { AccountId } from './tables.ts';

export interface NetblockRequestTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  service_id: number;
  family: 'ipv4' | 'ipv6';
  prefix_length: number;
  status: 'Assigned' | 'Pending';
  /** Empty while it waits for the operator. */
  cidr: string;
  created_at: number;
}

export async function netblockRequestInsert(
  queries: Queries,
  request: Insertable<NetblockRequestTable>,
): Promise<number> {
  const row = await queries.insertInto('netblock_requests').values(request).returning('id').executeTakeFirstOrThrow();
  return row.id;
}
