// The provider's blocks of addresses and what is assigned of them. Addresses are kept as text that sorts as they count: the
// family, then all their digits in hex, so that a block is a range on an index.
import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import { ifChanged } from '../engine/if-changed.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../tables.ts';

export interface NetblockTable {
  id: GeneratedAlways<number>;
  cidr: string;
  first: string;
  last: string;
  /** Null for a block of the provider's own, out of which others are assigned; both or neither. */
  account_id: AccountId | null;
  service_id: number | null;
  /** Said by the site file, which then looks after it, or assigned on request. */
  origin: Generated<'site' | 'request'>;
  /** Of a block of the provider: whether customers get of it at once, or have to ask. Null where they get nothing. */
  pool: 'assign' | 'ask' | null;
  /** Of a block whose addresses share a wire: where everything else is reached. */
  gateway: string | null;
}
export type Netblock = Selectable<NetblockTable>;
export type NewNetblock = Omit<Netblock, 'id' | 'origin' | 'gateway'>;
/** Each piece of a block that was assigned on request, once only. */
export interface NetblockUnitTable {
  unit: string;
  netblock_id: number;
}

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

/** All that this address lies in, the smallest first. */
export async function netblocksAround(queries: Queries, address: string): Promise<Netblock[]> {
  return queries
    .selectFrom('netblocks')
    .selectAll()
    .where('first', '<=', address)
    .where('last', '>=', address)
    .orderBy('first', 'desc')
    .orderBy('last')
    .execute();
}

export async function allNetblocks(queries: Queries): Promise<Netblock[]> {
  return queries.selectFrom('netblocks').selectAll().execute();
}

/** The provider's own, out of which others are assigned. */
export async function providerNetblocks(queries: Queries): Promise<Netblock[]> {
  return queries.selectFrom('netblocks').selectAll().where('account_id', 'is', null).orderBy('first').execute();
}

/** What the site file looks after. */
export async function siteNetblocks(queries: Queries): Promise<Netblock[]> {
  return queries.selectFrom('netblocks').selectAll().where('origin', '=', 'site').orderBy('first').execute();
}

/** What customers got on request. */
export async function requestedNetblocks(queries: Queries): Promise<Netblock[]> {
  return queries.selectFrom('netblocks').selectAll().where('origin', '=', 'request').orderBy('first').execute();
}

/** Pools, locked until the transaction ends: of two requests at once, one looks after the other has taken. */
export async function poolsLock(queries: Queries): Promise<Netblock[]> {
  const listed = await queries
    .selectFrom('netblocks')
    .select('id')
    .where('pool', 'is not', null)
    .orderBy('first')
    .orderBy('id')
    .execute();
  const pools: Netblock[] = [];
  // One after the other, always in the same order: of two requests none holds what the other waits for.
  for (const { id } of listed) {
    const locked = queries.updateTable('netblocks').set((set) => ({ pool: set.ref('pool') }));
    const pool = await locked.where('id', '=', id).where('pool', 'is not', null).returningAll().executeTakeFirst();
    if (pool !== undefined) pools.push(pool);
  }
  return pools;
}

/** What of a block is assigned, or set aside as a block of its own. */
export async function netblocksWithin(
  queries: Queries,
  { id, first, last }: Pick<Netblock, 'id' | 'first' | 'last'>,
): Promise<Pick<Netblock, 'first' | 'last'>[]> {
  const touching = await queries
    .selectFrom('netblocks')
    .select(['first', 'last', 'account_id'])
    .where('id', '!=', id)
    .where('first', '<=', last)
    .where('last', '>=', first)
    .execute();
  return touching.filter((other) => other.account_id !== null || other.first > first || other.last < last);
}

/** `units` are refused by the database where one of them is taken. */
export async function netblockAssign(
  queries: Queries,
  netblock: Omit<NewNetblock, 'pool'>,
  units: readonly string[],
): Promise<void> {
  const { id } = await queries
    .insertInto('netblocks')
    .values({ ...netblock, origin: 'request', pool: null, gateway: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  await queries
    .insertInto('netblock_units')
    .values(units.map((unit) => ({ unit, netblock_id: id })))
    .execute();
}

/** What the site file says; it looks after the block from then on. */
export async function netblockPut(queries: Queries, netblock: Omit<Netblock, 'id' | 'origin'>): Promise<void> {
  const { cidr: _, ...said } = netblock;
  const changing = { ...said, origin: 'site' as const };
  await queries
    .insertInto('netblocks')
    .values({ ...netblock, origin: 'site' })
    .onConflict((conflict) => conflict.column('cidr').doUpdateSet(changing).where(ifChanged('netblocks', changing)))
    .execute();
}

export async function netblockRemove(queries: Queries, id: number): Promise<void> {
  await queries.deleteFrom('netblocks').where('id', '=', id).execute();
}
