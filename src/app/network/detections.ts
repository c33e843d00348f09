// Records reports from all detectors. A detector that repeats itself, restarts or reports late creates one event, and
// an address belongs to whoever held it at that time. Reports that arrive together are written together, with about as
// many queries as a few, so that bursts are recorded in time.
import { routerName } from '#equipment/router.ts';
import { appendEvents } from '#events/append.ts';
import { readSortable, sortableAddress } from '#lib/address-ranges.ts';
import { parseAddress } from '#lib/addresses.ts';
import * as store from '#store/network/attacks.ts';
import type { Attack } from '#store/network/attacks.ts';
import { devicesOf } from '#store/devices/services.ts';
import { holdersAt } from '#store/network/netblock-holdings.ts';
import { routerLock } from '#store/network/routers.ts';
import type { Queries } from '#store/store.ts';
import { endAttack, recordMeasurements, applyNullroutePolicy, type ReportedAttack } from './attack-measures.ts';
import type { Detection } from './detection.ts';
import { nullroutePolicy, type NullroutePolicy } from './nullroute-policy.ts';
import type { App } from '../app.ts';

const batchSize = 200;

/** Resolves when the detection is committed. */
export type RecordDetection = (detection: Detection) => Promise<void>;

interface PendingDetection {
  readonly detection: Detection;
  done(): void;
  failed(error: unknown): void;
}

export function detectionRecorder(app: App): RecordDetection {
  const pending: PendingDetection[] = [];
  let isWriting = false;

  async function write(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    while (pending.length > 0) {
      const batch = pending.splice(0, batchSize);
      const detections = batch.map(({ detection }) => detection);
      try {
        await recordAll(app, detections);
        for (const { done } of batch) done();
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    isWriting = false;
  }

  return (detection) =>
    new Promise((done, failed) => {
      pending.push({ detection, done, failed });
      // After everything that has already arrived.
      setImmediate(() => void write());
    });
}

interface RecordingContext {
  readonly app: App;
  readonly queries: Queries;
  readonly policy: NullroutePolicy;
}

async function recordAll(app: App, detections: readonly Detection[]): Promise<void> {
  const routesChanged = await app.store.transaction(async (queries) => {
    const policy = await nullroutePolicy(queries);
    // Acquired before any other lock, as everywhere that creates null routes, to avoid deadlocks.
    if (policy.policy === 'automatic') await routerLock(queries, routerName);
    let changed = false;
    for (const wave of splitIntoWaves(detections))
      changed = (await recordWave({ app, queries, policy }, wave)) || changed;
    return changed;
  });
  if (routesChanged) app.router.requestSync();
}

interface KeyedDetection {
  readonly key: string;
  readonly address: string;
  readonly detection: Detection;
}

/** Splits reports, in order, into runs without two reports of the same attack. */
function splitIntoWaves(detections: readonly Detection[]): Map<string, KeyedDetection>[] {
  const waves: Map<string, KeyedDetection>[] = [new Map()];
  for (const detection of detections) {
    const address = sortableAddress(parseAddress(detection.address)!);
    const key = store.attackKey({ ...detection, address });
    if (waves.at(-1)!.has(key)) waves.push(new Map());
    waves.at(-1)!.set(key, { key, address, detection });
  }
  return waves;
}

/** Returns whether null routes have changed. */
async function recordWave(recording: RecordingContext, wave: ReadonlyMap<string, KeyedDetection>): Promise<boolean> {
  const { app, queries, policy } = recording;
  const keyedRows = [...wave.values()].map(({ address, detection }) => ({ ...detection, address }));
  const latest = await store.attacksLatest(queries, keyedRows);
  const newDetections: KeyedDetection[] = [];
  const ongoing: ReportedAttack[] = [];
  const late: ReportedAttack[] = [];
  let changed = false;
  for (const keyed of wave.values()) {
    const attack = latest.get(keyed.key);
    const { detection } = keyed;
    // Reported before it ended, received after.
    const isLate = attack !== undefined && attack.ended_at !== null && detection.at <= attack.ended_at;
    if (isLate) {
      if (detection.at >= attack.started_at && detection.action !== 'end') late.push({ attack, detection });
    } else if (attack?.ended_at === null) {
      if (detection.action !== 'end') ongoing.push({ attack, detection });
      // An end before the start belongs to an earlier attack.
      else if (detection.at >= attack.started_at)
        changed = (await endAttack(app, queries, attack, detection.at)) || changed;
    } else if (detection.action !== 'end') newDetections.push(keyed);
  }
  for (const { attack, detection } of ongoing)
    if (detection.at > attack.seen_at) await store.attackSeenAtSet(queries, attack.id, detection.at);
  ongoing.push(...(await startAttacks(recording, newDetections)));
  await recordMeasurements(queries, [...ongoing, ...late]);
  return (await applyNullroutePolicy(app, queries, policy, ongoing)) || changed;
}

async function startAttacks(
  { app, queries }: RecordingContext,
  newDetections: readonly KeyedDetection[],
): Promise<ReportedAttack[]> {
  if (newDetections.length === 0) return [];
  const holders = await holdersAt(
    queries,
    newDetections.map(({ address, detection }) => ({ address, at: detection.at })),
  );
  const services = new Set(holders.flatMap((holder) => holder?.service_id ?? []));
  const devices = await devicesOf(queries, [...services]);
  const rows = newDetections.map(({ address, detection: { detector, attack, at } }, index) => {
    const holder = holders[index];
    return {
      detector,
      attack,
      address,
      account_id: holder?.account_id ?? null,
      service_id: holder?.service_id ?? null,
      device: (holder && devices.get(holder.service_id)) ?? '',
      network: holder?.cidr ?? '',
      started_at: at,
      seen_at: at,
    };
  });
  const insertedByKey = new Map((await store.attacksInsert(queries, rows)).map((row) => [store.attackKey(row), row]));
  // Another instance created these first.
  const existing =
    insertedByKey.size === rows.length ? new Map<string, Attack>() : await store.attacksLatest(queries, rows);
  const reported = newDetections.flatMap(({ key, detection }) => {
    const attack = insertedByKey.get(key) ?? existing.get(key);
    return attack === undefined ? [] : [{ attack, detection }];
  });
  await emitAttackStarted(
    app,
    queries,
    reported.filter(({ attack }) => insertedByKey.get(store.attackKey(attack)) === attack),
  );
  return reported;
}

async function emitAttackStarted(app: App, queries: Queries, started: readonly ReportedAttack[]): Promise<void> {
  const events = started.flatMap(({ attack, detection }) => {
    const { account_id: account, service_id: service, address, id } = attack;
    if (account === null || service === null) {
      app.log.warn({ detector: attack.detector, address: detection.address }, 'attack on an address that nobody holds');
      return [];
    }
    const { direction, filters: kind } = detection;
    const data = { anomaly_id: String(id), ip: readSortable(address), direction, kind };
    return [{ account, service, type: 'network.attack.started' as const, data }];
  });
  await appendEvents(app, queries, events);
}
