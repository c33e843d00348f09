// What is written down of an attack while it lasts, what the operator's policy does about it, and how it ends.
import { eventAppend } from '#jobs/event-append.ts';
import { readSortable } from '#kernel/address-ranges.ts';
import { Fault } from '#kernel/fault.ts';
import * as store from '#store/network/attacks.ts';
import type { Attack, AttackRecord } from '#store/network/attacks.ts';
import { nullroutesOfAttacks } from '#store/network/nullroutes.ts';
import type { Queries } from '#store/store.ts';
import type { Detection } from './detection.ts';
import type { NullroutePolicy } from './nullroute-policy.ts';
import { nullroutesWant, nullrouteUnwant } from './nullroutes.ts';
import type { Yard } from '../yard.ts';

export interface Reported {
  readonly attack: Attack;
  readonly detection: Detection;
}

/** Traffic logs of an attack are kept at this rate, from its beginning, for a day at most. */
export const logEveryMs = 60_000;
const loggedMs = 86_400_000;

/** No attack is among them twice. */
export async function attacksMeasured(queries: Queries, reported: readonly Reported[]): Promise<void> {
  await store.attackRecordsPut(queries, reported.flatMap(recordsOf));
  await store.attackLogsPut(
    queries,
    reported.flatMap(({ attack, detection: { at, figures } }) => {
      const slot = logSlot(attack, at);
      if (slot === undefined || Object.keys(figures).length === 0) return [];
      return [{ attack_id: attack.id, at: slot, figures: JSON.stringify(figures) }];
    }),
  );
}

function recordsOf({ attack, detection }: Reported): Omit<AttackRecord, 'id' | 'ticks'>[] {
  const { at, direction, protocol, filters, sensor, packetsPerSecond, bitsPerSecond } = detection;
  const record = {
    attack_id: attack.id,
    direction,
    protocol,
    filters,
    sensor_type: sensor.type,
    sensor_interface: sensor.interface,
    first_at: at,
    last_at: at,
  };
  return [
    { ...record, unit: 'packets/s' as const, value: packetsPerSecond },
    { ...record, unit: 'bits/s' as const, value: bitsPerSecond },
  ].filter(({ value }) => value > 0);
}

/** The moment under which a traffic log of that time is kept; undefined where the attack has lasted too long. */
export function logSlot({ started_at }: Pick<Attack, 'started_at'>, at: number): number | undefined {
  const since = at - started_at;
  return since < 0 || since >= loggedMs ? undefined : started_at + Math.floor(since / logEveryMs) * logEveryMs;
}

/** Null-routes what is above the operator's threshold. Answers whether there is a new one. */
export async function attacksRouted(
  yard: Yard,
  queries: Queries,
  policy: NullroutePolicy,
  reported: readonly Reported[],
): Promise<boolean> {
  if (policy.policy !== 'automatic') return false;
  const ends_at = yard.clock.now() + policy.minutes * 60_000;
  // Two detectors may tell of one address.
  const wanted = new Map(
    reported
      .filter(({ detection }) => isAbove(policy, detection))
      .flatMap(({ attack, detection }) => {
        const { account_id, service_id, address, id: attack_id } = attack;
        if (account_id === null || service_id === null) return [];
        const reason = detection.filters === '' ? 'Attack' : `Attack: ${detection.filters}`;
        return [[address, { address, account_id, service_id, attack_id, origin: 'policy' as const, reason, ends_at }]];
      }),
  );
  try {
    const { made, refused } = await nullroutesWant(yard, queries, policy, [...wanted.values()]);
    for (const { code } of refused.values())
      yard.log.warn({ code }, 'an attack is not null-routed: the policy does not allow it');
    return made.length > 0;
  } catch (error) {
    // The router is gone from the site file.
    if (error instanceof Fault) return false;
    throw error;
  }
}

function isAbove(policy: NullroutePolicy, detection: Detection): boolean {
  const { packetsPerSecond = Infinity, bitsPerSecond = Infinity } = policy;
  // What goes out of an address is not stopped by a route to it.
  return (
    detection.direction === 'incoming' &&
    (detection.packetsPerSecond >= packetsPerSecond || detection.bitsPerSecond >= bitsPerSecond)
  );
}

/** In the caller's transaction: ends the attack and with it what the policy null-routed for it; whether that was anything. */
export async function attackOver(yard: Yard, queries: Queries, attack: Attack, at: number): Promise<boolean> {
  if (!(await store.attackEnd(queries, attack.id, at))) return false;
  const own = (await nullroutesOfAttacks(queries, [attack.id])).filter(
    ({ origin, removed_at }) => origin === 'policy' && removed_at === null,
  );
  for (const nullroute of own) await nullrouteUnwant(yard, queries, nullroute);
  if (attack.account_id !== null && attack.service_id !== null) {
    const data = { anomaly_id: String(attack.id), ip: readSortable(attack.address) };
    const whose = { account: attack.account_id, service: attack.service_id };
    await eventAppend(yard, queries, { ...whose, type: 'network.attack.ended', data });
  }
  return own.length > 0;
}
