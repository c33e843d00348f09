// Null routes: which ones should exist, and which the router was last seen to have. A row is active until it is
// removed, and kept until the router no longer has the route.
import type { Selectable } from 'kysely';
import { prepared } from '../engine/prepared.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { NullrouteTable } from './tables.ts';

export type Nullroute = Selectable<NullrouteTable>;
export type NewNullroute = Omit<Nullroute, 'id' | 'announced_at' | 'removed_at' | 'withdrawn_at'>;

const open = prepared((queries: Queries, values: { address: string }) =>
  queries.selectFrom('nullroutes').selectAll().where('address', '=', values.address).where('removed_at', 'is', null),
);
/** Returns the active null route of the address. */
export async function nullrouteOpen(queries: Queries, address: string): Promise<Nullroute | undefined> {
  return (await open(queries, { address }))[0];
}

export async function nullroutesInsert(queries: Queries, nullroutes: readonly NewNullroute[]): Promise<Nullroute[]> {
  if (nullroutes.length === 0) return [];
  const unseen = { announced_at: null, removed_at: null, withdrawn_at: null };
  return queries
    .insertInto('nullroutes')
    .values(nullroutes.map((nullroute) => ({ ...nullroute, ...unseen })))
    .returningAll()
    .execute();
}

/** Returns false if it was removed already. */
export async function nullrouteRemove(queries: Queries, id: number, now: number): Promise<boolean> {
  const removed = await queries
    .updateTable('nullroutes')
    .set({ removed_at: now })
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return removed !== undefined;
}

/** Returns the active null routes of these addresses. */
export async function nullroutesOpen(queries: Queries, addresses: readonly string[]): Promise<Nullroute[]> {
  return queries
    .selectFrom('nullroutes')
    .selectAll()
    .where('address', 'in', addresses)
    .where('removed_at', 'is', null)
    .execute();
}

export async function nullroutesActiveCount(queries: Queries): Promise<number> {
  const row = await queries
    .selectFrom('nullroutes')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Returns how often each address was null-routed after this time. */
export async function nullroutesSince(
  queries: Queries,
  addresses: readonly string[],
  since: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await queries
    .selectFrom('nullroutes')
    .select(['address', (select) => select.fn.countAll<number>().as('count')])
    .where('address', 'in', addresses)
    .where('created_at', '>', since)
    .groupBy('address')
    .execute();
  return new Map(rows.map(({ address, count }) => [address, Number(count)]));
}

export async function nullroutesOfService(
  queries: Queries,
  account: AccountId,
  service: number,
  limit: number,
): Promise<Nullroute[]> {
  return queries
    .selectFrom('nullroutes')
    .selectAll()
    .where('service_id', '=', service)
    .where('account_id', '=', account)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export async function nullroutesOfAttacks(queries: Queries, attacks: readonly number[]): Promise<Nullroute[]> {
  if (attacks.length === 0) return [];
  return queries.selectFrom('nullroutes').selectAll().where('attack_id', 'in', attacks).orderBy('id').execute();
}

/** Returns null routes that are active, or that the router may still have. */
export async function nullroutesLive(queries: Queries): Promise<Nullroute[]> {
  return queries.selectFrom('nullroutes').selectAll().where('withdrawn_at', 'is', null).orderBy('id').execute();
}

/** Returns the live null routes of all addresses for which the router is not up to date. */
export async function nullroutesOutOfSync(queries: Queries): Promise<Nullroute[]> {
  return queries
    .selectFrom('nullroutes')
    .selectAll()
    .where('withdrawn_at', 'is', null)
    .where('address', 'in', (select) =>
      select
        .selectFrom('nullroutes')
        .select('address')
        .where('withdrawn_at', 'is', null)
        .where((where) => where.or([where('announced_at', 'is', null), where('removed_at', 'is not', null)])),
    )
    .orderBy('id')
    .execute();
}

/** Returns null routes to end: they have expired, or the address no longer belongs to the service. */
export async function nullroutesToEnd(queries: Queries, now: number): Promise<Nullroute[]> {
  return queries
    .selectFrom('nullroutes')
    .selectAll()
    .where('removed_at', 'is', null)
    .where((where) =>
      where.or([
        where('ends_at', '<=', now),
        where.not(
          where.exists(
            where
              .selectFrom('netblocks')
              .select('netblocks.id')
              .whereRef('netblocks.first', '<=', 'nullroutes.address')
              .whereRef('netblocks.last', '>=', 'nullroutes.address')
              .whereRef('netblocks.service_id', '=', 'nullroutes.service_id'),
          ),
        ),
      ]),
    )
    .execute();
}

export async function nullroutesMarkAnnounced(queries: Queries, ids: readonly number[], now: number): Promise<void> {
  await mark(queries, ids, { announced_at: now });
}

export async function nullroutesMarkWithdrawn(queries: Queries, ids: readonly number[], now: number): Promise<void> {
  await mark(queries, ids, { withdrawn_at: now });
}

const idsAtOnce = 500;
type Seen = { readonly announced_at: number } | { readonly withdrawn_at: number };
async function mark(queries: Queries, ids: readonly number[], seen: Seen): Promise<void> {
  const [column] = Object.keys(seen) as ('announced_at' | 'withdrawn_at')[];
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    await queries
      .updateTable('nullroutes')
      .set(seen)
      .where('id', 'in', ids.slice(at, at + idsAtOnce))
      .where(column!, 'is', null)
      .execute();
  }
}
