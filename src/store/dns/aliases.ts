// ALIAS records: which targets to look up when, and the addresses that name servers get instead of the records.
import { sql, type Selectable } from 'kysely';
import { prepared } from '../engine/prepared.ts';
import { affectsRows, countRows, deleteWhere, selectWhere, updateWhere } from '../engine/rows.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';
import { pathOf } from './path.ts';
import type { AliasAddressTable, AliasTable, RecordTable, ZoneTable } from './tables.ts';

export type AliasAddress = Omit<Selectable<AliasAddressTable>, 'record_id'>;

/** The reconciler that looks up targets. */
export const aliasReconciler = 'dns-aliases';

/** An ALIAS record with its state. The content is its target. */
export type Alias = Selectable<AliasTable> & Pick<Selectable<RecordTable>, 'name' | 'ttl' | 'content'>;

type ZoneId = Pick<Selectable<ZoneTable>, 'id'>;

const listRedirecting = prepared((queries: Queries, values: { zone: number }) =>
  queries
    .selectFrom('records')
    .select(['id', 'name', 'type'])
    .where('zone_id', '=', values.zone)
    // As in the index, with literal numbers.
    .where(sql<boolean>`type in (39, 65401)`),
);
/** Returns the zone's DNAME and ALIAS records. */
export async function redirectingRecords(queries: Queries, zone: ZoneId) {
  return listRedirecting(queries, { zone: zone.id });
}

/** Returns the first name below this one that has records. In ASCII the slash follows the dot. */
export async function firstNameBelow(queries: Queries, zone: ZoneId, name: string): Promise<string | undefined> {
  const path = pathOf(name);
  const ofZone = selectWhere(queries, 'records', { zone_id: zone.id }).select('name');
  const below = ofZone.where('path', '>', `${path}.`).where('path', '<', `${path}/`);
  return (await below.orderBy('path').limit(1).executeTakeFirst())?.name;
}

/** Has the target looked up immediately, for a record that is new or has a new target. */
export async function aliasPut(
  queries: Queries,
  alias: Pick<Alias, 'record_id' | 'account_id' | 'zone_id'>,
): Promise<void> {
  const due = { next_look_at: 0, failing_since: null, failures: 0 };
  await queries
    .insertInto('aliases')
    .values({ ...alias, ...due })
    .onConflict((conflict) => conflict.column('record_id').doUpdateSet(due))
    .execute();
}

export async function aliasCount(queries: Queries, account: AccountId): Promise<number> {
  return countRows(selectWhere(queries, 'aliases', { account_id: account }));
}

export async function aliasesDue(queries: Queries, now: number, limit: number): Promise<Alias[]> {
  return queries
    .selectFrom('aliases')
    .innerJoin('records', 'records.id', 'aliases.record_id')
    .selectAll('aliases')
    .select(['records.name', 'records.ttl', 'records.content'])
    .where('next_look_at', '<=', now)
    .orderBy('next_look_at')
    .limit(limit)
    .execute();
}

/** Returns false if the record is gone or has another target, which sets the time of the next look. */
export async function aliasUpdate(
  queries: Queries,
  { record_id, next_look_at }: Pick<Alias, 'record_id' | 'next_look_at'>,
  state: Partial<Pick<Alias, 'next_look_at' | 'failing_since' | 'failures'>>,
): Promise<boolean> {
  return affectsRows(updateWhere(queries, 'aliases', { record_id, next_look_at }).set(state).returning('record_id'));
}

export async function aliasAddresses(
  queries: Queries,
  { record_id }: Pick<Alias, 'record_id'>,
): Promise<AliasAddress[]> {
  return selectWhere(queries, 'alias_addresses', { record_id }).select(['type', 'ttl', 'rdata']).execute();
}

export async function aliasAddressesReplace(
  queries: Queries,
  { record_id }: Pick<Alias, 'record_id'>,
  addresses: readonly AliasAddress[],
): Promise<void> {
  await deleteWhere(queries, 'alias_addresses', { record_id }).execute();
  if (addresses.length === 0) return;
  await queries
    .insertInto('alias_addresses')
    .values(addresses.map((address) => ({ ...address, record_id })))
    .execute();
}

const listAddressesOfZone = prepared((queries: Queries, values: { zone: number }) =>
  queries
    .selectFrom('aliases')
    .innerJoin('alias_addresses as address', 'address.record_id', 'aliases.record_id')
    .innerJoin('records', 'records.id', 'aliases.record_id')
    .select(['records.name', 'address.type', 'address.ttl', 'address.rdata'])
    .where('aliases.zone_id', '=', values.zone)
    .orderBy('aliases.record_id')
    .orderBy('address.type')
    .orderBy('address.rdata'),
);
/** Returns what name servers serve instead of the zone's ALIAS records, grouped by name and type. */
export async function aliasAddressesOfZone(queries: Queries, zone: ZoneId) {
  return listAddressesOfZone(queries, { zone: zone.id });
}
