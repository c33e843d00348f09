// Attacks on a service for its customer, each with the rules that it triggered, its traffic and its null route.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { AnomalyEvents } from '#contract/shapes/network.ts';
import type { networkV2 } from '#contract/v2/network.ts';
import { isSortableIpv4, readSortable } from '#lib/address-ranges.ts';
import * as store from '#store/network/attacks.ts';
import { holdersAt } from '#store/network/netblock-holdings.ts';
import { nullroutesOfAttacks, type Nullroute } from '#store/network/nullroutes.ts';
import type { Queries } from '#store/store.ts';
import { figureNames, type FigureName, type Figures } from '#protocols/fastnetmon/figures.ts';
import { serviceOf } from '../services/services.ts';
import { isActive, seconds } from './nullroutes.ts';
import type { Context } from '../app.ts';
import type { AttackLogTable } from '#store/network/tables.ts';

const defaultLimit = 1000;

type Events = Static<typeof AnomalyEvents>;
type AttackView = Events[string];
type TrafficLogView = AttackView['logs']['result'][number];

/** The newest, or those before the event with that number. */
type Page = InputOf<typeof networkV2.anomalyList>;

export async function listServiceAttacks(context: Context, service: number, page: Page): Promise<Events> {
  const { queries, caller } = context;
  await serviceOf(context, service);
  return toEvents(queries, await store.attackList(queries, caller.account, service, withPageDefaults(page)));
}

export async function listAccountAttacks({ queries, caller }: Context, page: Page): Promise<Events> {
  const { account, services } = caller;
  return toEvents(queries, await store.attackListOfAccount(queries, account, withPageDefaults(page), services));
}

function withPageDefaults({ limit = defaultLimit, before = Number.MAX_SAFE_INTEGER }: Page): Required<Page> {
  return { limit, before };
}

async function toEvents(queries: Queries, attacks: readonly store.Attack[]): Promise<Events> {
  const ids = attacks.map(({ id }) => id);
  // PostgreSQL reads the four at the same time.
  const [allRecords, allLogs, allNullroutes, ends] = await Promise.all([
    store.attackRecords(queries, ids),
    store.attackLogs(queries, ids),
    nullroutesOfAttacks(queries, ids),
    holdingEnds(queries, attacks),
  ]);
  const records = Map.groupBy(allRecords, ({ attack_id }) => attack_id);
  const logs = Map.groupBy(allLogs, ({ attack_id }) => attack_id);
  const nullroutes = Map.groupBy(allNullroutes, ({ attack_id }) => attack_id!);
  return Object.fromEntries(
    attacks.map((attack) => {
      const whole = {
        attack,
        records: records.get(attack.id) ?? [],
        logs: logs.get(attack.id) ?? [],
        nullroutes: nullroutes.get(attack.id) ?? [],
      };
      return [String(attack.id), toAttackView(untilEnd(whole, ends.get(attack.id) ?? Infinity))];
    }),
  );
}

interface LoggedAttack {
  readonly attack: store.Attack;
  readonly records: readonly store.AttackRecord[];
  readonly logs: readonly AttackLogTable[];
  readonly nullroutes: readonly Nullroute[];
}

/** Returns until when the service of each attack held the address, if it no longer does: the rest is the next holder's. */
async function holdingEnds(queries: Queries, attacks: readonly store.Attack[]): Promise<ReadonlyMap<number, number>> {
  const starts = attacks.map(({ address, started_at: at }) => ({ address, at }));
  const holders = await holdersAt(queries, starts);
  return new Map(attacks.map(({ id }, index) => [id, holders[index]?.held_until ?? Infinity]));
}

/** Leaves out what happened after `end`. The maximum of a rule that was still broken then may be from later, so it goes too. */
function untilEnd({ attack, records, logs, nullroutes }: LoggedAttack, end: number): LoggedAttack {
  const earlier = (at: number | null): number | null => (at === null || at > end ? end : at);
  if (end === Infinity) return { attack, records, logs, nullroutes };
  return {
    attack: { ...attack, ended_at: earlier(attack.ended_at) },
    records: records.filter(({ last_at }) => last_at <= end),
    logs: logs.filter(({ at }) => at <= end),
    nullroutes: nullroutes
      .filter(({ announced_at }) => announced_at !== null && announced_at <= end)
      .map((nullroute) => ({ ...nullroute, withdrawn_at: earlier(nullroute.withdrawn_at) })),
  };
}

function toAttackView({ attack, records, logs, nullroutes }: LoggedAttack): AttackView {
  const ip = readSortable(attack.address);
  return {
    id: String(attack.id),
    anomaly_id: String(attack.id),
    target_ip: ip,
    internal_client: String(attack.account_id ?? ''),
    internal_service: String(attack.service_id ?? ''),
    internal_device: attack.device,
    internal_network: attack.network,
    active: attack.ended_at === null ? '1' : '0',
    start: seconds(attack.started_at),
    end: seconds(attack.ended_at ?? 0),
    ...nullrouteFields(nullroutes),
    detail: toInnerResult(records.map((record) => toRecordView(attack, ip, record))),
    logs: toInnerResult(logs.map((log) => toLogView(ip, log))),
  };
}

function toInnerResult<T>(result: T[]): { success: true; results: number; result: T[] } {
  return { success: true, results: result.length, result };
}

/** Spans from the first announcement to the last withdrawal; null for what has not happened. */
function nullrouteFields(nullroutes: readonly Nullroute[]) {
  const announced = nullroutes.filter(({ announced_at }) => announced_at !== null);
  const active = announced.some(isActive);
  const last = announced.at(-1);
  return {
    nullroute_start: announced[0] === undefined ? null : seconds(announced[0].announced_at!),
    nullroute_end: active || last === undefined ? null : seconds(last.withdrawn_at!),
    nullroute_active: active ? '1' : '0',
  } as const;
}

function toRecordView({ address, detector }: store.Attack, ip: string, record: store.AttackRecord) {
  return {
    attack_id: String(record.id),
    rule_direction: record.direction,
    ip,
    mask: isSortableIpv4(address) ? '32' : '128',
    rule_unit: record.unit,
    filters: record.filters,
    value: String(record.value),
    first: seconds(record.first_at),
    last: seconds(record.last_at),
    tick: String(record.ticks),
    sensor_type: record.sensor_type,
    sensor_id: detector,
    sensor_interface: record.sensor_interface,
    protocal: record.protocol,
  };
}

const zeroLog = Object.fromEntries(['ip', 'activity', ...figureNames].map((name) => [name, '0'])) as TrafficLogView;

/** `activity` is the time; values that the source did not count are 0. */
function toLogView(ip: string, { at, figures }: AttackLogTable): TrafficLogView {
  // Copying an object and replacing values is many times faster than building one by names, and a page has hundreds.
  const view = { ...zeroLog, ip, activity: seconds(at) };
  const logged = store.attackFigures.decode(figures) as Figures;
  for (const name of Object.keys(logged) as FigureName[]) view[name] = String(logged[name]);
  return view;
}
