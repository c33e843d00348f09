// Null-routes: what is wanted, and what the router was last seen to have. A row is wanted until it is removed, and lives until
// the router no longer has it.
import type { GeneratedAlways, Selectable } from 'kysely';
import { prepared } from '../engine/prepared.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../tables.ts';

export interface NullrouteTable {
  id: GeneratedAlways<number>;
  /** Text that sorts as addresses count. */
  address: string;
  account_id: AccountId;
  service_id: number;
  attack_id: number | null;
  origin: 'customer' | 'policy' | 'operator';
  reason: string;
  created_at: number;
  /** When it ends by itself; null: when it is removed. */
  ends_at: number | null;
  announced_at: number | null;
  removed_at: number | null;
  withdrawn_at: number | null;
}
export type Nullroute = Selectable<NullrouteTable>;
export type NewNullroute = Omit<Nullroute, 'id' | 'announced_at' | 'removed_at' | 'withdrawn_at'>;

const open = prepared((queries: Queries, values: { address: string }) =>
  queries.selectFrom('nullroutes').selectAll().where('address', '=', values.address).where('removed_at', 'is', null),
);
/** The one that is wanted for the address. */
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

/** False where it was removed already. */
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

/** Those of these addresses that are wanted. */
export async function nullroutesOpen(queries: Queries, addresses: readonly string[]): Promise<Nullroute[]> {
  return queries
    .selectFrom('nullroutes')
    .selectAll()
    .where('address', 'in', addresses)
    .where('removed_at', 'is', null)
    .execute();
}

export async function nullroutesWanted(queries: Queries): Promise<number> {
  const row = await queries
    .selectFrom('nullroutes')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** How often each of the addresses was null-routed after that moment. */
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

/** Whatever is wanted, or may still be at the router. */
export async function nullroutesLive(queries: Queries): Promise<Nullroute[]> {
  return queries.selectFrom('nullroutes').selectAll().where('withdrawn_at', 'is', null).orderBy('id').execute();
}

/** Of those, all of the addresses at which the router has not been told everything. */
export async function nullroutesUntold(queries: Queries): Promise<Nullroute[]> {
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

/** What is wanted no longer: its time is over, or the address is no longer that service's. */
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

export async function nullroutesAnnounced(queries: Queries, ids: readonly number[], now: number): Promise<void> {
  await mark(queries, ids, { announced_at: now });
}

export async function nullroutesWithdrawn(queries: Queries, ids: readonly number[], now: number): Promise<void> {
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
