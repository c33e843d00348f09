// The serial consoles of all servers. One instance listens to each line and keeps the last 256 KB of output, which viewers see
// first. An instance whose viewer wants a line that another holds without viewers asks for it, and takes it over within
// seconds, earlier output included. Output belongs to the service that has the server: it is sealed at rest, dropped when the
// server changes hands, and not kept while no service has the server.
import { setTimeout as sleep } from 'node:timers/promises';
import { requireCapability, type SerialLine } from '#drivers/bmc/driver.ts';
import type { Clock } from '#lib/clock.ts';
import { ApiError } from '#lib/api-error.ts';
import type { Log } from '#lib/log.ts';
import type { SecretBox } from '#lib/secrets.ts';
import * as store from '#store/devices/serial-lines.ts';
import { serviceOfServer } from '#store/devices/services.ts';
import type { Store } from '#store/store.ts';
import type { Bmcs } from './bmcs.ts';
import { ring, type Ring } from './ring.ts';

export interface SerialLinesParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly secrets: SecretBox;
  readonly instanceId: string;
  readonly bmcs: Bmcs;
}

export interface SerialViewer {
  onData(data: Buffer): void;
  /** The line was lost, or the session was ended. */
  onEnd(reason: string): void;
}
export interface SerialView {
  write(data: Buffer): Promise<void>;
  sendBreak(): Promise<void>;
  close(): void;
}

export interface SerialLines {
  /** Sends the viewer earlier output of the service first. Throws if the line is not available or not of this service. */
  view(server: string, service: number, viewer: SerialViewer): Promise<SerialView>;
  /** Starts listening to unattended lines. Viewing works without it. */
  start(): void;
  /** Ends every view of this server through this instance. */
  endViews(server: string, reason: string): void;
  stop(): Promise<void>;
}

export const ringBytes = 256 * 1024;
const beatMs = 2000;
const leaseMs = 20_000;
const saveEveryMs = 10_000;
const claimedPerBeat = 50;
const openMs = 8000;
const claimMs = 15_000;
const firstRetryMs = 2000;
const longestRetryMs = 60_000;
const noOutput = Buffer.alloc(0);
const sessionEnded = 'The console session has ended.';

interface HeldLine {
  /** Whose output and viewers these are; null if no service has the server. */
  service: number | null;
  ring: Ring;
  readonly viewers: Set<SerialViewer>;
  line: SerialLine | undefined;
  opening: Promise<void> | undefined;
  retryAt: number;
  retryMs: number;
  savedAt: number;
  isDirty: boolean;
}

export function serialLines(parts: SerialLinesParts): SerialLines {
  const { clock, log, secrets, instanceId, bmcs } = parts;
  const { queries } = parts.store;
  const held = new Map<string, HeldLine>();
  const stopping = new AbortController();

  async function claim(server: string): Promise<HeldLine | undefined> {
    const now = clock.now();
    if (!(await store.serialLineTake(queries, server, instanceId, now, now + leaseMs))) return undefined;
    const history = await store.serialHistoryFind(queries, server);
    const current = held.get(server);
    if (current !== undefined) return current;
    const heldLine: HeldLine = {
      service: history?.service ?? null,
      ring: ring(ringBytes, history?.output ? unseal(server, history.service, history.output) : noOutput),
      viewers: new Set(),
      line: undefined,
      opening: undefined,
      retryAt: 0,
      retryMs: firstRetryMs,
      savedAt: performance.now(),
      isDirty: false,
    };
    held.set(server, heldLine);
    return heldLine;
  }

  /** Output that does not open is lost, but must not keep anybody from the line. */
  function unseal(server: string, service: number, sealed: Buffer): Buffer {
    try {
      return secrets.openBytes(sealed, sealContext(server, service));
    } catch (error) {
      log.warn({ err: error, server }, 'could not open the earlier output of a serial line');
      return noOutput;
    }
  }

  async function save(server: string, heldLine: HeldLine): Promise<void> {
    const { service } = heldLine;
    if (service === null || !heldLine.isDirty) return;
    heldLine.isDirty = false;
    heldLine.savedAt = performance.now();
    try {
      const output = secrets.sealBytes(heldLine.ring.contents(), sealContext(server, service));
      await store.serialHistorySet(queries, server, instanceId, service, output);
    } catch (error) {
      heldLine.isDirty = true;
      throw error;
    }
  }

  /** Drops everything of the former service if the server has changed hands. */
  function changeService(heldLine: HeldLine, service: number | null): void {
    if (heldLine.service === service) return;
    heldLine.service = service;
    heldLine.ring = ring(ringBytes, noOutput);
    heldLine.isDirty = false;
    endViews(heldLine, sessionEnded);
  }

  /** Opens the line. A viewer takes it over from another session on the BMC; listening alone does not. */
  function open(server: string, heldLine: HeldLine, whenTaken: 'fail' | 'takeOver'): Promise<void> {
    heldLine.opening ??= (async () => {
      try {
        const listener = {
          onData: (data: Buffer) => {
            if (heldLine.service !== null) {
              heldLine.ring.push(data);
              heldLine.isDirty = true;
            }
            for (const viewer of heldLine.viewers) viewer.onData(data);
          },
          onEnd: () => {
            heldLine.line = undefined;
            heldLine.retryAt = performance.now() + heldLine.retryMs;
          },
        };
        const limit = AbortSignal.any([stopping.signal, AbortSignal.timeout(openMs)]);
        heldLine.line = await bmcs.use(server, (bmc) =>
          requireCapability(bmc, 'serial').open(listener, whenTaken, limit),
        );
        heldLine.retryMs = firstRetryMs;
      } catch (error) {
        heldLine.retryMs = Math.min(longestRetryMs, heldLine.retryMs * 2);
        heldLine.retryAt = performance.now() + heldLine.retryMs;
        throw error;
      } finally {
        heldLine.opening = undefined;
      }
    })();
    return heldLine.opening;
  }

  async function release(server: string, heldLine: HeldLine): Promise<void> {
    held.delete(server);
    // A line that is still being opened would stay open and block the next instance.
    await heldLine.opening?.catch(() => {});
    endViews(heldLine, 'The console moved to another server instance.');
    await heldLine.line?.close().catch(() => {});
    await save(server, heldLine);
    await store.serialLineRelease(queries, server, instanceId);
  }

  async function tend(server: string, heldLine: HeldLine, lease: store.SerialLease | undefined): Promise<void> {
    if (held.get(server) !== heldLine) return undefined;
    if (lease === undefined) return release(server, heldLine);
    changeService(heldLine, lease.service);
    const isWantedElsewhere = lease.wanted_by !== instanceId && lease.wanted_until > clock.now();
    if (isWantedElsewhere && heldLine.viewers.size === 0) return release(server, heldLine);
    if (performance.now() - heldLine.savedAt > saveEveryMs) await save(server, heldLine);
    if (heldLine.line === undefined && performance.now() >= heldLine.retryAt) {
      // Not awaited: an unresponsive BMC must not delay the other lines. A viewer sees the error; here nobody waits for it.
      void open(server, heldLine, heldLine.viewers.size > 0 ? 'takeOver' : 'fail').catch(() => {});
    }
  }

  async function beat(): Promise<void> {
    await store.serialLinesCreateMissing(queries);
    for (const server of await store.serialLinesFree(queries, instanceId, clock.now(), claimedPerBeat))
      await claim(server);
    const lines = [...held];
    const servers = lines.map(([server]) => server);
    const leases = await store.serialLinesRenew(queries, servers, instanceId, clock.now() + leaseMs);
    await Promise.all(lines.map(([server, heldLine]) => tend(server, heldLine, leases.get(server))));
  }

  let beats: Promise<void> | undefined;
  async function listen(): Promise<void> {
    while (!stopping.signal.aborted) {
      await beat().catch((error: unknown) => log.warn({ err: error }, 'could not maintain the serial lines; retrying'));
      await sleep(beatMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  async function claimForView(server: string): Promise<HeldLine> {
    const until = performance.now() + claimMs;
    for (;;) {
      const heldLine = held.get(server) ?? (await claim(server));
      if (heldLine !== undefined) return heldLine;
      if (performance.now() > until)
        throw new ApiError('device_busy', {
          message: 'The console is in use through another server instance. Try again later.',
        });
      await store.serialLineRequest(queries, server, instanceId, clock.now() + claimMs);
      await sleep(500);
    }
  }

  /** Claims and opens the line; repeats both if another instance took it over in between. */
  async function openHeld(server: string): Promise<HeldLine> {
    for (;;) {
      const heldLine = await claimForView(server);
      await openToView(server, heldLine);
      changeService(heldLine, (await serviceOfServer(queries, server))?.id ?? null);
      if (held.get(server) === heldLine) return heldLine;
    }
  }

  async function openToView(server: string, heldLine: HeldLine): Promise<void> {
    // A line that is being opened only to listen gives way to other sessions, so its result may be a failure.
    if (heldLine.line === undefined) await heldLine.opening?.catch(() => {});
    if (heldLine.line === undefined) await open(server, heldLine, 'takeOver');
  }

  return {
    async view(server, service, viewer) {
      await store.serialLinesCreateMissing(queries);
      const heldLine = await openHeld(server);
      if (heldLine.service !== service) throw new ApiError('not_found', { message: sessionEnded });
      const earlierOutput = heldLine.ring.contents();
      if (earlierOutput.length > 0) viewer.onData(earlierOutput);
      heldLine.viewers.add(viewer);
      // Reopens a lost line on input, so that a brief BMC outage does not end the console.
      const line = async (): Promise<SerialLine> => {
        const isOpen = (): boolean => heldLine.viewers.has(viewer);
        if (isOpen() && held.get(server) === heldLine) await openToView(server, heldLine);
        if (!isOpen()) throw new ApiError('not_found', { message: sessionEnded });
        if (heldLine.line === undefined) throw new ApiError('bmc_unreachable');
        return heldLine.line;
      };
      return {
        write: async (data) => (await line()).write(data),
        sendBreak: async () => (await line()).sendBreak(),
        close: () => void heldLine.viewers.delete(viewer),
      };
    },
    start: () => void (beats ??= listen()),
    endViews(server, reason) {
      const heldLine = held.get(server);
      if (heldLine !== undefined) endViews(heldLine, reason);
    },
    async stop() {
      stopping.abort();
      await beats;
      await Promise.allSettled([...held].map(([server, heldLine]) => release(server, heldLine)));
    },
  };
}

function endViews({ viewers }: HeldLine, reason: string): void {
  for (const viewer of viewers) viewer.onEnd(reason);
  viewers.clear();
}

function sealContext(server: string, service: number): string {
  return `serial history ${server} ${service}`;
}
