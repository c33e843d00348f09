// Who held which block when. Rows are never deleted, so that an address can be traced to its account at any time.
import type { Selectable } from 'kysely';
import { prepared } from '../engine/prepared.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { NetblockHoldingTable } from './tables.ts';

export type NetblockHolding = Selectable<NetblockHoldingTable>;
type Held = Pick<NetblockHolding, 'cidr' | 'first' | 'last' | 'account_id' | 'service_id'>;

/** Records that this service holds the block from now on, and ends any other holding of it. */
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

/** Returns who held the address at this time. */
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
  queries
    .selectFrom('netblock_holdings')
    .selectAll()
    .where('account_id', '=', values.account)
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
