// Attacks: one row for each that a detector told of, with the rules that it broke and what passed while it lasted.
import { sql, type GeneratedAlways, type Selectable } from 'kysely';
import { prepared } from '../engine/prepared.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../tables.ts';

export interface AttackTable {
  id: GeneratedAlways<number>;
  detector: string;
  /** The detector's own name for it; empty where it has none, and an address then has one attack at a time. */
  attack: string;
  /** Text that sorts as addresses count. */
  address: string;
  /** Who held the address when it began; null where nobody did. */
  account_id: AccountId | null;
  service_id: number | null;
  device: string;
  network: string;
  started_at: number;
  ended_at: number | null;
  /** When the detector last told of it. */
  seen_at: number;
}
export type Attack = Selectable<AttackTable>;
export type NewAttack = Omit<Attack, 'id' | 'ended_at'>;

export interface AttackRecordTable {
  id: GeneratedAlways<number>;
  attack_id: number;
  direction: string;
  unit: 'packets/s' | 'bits/s';
  protocol: string;
  filters: string;
  /** The most that was seen. */
  value: number;
  sensor_type: string;
  sensor_interface: string;
  first_at: number;
  last_at: number;
  /** How often the detector told of it. */
  ticks: number;
}
export type AttackRecord = Selectable<AttackRecordTable>;

export interface AttackLogTable {
  attack_id: number;
  at: number;
  /** Names of the traffic log to numbers, as JSON; what is not in it is 0. */
  figures: string;
}

type AttackName = Pick<Attack, 'detector' | 'address' | 'attack'>;

/** By which a detector's reports find their attack. */
export function attackKey({ detector, address, attack }: AttackName): string {
  return JSON.stringify([detector, address, attack]);
}

/** The newest attack of each name, under its key. */
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

/** Those that were made; one is missing where another node was first. */
export async function attacksInsert(queries: Queries, attacks: readonly NewAttack[]): Promise<Attack[]> {
  if (attacks.length === 0) return [];
  return queries
    .insertInto('attacks')
    .values(attacks.map((attack) => ({ ...attack, ended_at: null })))
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .execute();
}

const see = prepared((queries: Queries, values: { id: number; at: number }) =>
  queries.updateTable('attacks').set({ seen_at: values.at }).where('id', '=', values.id).returning('id'),
);
export async function attackSeen(queries: Queries, id: number, at: number): Promise<void> {
  await see(queries, { id, at });
}

/** False where it had ended already. */
export async function attackEnd(queries: Queries, id: number, at: number): Promise<boolean> {
  const ended = await queries
    .updateTable('attacks')
    .set({ ended_at: at })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}

export async function attacksOpen(queries: Queries): Promise<Attack[]> {
  return queries.selectFrom('attacks').selectAll().where('ended_at', 'is', null).orderBy('id').execute();
}

/** The attack that an address is under, whichever detector says so. */
export async function attackUnderWay(queries: Queries, account: AccountId, address: string) {
  return queries
    .selectFrom('attacks')
    .select('id')
    .where('address', '=', address)
    .where('account_id', '=', account)
    .where('ended_at', 'is', null)
    .orderBy('id', 'desc')
    .executeTakeFirst();
}

/** Rules that were broken, or again: the most is kept. None is there twice. */
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
  const [given, kept] = [sql.ref(`excluded.${column}`), sql.ref(`attack_records.${column}`)];
  return sql<number>`case when ${given} > ${kept} then ${given} else ${kept} end`;
}

/** What the detector says of a slot replaces what was there. No slot is there twice. */
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

/** For a slot of which the detector has said nothing. */
export async function attackLogFill(queries: Queries, log: AttackLogTable): Promise<void> {
  await queries
    .insertInto('attack_logs')
    .values(log)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const page = prepared(
  (queries: Queries, values: { account: AccountId; service: number; before: number; limit: number }) =>
    queries
      .selectFrom('attacks')
      .selectAll()
      .where('service_id', '=', values.service)
      .where('account_id', '=', values.account)
      .where('id', '<', values.before)
      .orderBy('id', 'desc')
      .limit(values.limit),
);
/** The newest first. */
export function attackList(
  queries: Queries,
  account: AccountId,
  service: number,
  { limit, before }: { readonly limit: number; readonly before: number },
): Promise<Attack[]> {
  return page(queries, { account, service, before, limit });
}

/** Of all services of an account, the newest first. Found by the services, which is what the index is on. */
export function attackListOfAccount(
  queries: Queries,
  account: AccountId,
  { limit, before }: { readonly limit: number; readonly before: number },
): Promise<Attack[]> {
  return queries
    .selectFrom('attacks')
    .selectAll()
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

const spans = prepared((queries: Queries, values: { port: number; from: number; to: number }) =>
  queries
    .selectFrom('attacks')
    .innerJoin('ports', 'ports.service_id', 'attacks.service_id')
    .select(['attacks.started_at', 'attacks.ended_at'])
    .where('ports.id', '=', values.port)
    .where('attacks.started_at', '<', values.to)
    .where((where) => where.or([where('attacks.ended_at', 'is', null), where('attacks.ended_at', '>', values.from)])),
);
/** When the service behind a port was under attack, within a span. */
export function attackSpans(
  queries: Queries,
  port: number,
  from: number,
  to: number,
): Promise<Pick<Attack, 'started_at' | 'ended_at'>[]> {
  return spans(queries, { port, from, to });
}
