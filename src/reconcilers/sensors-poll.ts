// Reads the event logs and sensors of servers every few minutes. A part that is broken in two checks in a row is a fault, which
// the customer is notified of if the site allows it.
//
// Reading forty sensors costs 12 ms of CPU time, so in a large fleet a check reads only the log, and the sensors when it has a new
// entry, as BMCs write when a sensor leaves its limits; without one, the sensors have their turn less often.
//
// When a server is due is known only in memory, and readings are stored when they have changed noticeably: otherwise an idle
// fleet would rewrite every row every few minutes. Power checks notice silent BMCs sooner, so these are not contacted here.
import { requireCapability, type LogPage } from '#drivers/bmc/driver.ts';
import type { Bmcs } from '#equipment/bmcs.ts';
import { commandTimeout, isUnreachable } from '#equipment/device-command.ts';
import { appendEvent, type AppendParts } from '#events/append.ts';
import { ApiError } from '#lib/api-error.ts';
import { jittered } from '#lib/delays.ts';
import type { Log } from '#lib/log.ts';
import {
  logAppend,
  sensorFaults,
  sensorReadings,
  sensorServers,
  sensorsLock,
  sensorsOfServers,
  sensorsPut,
  type Fault,
  type ServerSensors,
  type StoredReading,
} from '#store/devices/sensors.ts';
import { serversToCheckAgain, type DueServer } from '#store/devices/servers.ts';
import { serviceOfServer, servicesOfServers } from '#store/devices/services.ts';
import type { Queries, Store } from '#store/store.ts';
import { failureLog, runConcurrently, type Reconciler } from './reconciler.ts';
import { FaultWatch, figuresOf, isWorthStoring, printable, toStored } from './sensor-judgement.ts';
import { wholeShare, type Share } from './share.ts';

export interface SensorsPollParts extends AppendParts {
  readonly store: Store;
  readonly bmcs: Bmcs;
  readonly log: Log;
  /** Returns whether customers see the sensors of their servers. */
  canCustomersSee(): Promise<boolean>;
}

const everySeconds = 5;
const deadlineSeconds = 150;
const shortestIntervalMs = 300_000;
/** With more than five thousand servers on one instance, checks take turns. */
const intervalPerServerMs = 60;
/** With more than 250, readings take turns, which cost at most 1% of a core. */
const readingIntervalPerServerMs = 1200;
/** Between the checks that confirm a fault, and while the event log has more entries. */
const soonMs = 60_000;
/** Of a BMC without sensors, which a new firmware may have. */
const unsupportedMs = 6 * 3_600_000;
const listedEveryMs = 60_000;
/** After a start, the first checks are spread, because they take hundreds of commands each and customers come first. */
const firstChecksMs = 100;
const checksPerRun = 250;
const concurrency = 50;
/** A run starts no check after this, so that slow BMCs end before its deadline. */
const startChecksForMs = 60_000;
/** Reading all sensors takes many commands, each of which ends by the limit of the driver. */
const checkFactor = 15;
/** Ends before the deadline of a run that started it late. */
const longestCheckMs = 85_000;

/** A server that is due, as it was stored when the run started. */
interface CheckedServer extends DueServer {
  readonly row: ServerSensors | undefined;
  /** Null if no service has the server. */
  readonly service: number | null;
}

export function sensorsPoll(parts: SensorsPollParts, readingPerServerMs = readingIntervalPerServerMs): Reconciler {
  const { store, bmcs, clock } = parts;
  const failures = failureLog(parts.log, 'could not read sensors');
  const logFailures = failureLog(parts.log, 'could not read an event log');
  // One entry per server.
  const due = new Map<string, number>();
  const readingDue = new Map<string, number>();
  const watches = new Map<string, FaultWatch>();
  let listedAt = -Infinity;
  let intervalMs = shortestIntervalMs;
  let readingIntervalMs = shortestIntervalMs;

  async function listDue(share: Share): Promise<CheckedServer[]> {
    const now = clock.now();
    if (Math.abs(now - listedAt) >= listedEveryMs) {
      listedAt = now;
      const names = new Set(await sensorServers(store.queries));
      for (const name of due.keys()) if (!names.has(name)) forget(name);
      const own = [...names].filter((name) => share.has(name)).length;
      intervalMs = Math.max(shortestIntervalMs, own * intervalPerServerMs);
      readingIntervalMs = Math.max(intervalMs, own * readingPerServerMs);
      const spreadMs = Math.min(intervalMs, names.size * firstChecksMs);
      for (const name of names) if (!due.has(name)) due.set(name, now + Math.random() * spreadMs);
    }
    // One that is due much later was planned before the clock was set.
    const isDue = (at: number): boolean => at <= now || at > now + 2 * unsupportedMs;
    const names = [...due]
      .filter(([name, at]) => isDue(at) && share.has(name))
      .sort(([, one], [, other]) => one - other);
    const listed = names.slice(0, checksPerRun).map(([name]) => name);
    const rows = await sensorsOfServers(store.queries, listed);
    const services = await servicesOfServers(store.queries, listed);
    const servers = await serversToCheckAgain(store.queries, listed);
    return servers.map((server) => ({
      ...server,
      row: rows.get(server.name),
      service: services.get(server.name) ?? null,
    }));
  }

  /** Again sooner if the clock was set. */
  function isReadingDue(name: string): boolean {
    const at = readingDue.get(name) ?? 0;
    const now = clock.now();
    return readingIntervalMs === intervalMs || at <= now || at > now + 2 * readingIntervalMs;
  }

  function forget(name: string): void {
    due.delete(name);
    readingDue.delete(name);
    watches.delete(name);
  }

  async function check(server: CheckedServer, signal: AbortSignal): Promise<void> {
    const { name, row, bmc_revision, power_error } = server;
    due.set(name, clock.now() + jittered(intervalMs));
    if (power_error !== null) return recordError(name, row, power_error);
    // A fault or an error ends only when the sensors are read.
    const isReading = isReadingDue(name) || (row !== undefined && (row.fault_count > 0 || row.error !== null));
    let log: LogPage | undefined;
    let readings: StoredReading[] | undefined;
    try {
      ({ readings, log } = await bmcs.use(
        name,
        async (bmc, { checkMs }) => {
          const limit = commandTimeout(signal, Math.min(checkMs * checkFactor, longestCheckMs));
          const sensors = requireCapability(bmc, 'sensors');
          const first = isReading ? await sensors.read(limit) : undefined;
          const page = await readLog(name, () => bmc.log?.read(row?.log_position ?? undefined, limit));
          const hasNews = (page?.entries.length ?? 0) > 0;
          const all = first ?? (hasNews ? await sensors.read(limit) : undefined);
          return { readings: all?.map(toStored), log: page };
        },
        bmc_revision,
      ));
      failures.succeeded(name);
    } catch (error) {
      // An aborted check says nothing about the server.
      if (signal.aborted) return undefined;
      const code = failures.failed(name, error);
      if (code === 'capability_missing') due.set(name, clock.now() + jittered(unsupportedMs));
      return recordError(name, row, code);
    }
    if (readings === undefined) return undefined;
    readingDue.set(name, clock.now() + jittered(readingIntervalMs));
    if (await record(server, readings, log)) return undefined;
    due.set(name, clock.now() + jittered(soonMs));
    readingDue.delete(name);
    return undefined;
  }

  /** A BMC without a log, or with a faulty one, still has sensors. */
  async function readLog(name: string, read: () => Promise<LogPage> | undefined): Promise<LogPage | undefined> {
    try {
      const log = await read();
      logFailures.succeeded(name);
      return log;
    } catch (error) {
      if (!(error instanceof ApiError) || isUnreachable(error)) throw error;
      if (error.code !== 'capability_missing') logFailures.failed(name, error);
      return undefined;
    }
  }

  /** The readings stay, as the last known ones. */
  async function recordError(name: string, row: ServerSensors | undefined, error: string): Promise<void> {
    if (row?.error === error) return;
    await store.transaction(async (queries) => {
      if (await lockUnchanged(queries, name, row)) await sensorsPut(queries, { ...(row ?? noSensors(name)), error });
    });
  }

  /** Returns whether the server can wait for its next regular check. */
  async function record(
    { name, row, service }: CheckedServer,
    readings: readonly StoredReading[],
    log: LogPage | undefined,
  ): Promise<boolean> {
    const now = clock.now();
    const watch = watches.get(name) ?? new FaultWatch();
    watches.set(name, watch);
    const { faults, began, ended, isInDoubt } = watch.judge(readings, sensorFaults.decode(row?.faults ?? '[]'), now);
    const entries = log?.entries ?? [];
    const position = log?.position ?? row?.log_position ?? null;
    const isUnchanged =
      row !== undefined &&
      row.service_id === service &&
      row.log_position === position &&
      row.faults === sensorFaults.encode(faults) &&
      !isWorthStoring(row, readings, now);
    if (!isUnchanged) {
      const canSee = began.length + ended.length > 0 && (await parts.canCustomersSee());
      await store.transaction(async (queries) => {
        if (!(await lockUnchanged(queries, name, row))) return;
        const notified = await notify(queries, name, { began, ended, canSee });
        const holder = (await serviceOfServer(queries, name))?.id ?? null;
        const openFaults = faults.map((fault) => (began.includes(fault) ? { ...fault, ...notified } : fault));
        await sensorsPut(queries, {
          server: name,
          service_id: holder,
          readings: sensorReadings.encode(readings),
          read_at: now,
          error: null,
          faults: sensorFaults.encode(openFaults),
          fault_count: openFaults.length,
          ...figuresOf(readings),
          log_position: position,
        });
        // Entries since the last check may be from before the server was handed over.
        const owner = row?.service_id === holder ? holder : null;
        await logAppend(
          queries,
          entries.map(({ at, severity, text }) => ({
            server: name,
            service_id: owner,
            at: at ?? null,
            seen_at: now,
            severity,
            text: printable(text),
          })),
        );
      });
      for (const { sensor, severity, detail } of began)
        parts.log.warn({ server: name, sensor, severity, detail }, 'a part of a server is broken');
      for (const { sensor } of ended) parts.log.info({ server: name, sensor }, 'a part of a server works again');
    }
    return !isInDoubt && log?.hasMore !== true;
  }

  /** Emits events for the customer who has the server. One who got it with a fault is not notified when that ends. */
  async function notify(
    queries: Queries,
    name: string,
    { began, ended, canSee }: { began: readonly Fault[]; ended: readonly Fault[]; canSee: boolean },
  ): Promise<{ readonly service?: number }> {
    const service = canSee ? await serviceOfServer(queries, name) : undefined;
    if (service === undefined) return {};
    const owner = { account: service.account_id, service: service.id };
    for (const { sensor, kind, severity, detail } of began)
      await appendEvent(parts, queries, {
        ...owner,
        type: 'device.hardware.failed',
        data: { sensor, kind, severity, detail },
      });
    for (const { sensor, kind } of ended.filter((fault) => fault.service === service.id))
      await appendEvent(parts, queries, { ...owner, type: 'device.hardware.recovered', data: { sensor, kind } });
    return { service: service.id };
  }

  return {
    name: 'sensors-poll',
    everySeconds,
    deadlineSeconds,
    isShared: true,
    async run(signal, share = wholeShare) {
      const list = await listDue(share);
      const untilMs = performance.now() + startChecksForMs;
      await runConcurrently(list, concurrency, signal, async (server) => {
        if (performance.now() < untilMs) await check(server, signal);
      });
      return { backlog: list.length === checksPerRun ? checksPerRun : 0 };
    },
  };
}

/** Returns false if another instance has read the server since, or it was removed: what this one saw is old. */
async function lockUnchanged(queries: Queries, name: string, row: ServerSensors | undefined): Promise<boolean> {
  const current = await sensorsLock(queries, name);
  const isUnchanged =
    current?.read_at === row?.read_at && current?.log_position === row?.log_position && current?.faults === row?.faults;
  return isUnchanged && (await serversToCheckAgain(queries, [name])).length > 0;
}

function noSensors(server: string): ServerSensors {
  return {
    server,
    service_id: null,
    readings: '[]',
    read_at: null,
    error: null,
    faults: '[]',
    fault_count: 0,
    celsius: null,
    rpm: null,
    watts: null,
    inlet_celsius: null,
    log_position: null,
  };
}
