// The one way in for all detectors. A detector that repeats itself, restarts, or reports late makes one event; an address
// belongs to whoever held it at that moment. Reports that arrive together are written together, with as many questions to the
// database as for a few, so that a burst of them is recorded while it lasts.
import { routerName } from '#equipment/router.ts';
import { eventsAppend } from '#jobs/event-append.ts';
import { readSortable, sortableAddress } from '#kernel/address-ranges.ts';
import { parseAddress } from '#kernel/addresses.ts';
import * as store from '#store/network/attacks.ts';
import type { Attack } from '#store/network/attacks.ts';
import { devicesOf, holdersAt } from '#store/network/holders.ts';
import { routerLock } from '#store/network/routers.ts';
import type { Queries } from '#store/store.ts';
import { attackOver, attacksMeasured, attacksRouted, type Reported } from './attack-measures.ts';
import type { Detection } from './detection.ts';
import { nullroutePolicy, type NullroutePolicy } from './nullroute-policy.ts';
import type { Yard } from '../yard.ts';

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
    if (isWriting) return;
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
      setImmediate(() => void write());
    });
}

interface Recording {
  readonly yard: Yard;
  readonly queries: Queries;
  readonly policy: NullroutePolicy;
}

async function recordAll(yard: Yard, detections: readonly Detection[]): Promise<void> {
  const routesChanged = await yard.store.transaction(async (queries) => {
    const policy = await nullroutePolicy(queries);
    // First of all that is locked here, as wherever null-routes are made: of two transactions none holds what the other waits for.
    if (policy.policy === 'automatic') await routerLock(queries, routerName);
    let changed = false;
    for (const wave of wavesOf(detections)) changed = (await recordWave({ yard, queries, policy }, wave)) || changed;
    return changed;
  });
  if (routesChanged) yard.router.poke();
}

interface Named {
  readonly key: string;
  readonly address: string;
  readonly detection: Detection;
}

/** Runs of reports no two of which are of the same attack, in the order in which they came. */
function wavesOf(detections: readonly Detection[]): Map<string, Named>[] {
  const waves: Map<string, Named>[] = [new Map()];
  for (const detection of detections) {
    const address = sortableAddress(parseAddress(detection.address)!);
    const key = store.attackKey({ ...detection, address });
    if (waves.at(-1)!.has(key)) waves.push(new Map());
    waves.at(-1)!.set(key, { key, address, detection });
  }
  return waves;
}

/** Answers whether null-routes have changed. */
async function recordWave(recording: Recording, wave: ReadonlyMap<string, Named>): Promise<boolean> {
  const { yard, queries, policy } = recording;
  const named = [...wave.values()].map(({ address, detection }) => ({ ...detection, address }));
  const latest = await store.attacksLatest(queries, named);
  const fresh: Named[] = [];
  const going: Reported[] = [];
  const late: Reported[] = [];
  let changed = false;
  for (const each of wave.values()) {
    const attack = latest.get(each.key);
    const { detection } = each;
    // Said before it ended, heard after.
    const isLate = attack !== undefined && attack.ended_at !== null && detection.at <= attack.ended_at;
    if (isLate) {
      if (detection.at >= attack.started_at && detection.action !== 'end') late.push({ attack, detection });
    } else if (attack?.ended_at === null) {
      if (detection.action === 'end') changed = (await ended(recording, attack, detection)) || changed;
      else going.push({ attack, detection });
    } else if (detection.action !== 'end') fresh.push(each);
  }
  for (const { attack, detection } of going)
    if (detection.at > attack.seen_at) await store.attackSeen(queries, attack.id, detection.at);
  going.push(...(await begun(recording, fresh)));
  await attacksMeasured(queries, [...going, ...late]);
  return (await attacksRouted(yard, queries, policy, going)) || changed;
}

async function ended({ yard, queries }: Recording, attack: Attack, detection: Detection): Promise<boolean> {
  // An end from before the beginning belongs to an attack that is over.
  return detection.at >= attack.started_at && attackOver(yard, queries, attack, detection.at);
}

async function begun({ yard, queries }: Recording, fresh: readonly Named[]): Promise<Reported[]> {
  if (fresh.length === 0) return [];
  const holders = await holdersAt(
    queries,
    fresh.map(({ address, detection }) => ({ address, at: detection.at })),
  );
  const services = new Set(holders.flatMap((held) => held?.service_id ?? []));
  const devices = await devicesOf(queries, [...services]);
  const rows = fresh.map(({ address, detection: { detector, attack, at } }, index) => {
    const held = holders[index];
    return {
      detector,
      attack,
      address,
      account_id: held?.account_id ?? null,
      service_id: held?.service_id ?? null,
      device: (held && devices.get(held.service_id)) ?? '',
      network: held?.cidr ?? '',
      started_at: at,
      seen_at: at,
    };
  });
  const made = new Map((await store.attacksInsert(queries, rows)).map((row) => [store.attackKey(row), row]));
  // Those that another node made first.
  const others = made.size === rows.length ? new Map<string, Attack>() : await store.attacksLatest(queries, rows);
  const reported = fresh.flatMap(({ key, detection }) => {
    const attack = made.get(key) ?? others.get(key);
    return attack === undefined ? [] : [{ attack, detection }];
  });
  await tellBegun(
    yard,
    queries,
    reported.filter(({ attack }) => made.get(store.attackKey(attack)) === attack),
  );
  return reported;
}

async function tellBegun(yard: Yard, queries: Queries, begunNow: readonly Reported[]): Promise<void> {
  const events = begunNow.flatMap(({ attack, detection }) => {
    const { account_id: account, service_id: service, address, id } = attack;
    if (account === null || service === null) {
      yard.log.warn(
        { detector: attack.detector, address: detection.address },
        'an attack on an address that nobody holds',
      );
      return [];
    }
    const { direction, filters: kind } = detection;
    const data = { anomaly_id: String(id), ip: readSortable(address), direction, kind };
    return [{ account, service, type: 'network.attack.started' as const, data }];
  });
  await eventsAppend(yard, queries, events);
}
