// Attacks: one row for each that a detector reported, with the rules it broke and the traffic while it lasted.
import { sql, type Selectable } from 'kysely';
import { Type } from 'typebox';
import { prepared } from '../engine/prepared.ts';
import { affectsRows, insertNew, selectWhere, updateWhere } from '../engine/rows.ts';
import { isOfServices } from '../account/service-limits.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import { jsonColumn } from '../json-column.ts';
import type { AttackTable, AttackRecordTable, AttackLogTable } from './tables.ts';

/** Numbers of the traffic log by name; a name that is missing means 0. */
export const attackFigures = jsonColumn('attack_logs.figures', Type.Record(Type.String(), Type.Number()));

export type Attack = Selectable<AttackTable>;
export type NewAttack = Omit<Attack, 'id' | 'ended_at'>;
export type AttackRecord = Selectable<AttackRecordTable>;

type AttackName = Pick<Attack, 'detector' | 'address' | 'attack'>;

/** Returns the key that connects a detector's reports to their attack. */
export function attackKey({ detector, address, attack }: AttackName): string {
  return JSON.stringify([detector, address, attack]);
}

/** Returns the newest attack of each name, by its key. */
export async function attacksLatest(
  queries: Queries,
  names: readonly AttackName[],
): Promise<ReadonlyMap<string, Attack>> {
  const newest = queries
    .selectFrom('attacks')
    .select((select) => select.fn.max('id').as('id'))
    .where('detector', 'in', [...new Set(names.map(({ detector }) => detector))])
    .where('address', 'in', [...new Set(names.map(({ address }) => address))])
    .groupBy(['detector', 'address', 'attack']);
  const rows = await queries.selectFrom('attacks').selectAll().where('id', 'in', newest).execute();
  return new Map(rows.map((row) => [attackKey(row), row]));
}

/** Returns the attacks that were inserted; one is missing if another instance was first. */
export async function attacksInsert(queries: Queries, attacks: readonly NewAttack[]): Promise<Attack[]> {
  if (attacks.length === 0) return [];
  const rows = attacks.map((attack) => ({ ...attack, ended_at: null }));
  return insertNew(queries, 'attacks', rows).returningAll().execute();
}

const see = prepared((queries: Queries, values: { id: number; at: number }) =>
  queries.updateTable('attacks').set({ seen_at: values.at }).where('id', '=', values.id).returning('id'),
);
export async function attackSeenAtSet(queries: Queries, id: number, at: number): Promise<void> {
  await see(queries, { id, at });
}

/** Returns false if it had ended already. */
export async function attackEnd(queries: Queries, id: number, at: number): Promise<boolean> {
  return affectsRows(updateWhere(queries, 'attacks', { id, ended_at: null }).set({ ended_at: at }).returning('id'));
}

/** Returns the attack, locked until the transaction ends, or undefined if it has ended. */
export async function attackLock(queries: Queries, id: number): Promise<Attack | undefined> {
  return updateWhere(queries, 'attacks', { id, ended_at: null })
    .set((set) => ({ seen_at: set.ref('seen_at') }))
    .returningAll()
    .executeTakeFirst();
}

export async function attacksOpen(queries: Queries): Promise<Attack[]> {
  return queries.selectFrom('attacks').selectAll().where('ended_at', 'is', null).orderBy('id').execute();
}

/** Returns the current attack on an address, whichever detector reports it. */
export async function attackCurrent(queries: Queries, account: AccountId, address: string) {
  return selectWhere(queries, 'attacks', { address, account_id: account, ended_at: null })
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirst();
}

/** Inserts broken rules or updates their maximum. The list must not contain a rule twice. */
export async function attackRecordsPut(
  queries: Queries,
  records: readonly Omit<AttackRecord, 'id' | 'ticks'>[],
): Promise<void> {
  if (records.length === 0) return;
  await queries
    .insertInto('attack_records')
    .values(records.map((record) => ({ ...record, ticks: 1 })))
    .onConflict((conflict) =>
      conflict.columns(['attack_id', 'direction', 'unit', 'protocol']).doUpdateSet((set) => ({
        value: larger('value'),
        last_at: larger('last_at'),
        ticks: set('attack_records.ticks', '+', 1),
      })),
    )
    .execute();
}

function larger(column: 'value' | 'last_at') {
  const [reported, stored] = [sql.ref(`excluded.${column}`), sql.ref(`attack_records.${column}`)];
  return sql<number>`case when ${reported} > ${stored} then ${reported} else ${stored} end`;
}

/** Replaces the figures of a slot with the detector's. The list must not contain a slot twice. */
export async function attackLogsPut(queries: Queries, logs: readonly AttackLogTable[]): Promise<void> {
  if (logs.length === 0) return;
  await queries
    .insertInto('attack_logs')
    .values(logs)
    .onConflict((conflict) =>
      conflict.columns(['attack_id', 'at']).doUpdateSet((set) => ({ figures: set.ref('excluded.figures') })),
    )
    .execute();
}

/** Fills a slot that the detector has not reported. */
export async function attackLogFill(queries: Queries, log: AttackLogTable): Promise<void> {
  await insertNew(queries, 'attack_logs', log).execute();
}

const page = prepared(
  (queries: Queries, values: { account: AccountId; service: number; before: number; limit: number }) =>
    selectWhere(queries, 'attacks', { service_id: values.service, account_id: values.account })
      .selectAll()
      .where('id', '<', values.before)
      .orderBy('id', 'desc')
      .limit(values.limit),
);
/** Newest first. */
export function attackList(
  queries: Queries,
  account: AccountId,
  service: number,
  { limit, before }: { readonly limit: number; readonly before: number },
): Promise<Attack[]> {
  return page(queries, { account, service, before, limit });
}

/** Returns attacks on all services of an account, newest first. Looked up by service, which is indexed. */
export function attackListOfAccount(
  queries: Queries,
  account: AccountId,
  { limit, before }: { readonly limit: number; readonly before: number },
  services: ReadonlySet<number> | undefined,
): Promise<Attack[]> {
  return queries
    .selectFrom('attacks')
    .selectAll()
    .$if(services !== undefined, (query) => query.where(isOfServices(services!)))
    .where('service_id', 'in', (services) =>
      services.selectFrom('services').select('services.id').where('services.account_id', '=', account),
    )
    .where('account_id', '=', account)
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export async function attackRecords(queries: Queries, attacks: readonly number[]): Promise<AttackRecord[]> {
  if (attacks.length === 0) return [];
  return queries.selectFrom('attack_records').selectAll().where('attack_id', 'in', attacks).orderBy('id').execute();
}

export async function attackLogs(queries: Queries, attacks: readonly number[]): Promise<AttackLogTable[]> {
  if (attacks.length === 0) return [];
  return queries
    .selectFrom('attack_logs')
    .selectAll()
    .where('attack_id', 'in', attacks)
    .orderBy('attack_id')
    .orderBy('at')
    .execute();
}

/** Returns when a service was under attack, within a time span. */
export function attackSpansOfService(
  queries: Queries,
  service: number,
  from: number,
  to: number,
): Promise<Pick<Attack, 'started_at' | 'ended_at'>[]> {
  return selectWhere(queries, 'attacks', { service_id: service })
    .select(['started_at', 'ended_at'])
    .where('started_at', '<', to)
    .where((where) => where.or([where('ended_at', 'is', null), where('ended_at', '>', from)]))
    .execute();
}

/**
 * Deletes attacks and null routes that ended before this time, with their records. Active null routes stay. Must run in
 * a transaction.
 */
export async function attacksRemoveBefore(queries: Queries, before: number): Promise<void> {
  const old = queries.selectFrom('attacks').select('id').where('ended_at', '<', before);
  await queries.deleteFrom('nullroutes').where('withdrawn_at', '<', before).execute();
  await queries.updateTable('nullroutes').set({ attack_id: null }).where('attack_id', 'in', old).execute();
  await queries.deleteFrom('attack_logs').where('attack_id', 'in', old).execute();
  await queries.deleteFrom('attack_records').where('attack_id', 'in', old).execute();
  await queries.deleteFrom('attacks').where('ended_at', '<', before).execute();
}
