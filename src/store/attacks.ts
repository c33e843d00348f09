// Attacks: one row for each that a detector told of, with the rules that it broke and what passed while it lasted.
import { sql, type GeneratedAlways, type Selectable } from 'kysely';
import { prepared } from './prepared.ts';
import type { Queries } from './store.ts';
import type { AccountId } from './tables.ts';

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

const latest = prepared((queries: Queries, values: Pick<Attack, 'detector' | 'address' | 'attack'>) =>
  queries
    .selectFrom('attacks')
    .selectAll()
    .where('detector', '=', values.detector)
    .where('address', '=', values.address)
    .where('attack', '=', values.attack)
    .orderBy('id', 'desc')
    .limit(1),
);
export async function attackLatest(
  queries: Queries,
  which: Pick<Attack, 'detector' | 'address' | 'attack'>,
): Promise<Attack | undefined> {
  return (await latest(queries, which))[0];
}

const insert = prepared((queries: Queries, values: NewAttack) =>
  queries
    .insertInto('attacks')
    .values({
      detector: values.detector,
      attack: values.attack,
      address: values.address,
      account_id: values.account_id,
      service_id: values.service_id,
      device: values.device,
      network: values.network,
      started_at: values.started_at,
      seen_at: values.seen_at,
      ended_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll(),
);
/** Undefined where another node was first. */
export async function attackInsert(queries: Queries, attack: NewAttack): Promise<Attack | undefined> {
  return (await insert(queries, attack))[0];
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

const putRecord = prepared((queries: Queries, values: Omit<AttackRecord, 'id'>) =>
  queries
    .insertInto('attack_records')
    .values({
      attack_id: values.attack_id,
      direction: values.direction,
      unit: values.unit,
      protocol: values.protocol,
      filters: values.filters,
      value: values.value,
      sensor_type: values.sensor_type,
      sensor_interface: values.sensor_interface,
      first_at: values.first_at,
      last_at: values.last_at,
      ticks: values.ticks,
    })
    .onConflict((conflict) =>
      conflict.columns(['attack_id', 'direction', 'unit', 'protocol']).doUpdateSet((set) => ({
        value: sql<number>`case when excluded.value > attack_records.value then excluded.value else attack_records.value end`,
        last_at: sql<number>`case when excluded.last_at > attack_records.last_at then excluded.last_at else attack_records.last_at end`,
        ticks: set('attack_records.ticks', '+', 1),
      })),
    )
    .returning('id'),
);
/** A rule that was broken, or again: the most is kept. */
export async function attackRecordPut(queries: Queries, record: Omit<AttackRecord, 'id' | 'ticks'>): Promise<void> {
  await putRecord(queries, { ...record, ticks: 1 });
}

/** What the detector says of a slot replaces what was there. */
export async function attackLogPut(queries: Queries, log: AttackLogTable): Promise<void> {
  await queries
    .insertInto('attack_logs')
    .values(log)
    .onConflict((conflict) => conflict.columns(['attack_id', 'at']).doUpdateSet({ figures: log.figures }))
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
