// The provider's address blocks and their assignments. Addresses are stored as text that sorts in address order (the
// family, then all digits in hex), so that a block is a range of an index.
import type { Insertable, Selectable } from 'kysely';
import { firstsAround } from '#lib/address-ranges.ts';
import { preparedPut } from '../engine/prepared-rows.ts';
import { affectsRows, rowsInBatches, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { NetblockTable } from './tables.ts';

export type Netblock = Selectable<NetblockTable>;
export type NewNetblock = Omit<Netblock, 'id' | 'origin' | 'gateway' | 'delivery'>;

/** Returns what is assigned to the account, or to one service of it, in address order. */
export async function netblockList(
  queries: Queries,
  account: AccountId,
  service: number | undefined,
): Promise<Netblock[]> {
  const match = { account_id: account, ...(service === undefined ? {} : { service_id: service }) };
  return selectWhere(queries, 'netblocks', match).selectAll().orderBy('first').execute();
}

/** Returns the blocks of these services, in address order. */
export async function netblocksOfServices(queries: Queries, services: readonly number[]): Promise<Netblock[]> {
  if (services.length === 0) return [];
  return queries.selectFrom('netblocks').selectAll().where('service_id', 'in', services).orderBy('first').execute();
}

/** Returns all blocks that contain this address, smallest first. */
export async function netblocksAround(queries: Queries, address: string): Promise<Netblock[]> {
  return queries
    .selectFrom('netblocks')
    .selectAll()
    .where('first', 'in', firstsAround(address))
    .where('last', '>=', address)
    .orderBy('first', 'desc')
    .orderBy('last')
    .execute();
}

export async function allNetblocks(queries: Queries): Promise<Netblock[]> {
  return queries.selectFrom('netblocks').selectAll().execute();
}

/** Returns the blocks after this one in address order, each before those inside it. */
export async function netblockPage(
  queries: Queries,
  after: Pick<Netblock, 'first' | 'last'> | undefined,
  limit: number,
): Promise<Netblock[]> {
  const page = queries.selectFrom('netblocks').selectAll().orderBy('first').orderBy('last', 'desc').limit(limit);
  if (after === undefined) return page.execute();
  // Two queries, because a database would read all blocks for both conditions at once.
  const inside = await page.where('first', '=', after.first).where('last', '<', after.last).execute();
  const following = page.where('first', '>', after.first).limit(limit - inside.length);
  return inside.length === limit ? inside : [...inside, ...(await following.execute())];
}

/** Returns the blocks that begin within the range. */
export async function netblocksFrom(queries: Queries, { first, last }: Pick<Netblock, 'first' | 'last'>) {
  return queries.selectFrom('netblocks').selectAll().where('first', '>=', first).where('first', '<=', last).execute();
}

/** Returns the blocks for which the site file says how addresses are delivered. */
export async function deliveryNetblocks(queries: Queries): Promise<Netblock[]> {
  return queries.selectFrom('netblocks').selectAll().where('delivery', 'is not', null).execute();
}

/** Returns the provider's own blocks, from which others are assigned. */
export async function providerNetblocks(queries: Queries): Promise<Netblock[]> {
  return queries.selectFrom('netblocks').selectAll().where('account_id', 'is', null).orderBy('first').execute();
}

/** Returns those of the provider's own blocks that contain one of these addresses, in address order. */
export async function providerNetblocksAround(queries: Queries, addresses: readonly string[]): Promise<Netblock[]> {
  const firsts = new Set(addresses.flatMap(firstsAround));
  const ofProvider = selectWhere(queries, 'netblocks', { account_id: null }).selectAll().orderBy('first');
  const blocks = await rowsInBatches([...firsts].toSorted(), (batch) => ofProvider.where('first', 'in', batch));
  return blocks.filter(({ first, last }) => addresses.some((address) => first <= address && address <= last));
}

/** Returns the blocks that the site file manages. */
export async function siteNetblocks(queries: Queries): Promise<Netblock[]> {
  return queries.selectFrom('netblocks').selectAll().where('origin', '=', 'site').orderBy('first').execute();
}

/** Returns the blocks that customers got on request. */
export async function requestedNetblocks(queries: Queries): Promise<Netblock[]> {
  return queries.selectFrom('netblocks').selectAll().where('origin', '=', 'request').orderBy('first').execute();
}

/**
 * Returns the pools, locked until the transaction ends, so that of two concurrent requests the second sees what the
 * first took.
 */
export async function poolsLock(queries: Queries): Promise<Netblock[]> {
  const listed = queries.selectFrom('netblocks').select('id').where('pool', 'is not', null);
  const pools: Netblock[] = [];
  // Locked one by one, always in the same order, so that no two requests wait for each other.
  for (const { id } of await listed.orderBy('first').orderBy('id').execute()) {
    const locking = updateWhere(queries, 'netblocks', { id }).set((set) => ({ pool: set.ref('pool') }));
    const pool = await locking.where('pool', 'is not', null).returningAll().executeTakeFirst();
    if (pool !== undefined) pools.push(pool);
  }
  return pools;
}

/** Keeps the account's block from being taken back until the transaction ends. Returns false if it has been. */
export async function netblockLock(
  queries: Queries,
  { id, account_id }: Pick<Netblock, 'id' | 'account_id'>,
): Promise<boolean> {
  const locking = updateWhere(queries, 'netblocks', { id, account_id }).set((set) => ({ pool: set.ref('pool') }));
  return affectsRows(locking.returning('id'));
}

/** Returns what is assigned of a block, or set aside as a separate block. */
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

/** The database rejects `units` that are taken. */
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
  const rows = units.map((unit) => ({ unit, netblock_id: id }));
  await queries.insertInto('netblock_units').values(rows).execute();
}

const put = preparedPut('netblocks', ['cidr']);
/** Creates or updates the blocks from the site file, which manages them from then on. */
export async function netblocksPut(
  queries: Queries,
  netblocks: readonly Omit<Insertable<NetblockTable>, 'origin'>[],
): Promise<void> {
  await put(
    queries,
    netblocks.map((netblock) => ({ ...netblock, origin: 'site' as const })),
  );
}

export async function netblockFind(queries: Queries, cidr: string): Promise<Netblock | undefined> {
  return selectWhere(queries, 'netblocks', { cidr }).selectAll().executeTakeFirst();
}

export async function netblockRemove(queries: Queries, id: number): Promise<void> {
  await queries.deleteFrom('netblocks').where('id', '=', id).execute();
}
