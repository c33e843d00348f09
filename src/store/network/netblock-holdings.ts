// Who held which block when. Nothing here is ever removed: an address leads to the account that had it at any time.
import type { GeneratedAlways, Selectable } from 'kysely';
import { prepared } from '../engine/prepared.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../tables.ts';

export interface NetblockHoldingTable {
  id: GeneratedAlways<number>;
  cidr: string;
  first: string;
  last: string;
  account_id: AccountId;
  service_id: number;
  held_from: number;
  held_until: number | null;
}
export type NetblockHolding = Selectable<NetblockHoldingTable>;
type Held = Pick<NetblockHolding, 'cidr' | 'first' | 'last' | 'account_id' | 'service_id'>;

/** Makes the record say that this service holds the block from now on; another's holding of it ends. */
export async function holdingBegin(queries: Queries, held: Held, now: number): Promise<void> {
  const open = await queries
    .selectFrom('netblock_holdings')
    .select(['service_id'])
    .where('cidr', '=', held.cidr)
    .where('held_until', 'is', null)
    .executeTakeFirst();
  if (open?.service_id === held.service_id) return;
  if (open !== undefined) await holdingEnd(queries, held.cidr, now);
  await queries
    .insertInto('netblock_holdings')
    .values({ ...held, held_from: now, held_until: null })
    .execute();
}

export async function holdingEnd(queries: Queries, cidr: string, now: number): Promise<void> {
  await queries
    .updateTable('netblock_holdings')
    .set({ held_until: now })
    .where('cidr', '=', cidr)
    .where('held_until', 'is', null)
    .execute();
}

/** Whoever held the address at that moment. */
export async function holderAt(queries: Queries, address: string, at: number): Promise<NetblockHolding | undefined> {
  return queries
    .selectFrom('netblock_holdings')
    .selectAll()
    .where('first', '<=', address)
    .where('last', '>=', address)
    .where('held_from', '<=', at)
    .where((where) => where.or([where('held_until', 'is', null), where('held_until', '>', at)]))
    .orderBy('id', 'desc')
    .executeTakeFirst();
}

/** Blocks within the range that were given back after that moment: they rest. */
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
  queries
    .selectFrom('netblock_holdings')
    .selectAll()
    .where('account_id', '=', values.account)
    .where('held_from', '<', values.until)
    .where((where) => where.or([where('held_until', 'is', null), where('held_until', '>', values.from)]))
    .orderBy('id'),
);
/** What the account held at some time within the span. */
export async function holdingsOfAccount(
  queries: Queries,
  account: AccountId,
  from: number,
  until: number,
): Promise<NetblockHolding[]> {
  return ofAccount(queries, { account, from, until });
}
