// The one way in for all detectors. A detector that repeats itself, restarts, or reports late makes one event; an address
// belongs to whoever held it at that moment. Reports that arrive together are written in one transaction, so that a burst of
// them costs few commits.
import { routerName } from '#equipment/router.ts';
import { eventAppend } from '#jobs/event-append.ts';
import { readSortable, sortableAddress } from '#kernel/address-ranges.ts';
import { parseAddress } from '#kernel/addresses.ts';
import { Fault } from '#kernel/fault.ts';
import * as store from '#store/attacks.ts';
import type { Attack } from '#store/attacks.ts';
import { holderAt } from '#store/netblock-holdings.ts';
import { nullroutesOfAttacks } from '#store/nullroutes.ts';
import { routerLock } from '#store/routers.ts';
import { serviceFind } from '#store/services.ts';
import type { Queries } from '#store/store.ts';
import type { Detection } from './detection.ts';
import { nullroutePolicy, type NullroutePolicy } from './nullroute-policy.ts';
import { nullrouteUnwant, nullrouteWant } from './nullroutes.ts';
import type { Yard } from './yard.ts';

/** Traffic logs of an attack are kept at this rate, from its beginning, for a day at most. */
export const logEveryMs = 60_000;
const loggedMs = 86_400_000;
const atOnce = 200;

/** Resolves when the detection is committed. */
export type RecordDetection = (detection: Detection) => Promise<void>;

interface Waiting {
  readonly detection: Detection;
  done(): void;
  failed(error: unknown): void;
}

export function detectionRecorder(yard: Yard): RecordDetection {
  const waiting: Waiting[] = [];
  let isWriting = false;

  async function write(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, atOnce);
      try {
        await recordAll(
          yard,
          batch.map(({ detection }) => detection),
        );
        for (const { done } of batch) done();
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    isWriting = false;
  }

  return (detection) =>
    new Promise((done, failed) => {
      waiting.push({ detection, done, failed });
      // After all that has already arrived.
      if (!isWriting) setImmediate(() => isWriting || void write());
    });
}

async function recordAll(yard: Yard, detections: readonly Detection[]): Promise<void> {
  const changed = await yard.store.transaction(async (queries) => {
    const policy = await nullroutePolicy(queries);
    // First of all that is locked here, as wherever null-routes are made: of two transactions none holds what the other waits for.
    if (policy.policy === 'automatic') await routerLock(queries, routerName);
    let routes = false;
    for (const detection of detections) routes = (await record({ yard, queries, policy }, detection)) || routes;
    return routes;
  });
  if (changed) yard.router.poke();
}

interface Recording {
  readonly yard: Yard;
  readonly queries: Queries;
  readonly policy: NullroutePolicy;
}

/** Answers whether null-routes have changed. */
async function record(recording: Recording, detection: Detection): Promise<boolean> {
  const { yard, queries } = recording;
  const address = sortableAddress(parseAddress(detection.address)!);
  const latest = await store.attackLatest(queries, { ...detection, address });
  if (detection.action === 'end') {
    if (latest === undefined || latest.ended_at !== null || detection.at < latest.started_at) return false;
    await measured(queries, latest, detection);
    return attackOver(yard, queries, latest, detection.at);
  }
  // Said before it ended, heard after.
  const isLate = latest !== undefined && latest.ended_at !== null && detection.at <= latest.ended_at;
  if (isLate) {
    if (detection.at >= latest.started_at) await measured(queries, latest, detection);
    return false;
  }
  const attack = latest?.ended_at === null ? latest : await begun(recording, detection, address);
  if (attack === undefined) return false;
  if (detection.at > attack.seen_at) await store.attackSeen(queries, attack.id, detection.at);
  await measured(queries, attack, detection);
  return routedByPolicy(recording, attack, detection);
}

async function begun({ yard, queries }: Recording, detection: Detection, address: string): Promise<Attack | undefined> {
  const { detector, attack, at, direction, filters } = detection;
  const held = await holderAt(queries, address, at);
  const service = held && (await serviceFind(queries, held.account_id, held.service_id));
  const made = await store.attackInsert(queries, {
    detector,
    attack,
    address,
    account_id: held?.account_id ?? null,
    service_id: held?.service_id ?? null,
    device: service?.server ?? String(service?.vmid ?? ''),
    network: held?.cidr ?? '',
    started_at: at,
    seen_at: at,
  });
  // Another node was first.
  if (made === undefined) return store.attackLatest(queries, { detector, attack, address });
  if (held !== undefined) {
    const data = { anomaly_id: String(made.id), ip: readSortable(address), direction, kind: filters };
    const whose = { account: held.account_id, service: held.service_id };
    await eventAppend(yard, queries, { ...whose, type: 'network.attack.started', data });
  } else {
    yard.log.warn({ detector, address: detection.address }, 'an attack on an address that nobody holds');
  }
  return made;
}

async function measured(queries: Queries, attack: Attack, detection: Detection): Promise<void> {
  const { at, direction, protocol, filters, sensor, figures } = detection;
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
  const { packetsPerSecond, bitsPerSecond } = detection;
  // The end is told without figures of its own, or with those of the beginning.
  if (detection.action !== 'end') {
    if (packetsPerSecond > 0)
      await store.attackRecordPut(queries, { ...record, unit: 'packets/s', value: packetsPerSecond });
    if (bitsPerSecond > 0) await store.attackRecordPut(queries, { ...record, unit: 'bits/s', value: bitsPerSecond });
  }
  const slot = logSlot(attack, at);
  if (slot !== undefined && Object.keys(figures).length > 0)
    await store.attackLogPut(queries, { attack_id: attack.id, at: slot, figures: JSON.stringify(figures) });
}

/** The moment under which a traffic log of that time is kept; undefined where the attack has lasted too long. */
export function logSlot({ started_at }: Pick<Attack, 'started_at'>, at: number): number | undefined {
  const since = at - started_at;
  return since < 0 || since >= loggedMs ? undefined : started_at + Math.floor(since / logEveryMs) * logEveryMs;
}

async function routedByPolicy(
  { yard, queries, policy }: Recording,
  attack: Attack,
  detection: Detection,
): Promise<boolean> {
  const { account_id, service_id, address } = attack;
  if (policy.policy !== 'automatic' || account_id === null || service_id === null) return false;
  const { packetsPerSecond = Infinity, bitsPerSecond = Infinity } = policy;
  const isAbove = detection.packetsPerSecond >= packetsPerSecond || detection.bitsPerSecond >= bitsPerSecond;
  // What goes out of an address is not stopped by a route to it.
  if (!isAbove || detection.direction !== 'incoming') return false;
  const reason = detection.filters === '' ? 'Attack' : `Attack: ${detection.filters}`;
  const ends_at = yard.clock.now() + policy.minutes * 60_000;
  const wanted = { address, account_id, service_id, attack_id: attack.id, origin: 'policy', reason, ends_at } as const;
  try {
    return (await nullrouteWant(yard, queries, policy, wanted)).isNew;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    yard.log.warn(
      { code: error.code, attack: attack.id },
      'an attack is not null-routed: the policy does not allow it',
    );
    return false;
  }
}

/** In the caller's transaction: ends the attack and with it what the policy null-routed for it. */
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
