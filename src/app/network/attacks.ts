// Attacks on a service as its customer sees them: each with the rules it broke, what passed meanwhile, and its null-route.
import type { Static } from 'typebox';
import type { AnomalyEvents } from '#contract/shapes/network.ts';
import { readSortable } from '#kernel/address-ranges.ts';
import * as store from '#store/network/attacks.ts';
import type { Attack, AttackLogTable, AttackRecord } from '#store/network/attacks.ts';
import { nullroutesOfAttacks, type Nullroute } from '#store/network/nullroutes.ts';
import type { Queries } from '#store/store.ts';
import { figureNames, type FigureName, type Figures } from '#wire/fastnetmon/figures.ts';
import { serviceOf } from '../services/services.ts';
import { isActive, seconds } from './nullroutes.ts';
import type { Context } from '../yard.ts';

const defaultLimit = 100;

type Events = Static<typeof AnomalyEvents>;
type Shown = Events[string];
type ShownLog = Shown['logs']['result'][number];

/** The newest, or those before the event with that number. */
interface Page {
  readonly limit?: number;
  readonly before?: number;
}

export async function attacksOfService(context: Context, service: number, page: Page): Promise<Events> {
  const { queries, caller } = context;
  await serviceOf(context, service);
  return eventsOf(queries, await store.attackList(queries, caller.account, service, wholePage(page)));
}

export async function attacksOfAccount({ queries, caller }: Context, page: Page): Promise<Events> {
  return eventsOf(queries, await store.attackListOfAccount(queries, caller.account, wholePage(page)));
}

function wholePage({ limit = defaultLimit, before = Number.MAX_SAFE_INTEGER }: Page): Required<Page> {
  return { limit, before };
}

async function eventsOf(queries: Queries, attacks: readonly Attack[]): Promise<Events> {
  const ids = attacks.map(({ id }) => id);
  const records = Map.groupBy(await store.attackRecords(queries, ids), ({ attack_id }) => attack_id);
  const logs = Map.groupBy(await store.attackLogs(queries, ids), ({ attack_id }) => attack_id);
  const nullroutes = Map.groupBy(await nullroutesOfAttacks(queries, ids), ({ attack_id }) => attack_id!);
  return Object.fromEntries(
    attacks.map((attack) => {
      const of = { records: records.get(attack.id), logs: logs.get(attack.id), routes: nullroutes.get(attack.id) };
      return [String(attack.id), shown(attack, of.records ?? [], of.logs ?? [], of.routes ?? [])];
    }),
  );
}

function shown(
  attack: Attack,
  records: readonly AttackRecord[],
  logs: readonly AttackLogTable[],
  nullroutes: readonly Nullroute[],
): Shown {
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
    ...nullrouted(nullroutes),
    detail: inner(records.map((record) => recordShown(attack, ip, record))),
    logs: inner(logs.map((log) => logShown(ip, log))),
  };
}

function inner<T>(result: T[]): { success: true; results: number; result: T[] } {
  return { success: true, results: result.length, result };
}

/** From the first time that a router had it to the last time that it was taken away; null for what has not been. */
function nullrouted(nullroutes: readonly Nullroute[]) {
  const had = nullroutes.filter(({ announced_at }) => announced_at !== null);
  const active = had.some(isActive);
  const last = had.at(-1);
  return {
    nullroute_start: had[0] === undefined ? null : seconds(had[0].announced_at!),
    nullroute_end: active || last === undefined ? null : seconds(last.withdrawn_at!),
    nullroute_active: active ? '1' : '0',
  } as const;
}

function recordShown({ address, detector }: Attack, ip: string, record: AttackRecord) {
  return {
    attack_id: String(record.id),
    rule_direction: record.direction,
    ip,
    mask: address.startsWith('4') ? '32' : '128',
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

const nothing = Object.fromEntries(['ip', 'activity', ...figureNames].map((name) => [name, '0'])) as ShownLog;

/** `activity` is the moment; what the source of a log did not count is 0. */
function logShown(ip: string, { at, figures }: AttackLogTable): ShownLog {
  // A copy in which values are replaced is many times faster than a new object by names, and a page has hundreds.
  const shown = { ...nothing, ip, activity: seconds(at) };
  const counted = JSON.parse(figures) as Figures;
  for (const name of Object.keys(counted) as FigureName[]) shown[name] = String(counted[name]);
  return shown;
}
