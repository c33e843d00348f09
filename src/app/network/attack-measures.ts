// Records an attack while it lasts, applies the operator's null-route policy, and ends it.
import { appendEvent } from '#events/append.ts';
import { readSortable } from '#lib/address-ranges.ts';
import { ApiError } from '#lib/api-error.ts';
import * as store from '#store/network/attacks.ts';
import type { Attack } from '#store/network/attacks.ts';
import { nullroutesOfAttacks } from '#store/network/nullroutes.ts';
import type { Queries } from '#store/store.ts';
import type { Detection } from './detection.ts';
import type { NullroutePolicy } from './nullroute-policy.ts';
import { requestNullroutes, endNullroute } from './nullroutes.ts';
import type { App } from '../app.ts';

export interface ReportedAttack {
  readonly attack: Attack;
  readonly detection: Detection;
}

/** Traffic logs of an attack are stored at this rate, from its start, for at most a day. */
export const logIntervalMs = 60_000;
const maxLoggedMs = 86_400_000;

/** Records measurements; each attack may occur only once. */
export async function recordMeasurements(queries: Queries, reported: readonly ReportedAttack[]): Promise<void> {
  await store.attackRecordsPut(queries, reported.flatMap(toAttackRecords));
  await store.attackLogsPut(
    queries,
    reported.flatMap(({ attack, detection: { at, figures } }) => {
      const slot = logSlot(attack, at);
      if (slot === undefined || Object.keys(figures).length === 0) return [];
      return [{ attack_id: attack.id, at: slot, figures: store.attackFigures.encode(figures) }];
    }),
  );
}

function toAttackRecords({ attack, detection }: ReportedAttack): Omit<store.AttackRecord, 'id' | 'ticks'>[] {
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

/** Returns the timestamp of the log entry for this time, or undefined if the attack has lasted too long. */
export function logSlot({ started_at }: Pick<Attack, 'started_at'>, at: number): number | undefined {
  const since = at - started_at;
  return since < 0 || since >= maxLoggedMs ? undefined : started_at + Math.floor(since / logIntervalMs) * logIntervalMs;
}

/** Null-routes attacks above the operator's threshold. Returns whether there is a new null route. */
export async function applyNullroutePolicy(
  app: App,
  queries: Queries,
  policy: NullroutePolicy,
  reported: readonly ReportedAttack[],
): Promise<boolean> {
  if (policy.policy !== 'automatic') return false;
  const now = app.clock.now();
  // Two detectors may report the same address.
  const nullroutes = new Map(
    reported
      .filter(({ detection }) => isAboveThreshold(policy, detection))
      .flatMap(({ attack, detection }) => {
        const { account_id, service_id, address, id: attack_id } = attack;
        // Not from now: a report that waited for hours in a spool says nothing about the present.
        const ends_at = detection.at + policy.minutes * 60_000;
        if (account_id === null || service_id === null || ends_at <= now) return [];
        const reason = detection.filters === '' ? 'Attack' : `Attack: ${detection.filters}`;
        return [[address, { address, account_id, service_id, attack_id, origin: 'policy' as const, reason, ends_at }]];
      }),
  );
  try {
    const { added, rejected } = await requestNullroutes(app, queries, policy, [...nullroutes.values()]);
    for (const { code } of rejected.values())
      app.log.warn({ code }, 'an attack is not null-routed because the policy does not allow it');
    return added.length > 0;
  } catch (error) {
    // The router was removed from the site file.
    if (error instanceof ApiError) return false;
    throw error;
  }
}

function isAboveThreshold(policy: NullroutePolicy, detection: Detection): boolean {
  const { packetsPerSecond = Infinity, bitsPerSecond = Infinity } = policy;
  // A null route does not stop outgoing traffic.
  return (
    detection.direction === 'incoming' &&
    (detection.packetsPerSecond >= packetsPerSecond || detection.bitsPerSecond >= bitsPerSecond)
  );
}

/**
 * Ends the attack and the null routes that the policy created for it, in the caller's transaction. Returns whether
 * there were any.
 */
export async function endAttack(app: App, queries: Queries, attack: Attack, at: number): Promise<boolean> {
  if (!(await store.attackEnd(queries, attack.id, at))) return false;
  const policyRoutes = (await nullroutesOfAttacks(queries, [attack.id])).filter(
    ({ origin, removed_at }) => origin === 'policy' && removed_at === null,
  );
  for (const nullroute of policyRoutes) await endNullroute(app, queries, nullroute);
  if (attack.account_id !== null && attack.service_id !== null) {
    const data = { anomaly_id: String(attack.id), ip: readSortable(attack.address) };
    const owner = { account: attack.account_id, service: attack.service_id };
    await appendEvent(app, queries, { ...owner, type: 'network.attack.ended', data });
  }
  return policyRoutes.length > 0;
}
