// Who held which block when. Rows are never deleted, so that an address can be traced to its account at any time.
import type { Selectable } from 'kysely';
import { firstsAround } from '#lib/address-ranges.ts';
import { prepared } from '../engine/prepared.ts';
import { preparedInsert } from '../engine/prepared-rows.ts';
import { rowsInBatches, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { NetblockHoldingTable } from './tables.ts';

export type NetblockHolding = Selectable<NetblockHoldingTable>;
type Held = Pick<NetblockHolding, 'cidr' | 'first' | 'last' | 'account_id' | 'service_id'>;

/** Records that this service holds the block from now on, and ends any other holding of it. */
export async function holdingBegin(queries: Queries, held: Held, now: number): Promise<void> {
  const current = selectWhere(queries, 'netblock_holdings', { cidr: held.cidr, held_until: null });
  const open = await current.select('service_id').executeTakeFirst();
  if (open?.service_id === held.service_id) return;
  if (open !== undefined) await holdingEnd(queries, held.cidr, now);
  const holding = { ...held, held_from: now, held_until: null };
  await queries.insertInto('netblock_holdings').values(holding).execute();
}

const insert = preparedInsert('netblock_holdings');
/** Makes the current holdings of these blocks match, as `holdingBegin` and `holdingEnd` do for one. */
export async function holdingsSync(
  queries: Queries,
  blocks: readonly (Pick<Held, 'cidr'> & Partial<Held>)[],
  now: number,
): Promise<void> {
  const open = selectWhere(queries, 'netblock_holdings', { held_until: null }).select(['cidr', 'service_id']);
  const holders = new Map((await open.execute()).map(({ cidr, service_id }) => [cidr, service_id]));
  const changed = blocks.filter(({ cidr, service_id }) => holders.get(cidr) !== service_id);
  for (const { cidr } of changed) if (holders.has(cidr)) await holdingEnd(queries, cidr, now);
  const begun = changed.filter((block): block is Held => block.service_id !== undefined);
  await insert(
    queries,
    begun.map((held) => ({ ...held, held_from: now, held_until: null })),
  );
}

export async function holdingEnd(queries: Queries, cidr: string, now: number): Promise<void> {
  await updateWhere(queries, 'netblock_holdings', { cidr, held_until: null }).set({ held_until: now }).execute();
}

/** Returns who held the address at this time. */
export async function holderAt(queries: Queries, address: string, at: number): Promise<NetblockHolding | undefined> {
  const [holder] = await holdersAt(queries, [{ address, at }]);
  return holder;
}

/** Returns blocks within the range that were returned after this time and are still in quarantine. */
export async function holdingsEndedSince(
  queries: Queries,
  range: { first: string; last: string },
  since: number,
): Promise<NetblockHolding[]> {
  return queries
    .selectFrom('netblock_holdings')
    .selectAll()
    .where('first', '<=', range.last)
    .where('last', '>=', range.first)
    .where('held_until', '>', since)
    .execute();
}

const ofAccount = prepared((queries: Queries, values: { account: AccountId; from: number; until: number }) =>
  selectWhere(queries, 'netblock_holdings', { account_id: values.account })
    .selectAll()
    .where('held_from', '<', values.until)
    .where((where) => where.or([where('held_until', 'is', null), where('held_until', '>', values.from)]))
    .orderBy('id'),
);
/** Returns what the account held at some time within the span. */
export async function holdingsOfAccount(
  queries: Queries,
  account: AccountId,
  from: number,
  until: number,
): Promise<NetblockHolding[]> {
  return ofAccount(queries, { account, from, until });
}

export interface HeldAddress {
  /** In sortable form. */
  readonly address: string;
  readonly at: number;
}

/** Returns the holders in the order of the addresses; undefined if nobody held one. */
export async function holdersAt(
  queries: Queries,
  addresses: readonly HeldAddress[],
): Promise<(NetblockHolding | undefined)[]> {
  const firstsOf = new Map(addresses.map(({ address }) => [address, firstsAround(address)]));
  const holdings = await rowsInBatches([...new Set([...firstsOf.values()].flat())], (firsts) =>
    queries.selectFrom('netblock_holdings').selectAll().where('first', 'in', firsts),
  );
  const byFirst = Map.groupBy(holdings, ({ first }) => first);
  return addresses.map(({ address, at }) =>
    firstsOf
      .get(address)!
      .flatMap((first) => byFirst.get(first) ?? [])
      .filter(({ last, held_from, held_until }) => last >= address && held_from <= at && (held_until ?? Infinity) > at)
      .reduce<NetblockHolding | undefined>(
        (newest, held) => (newest && newest.id > held.id ? newest : held),
        undefined,
      ),
  );
}
