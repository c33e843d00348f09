// The serial consoles of all servers. One instance listens to each line and keeps the last 256 KB of output, which viewers see
// first. An instance whose viewer wants a line that another holds without viewers asks for it, and takes it over within
// seconds, earlier output included.
import { setTimeout as sleep } from 'node:timers/promises';
import { requireCapability, type SerialLine } from '#drivers/bmc/driver.ts';
import type { Clock } from '#lib/clock.ts';
import { ApiError } from '#lib/api-error.ts';
import type { Log } from '#lib/log.ts';
import * as store from '#store/devices/serial-lines.ts';
import type { Store } from '#store/store.ts';
import type { Bmcs } from './bmcs.ts';
import { ring, type Ring } from './ring.ts';

export interface SerialLinesParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
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
  /** Sends the viewer earlier output first. Throws if the line is not available. */
  view(server: string, viewer: SerialViewer): Promise<SerialView>;
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

interface HeldLine {
  readonly ring: Ring;
  readonly viewers: Set<SerialViewer>;
  line: SerialLine | undefined;
  opening: Promise<void> | undefined;
  retryAt: number;
  retryMs: number;
  savedAt: number;
  isDirty: boolean;
}

export function serialLines(parts: SerialLinesParts): SerialLines {
  const { clock, log, instanceId, bmcs } = parts;
  const { queries } = parts.store;
  const held = new Map<string, HeldLine>();
  const stopping = new AbortController();

  async function claim(server: string): Promise<HeldLine | undefined> {
    const row = await store.serialLineTake(queries, server, instanceId, clock.now(), clock.now() + leaseMs);
    if (row === undefined) return undefined;
    const current = held.get(server);
    if (current !== undefined) return current;
    const own: HeldLine = {
      ring: ring(ringBytes, row.ring),
      viewers: new Set(),
      line: undefined,
      opening: undefined,
      retryAt: 0,
      retryMs: firstRetryMs,
      savedAt: performance.now(),
      isDirty: false,
    };
    held.set(server, own);
    return own;
  }

  /** Opens the line. A viewer takes it over from another session on the BMC; listening alone does not. */
  function open(server: string, own: HeldLine, whenTaken: 'fail' | 'takeOver'): Promise<void> {
    own.opening ??= (async () => {
      try {
        const listener = {
          onData: (data: Buffer) => {
            own.ring.push(data);
            own.isDirty = true;
            for (const viewer of own.viewers) viewer.onData(data);
          },
          onEnd: () => {
            own.line = undefined;
            own.retryAt = performance.now() + own.retryMs;
          },
        };
        const limit = AbortSignal.any([stopping.signal, AbortSignal.timeout(openMs)]);
        own.line = await bmcs.use(server, (bmc) => requireCapability(bmc, 'serial').open(listener, whenTaken, limit));
        own.retryMs = firstRetryMs;
      } catch (error) {
        own.retryMs = Math.min(longestRetryMs, own.retryMs * 2);
        own.retryAt = performance.now() + own.retryMs;
        throw error;
      } finally {
        own.opening = undefined;
      }
    })();
    return own.opening;
  }

  async function release(server: string, own: HeldLine): Promise<void> {
    held.delete(server);
    // A line that is still being opened would stay open and block the next instance.
    await own.opening?.catch(() => {});
    for (const viewer of own.viewers) viewer.onEnd('The console moved to another server instance.');
    await own.line?.close().catch(() => {});
    await store.serialLineOutputSet(queries, server, instanceId, own.ring.contents());
    await store.serialLineRelease(queries, server, instanceId);
  }

  async function tend(server: string, own: HeldLine): Promise<void> {
    const row = await store.serialLineExtend(queries, server, instanceId, clock.now() + leaseMs);
    const isWantedElsewhere = row !== undefined && row.wanted_by !== instanceId && row.wanted_until > clock.now();
    if (row === undefined || (isWantedElsewhere && own.viewers.size === 0)) return release(server, own);
    if (own.isDirty && performance.now() - own.savedAt > saveEveryMs) {
      own.isDirty = false;
      own.savedAt = performance.now();
      await store.serialLineOutputSet(queries, server, instanceId, own.ring.contents());
    }
    if (own.line === undefined && performance.now() >= own.retryAt) {
      // Not awaited: an unresponsive BMC must not delay the other lines. A viewer sees the error; here nobody waits for it.
      void open(server, own, own.viewers.size > 0 ? 'takeOver' : 'fail').catch(() => {});
    }
  }

  async function beat(): Promise<void> {
    await store.serialLinesCreateMissing(queries);
    for (const server of await store.serialLinesFree(queries, instanceId, clock.now(), claimedPerBeat))
      await claim(server);
    await Promise.all([...held].map(([server, own]) => tend(server, own)));
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
      const own = held.get(server) ?? (await claim(server));
      if (own !== undefined) return own;
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
      const own = await claimForView(server);
      await openToView(server, own);
      if (held.get(server) === own) return own;
    }
  }

  async function openToView(server: string, own: HeldLine): Promise<void> {
    // A line that is being opened only to listen gives way to other sessions, so its result may be a failure.
    if (own.line === undefined) await own.opening?.catch(() => {});
    if (own.line === undefined) await open(server, own, 'takeOver');
  }

  return {
    async view(server, viewer) {
      await store.serialLinesCreateMissing(queries);
      const own = await openHeld(server);
      const earlierOutput = own.ring.contents();
      if (earlierOutput.length > 0) viewer.onData(earlierOutput);
      own.viewers.add(viewer);
      // Reopens a lost line on input, so that a brief BMC outage does not end the console.
      const line = async (): Promise<SerialLine> => {
        if (held.get(server) === own) await openToView(server, own);
        if (own.line === undefined) throw new ApiError('bmc_unreachable');
        return own.line;
      };
      return {
        write: async (data) => (await line()).write(data),
        sendBreak: async () => (await line()).sendBreak(),
        close: () => void own.viewers.delete(viewer),
      };
    },
    start: () => void (beats ??= listen()),
    endViews(server, reason) {
      const own = held.get(server);
      for (const viewer of own?.viewers ?? []) viewer.onEnd(reason);
      own?.viewers.clear();
    },
    async stop() {
      stopping.abort();
      await beats;
      await Promise.allSettled([...held].map(([server, own]) => release(server, own)));
    },
  };
}
