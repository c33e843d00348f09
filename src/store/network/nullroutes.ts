// Null routes: which ones should exist, and which the router was last seen to have. A row is active until it is
// removed, and kept until the router no longer has the route.
import type { Selectable } from 'kysely';
import { prepared } from '../engine/prepared.ts';
import { affectsRows, batches, selectWhere, updateWhere } from '../engine/rows.ts';
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

/** Returns false if it was removed already, or staff have taken it over since it was read. */
export async function nullrouteRemove(
  queries: Queries,
  { id, origin }: Pick<Nullroute, 'id' | 'origin'>,
  now: number,
): Promise<boolean> {
  return affectsRows(
    updateWhere(queries, 'nullroutes', { id, origin, removed_at: null }).set({ removed_at: now }).returning('id'),
  );
}

/** Returns the active null routes of these addresses. */
export async function nullroutesOpen(queries: Queries, addresses: readonly string[]): Promise<Nullroute[]> {
  const active = selectWhere(queries, 'nullroutes', { removed_at: null });
  return active.selectAll().where('address', 'in', addresses).execute();
}

export type NullrouteCount = Pick<Nullroute, 'account_id' | 'service_id'> & { readonly count: number };

/** Counts the active null routes by service. */
export async function nullroutesActiveCounts(queries: Queries): Promise<NullrouteCount[]> {
  const rows = await selectWhere(queries, 'nullroutes', { removed_at: null })
    .select(['account_id', 'service_id', (select) => select.fn.countAll<number>().as('count')])
    .groupBy(['account_id', 'service_id'])
    .execute();
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

/** Makes the active null routes of these addresses staff's own, so that customers cannot lift them. */
export async function nullroutesTakeOver(
  queries: Queries,
  addresses: readonly string[],
  change: Pick<Nullroute, 'reason' | 'ends_at'>,
): Promise<void> {
  await updateWhere(queries, 'nullroutes', { removed_at: null })
    .set({ ...change, origin: 'operator' })
    .where('address', 'in', addresses)
    .execute();
}

/** Returns the addresses and origins of the null routes that were created after this time. */
export async function nullroutesSince(
  queries: Queries,
  addresses: readonly string[],
  since: number,
): Promise<Pick<Nullroute, 'address' | 'origin'>[]> {
  const created = queries.selectFrom('nullroutes').select(['address', 'origin']).where('address', 'in', addresses);
  return created.where('created_at', '>', since).execute();
}

export async function nullroutesOfService(
  queries: Queries,
  account: AccountId,
  service: number,
  limit: number,
): Promise<Nullroute[]> {
  return selectWhere(queries, 'nullroutes', { service_id: service, account_id: account })
    .selectAll()
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

/** Returns a page of them, by id. */
export async function nullroutesLivePage(queries: Queries, after: number, limit: number): Promise<Nullroute[]> {
  const live = selectWhere(queries, 'nullroutes', { withdrawn_at: null }).selectAll().where('id', '>', after);
  return live.orderBy('id').limit(limit).execute();
}

/** Returns null routes that the router does not have yet, or still has. */
export async function nullroutesPending(queries: Queries, limit: number): Promise<Nullroute[]> {
  return selectWhere(queries, 'nullroutes', { withdrawn_at: null })
    .selectAll()
    .where((where) => where.or([where('announced_at', 'is', null), where('removed_at', 'is not', null)]))
    .orderBy('id')
    .limit(limit)
    .execute();
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
  await mark(queries, ids, 'announced_at', now);
}

export async function nullroutesMarkWithdrawn(queries: Queries, ids: readonly number[], now: number): Promise<void> {
  await mark(queries, ids, 'withdrawn_at', now);
}

async function mark(
  queries: Queries,
  ids: readonly number[],
  column: 'announced_at' | 'withdrawn_at',
  now: number,
): Promise<void> {
  for (const batch of batches(ids)) {
    const unmarked = updateWhere(queries, 'nullroutes', { [column]: null }).where('id', 'in', batch);
    await unmarked.set({ [column]: now }).execute();
  }
}

/** Returns those of the service that are in effect or requested. */
export async function nullroutesOfServiceOpen(
  queries: Queries,
  account: AccountId,
  service: number,
): Promise<Nullroute[]> {
  const open = { account_id: account, service_id: service, removed_at: null };
  return selectWhere(queries, 'nullroutes', open).selectAll().execute();
}
