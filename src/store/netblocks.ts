// The provider's blocks of addresses and what is assigned of them. Addresses are kept as text that sorts as they count: the
// family, then all their digits in hex, so that a block is a range on an index.
import type { GeneratedAlways, Selectable } from 'kysely';
import type { Queries } from './store.ts';
import type { AccountId } from './tables.ts';

export interface NetblockTable {
  id: GeneratedAlways<number>;
  cidr: string;
  first: string;
  last: string;
  /** Null for a block of the provider's own, out of which others are assigned; both or neither. */
  account_id: AccountId | null;
  service_id: number | null;
}
export type Netblock = Selectable<NetblockTable>;
export type NewNetblock = Omit<Netblock, 'id'>;

/** What is assigned to the account, or to one service of it, in the order of addresses. */
export async function netblockList(
  queries: Queries,
  account: AccountId,
  service: number | undefined,
): Promise<Netblock[]> {
  let query = queries.selectFrom('netblocks').selectAll().where('account_id', '=', account);
  if (service !== undefined) query = query.where('service_id', '=', service);
  return query.orderBy('first').execute();
}

/** The provider's own, out of which others are assigned. */
export async function providerNetblocks(queries: Queries): Promise<Netblock[]> {
  return queries.selectFrom('netblocks').selectAll().where('account_id', 'is', null).orderBy('first').execute();
}

export async function netblockAll(queries: Queries): Promise<Netblock[]> {
  return queries.selectFrom('netblocks').selectAll().orderBy('first').execute();
}

export async function netblockPut(queries: Queries, netblock: NewNetblock): Promise<void> {
  const { cidr, ...changing } = netblock;
  await queries
    .insertInto('netblocks')
    .values(netblock)
    .onConflict((conflict) => conflict.column('cidr').doUpdateSet(changing))
    .execute();
}

export async function netblockRemove(queries: Queries, id: number): Promise<void> {
  await queries.deleteFrom('netblocks').where('id', '=', id).execute();
}
