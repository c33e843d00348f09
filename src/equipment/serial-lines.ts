// The serial lines of the fleet. One node listens to each line at all times and keeps the last 256 KB that it printed;
// viewers see that first and then what comes. A node whose viewer wants a line that another node holds without viewers asks
// for it, and gets it within some seconds, with what was printed before.
import { setTimeout as pause } from 'node:timers/promises';
import type { SerialLine } from '#drivers/bmc/driver.ts';
import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import * as store from '#store/devices/serial-lines.ts';
import type { Store } from '#store/store.ts';
import type { Bmcs } from './bmcs.ts';
import { ring, type Ring } from './ring.ts';

export interface SerialLinesParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly node: string;
  readonly bmcs: Bmcs;
}

export interface SerialViewer {
  onData(data: Buffer): void;
  /** The line is gone, or somebody ended the session. */
  onEnd(reason: string): void;
}
export interface SerialView {
  write(data: Buffer): Promise<void>;
  sendBreak(): Promise<void>;
  close(): void;
}

export interface SerialLines {
  /** What was printed before is the viewer's first data. A Fault where the line cannot be had. */
  view(server: string, viewer: SerialViewer): Promise<SerialView>;
  /** Begins to listen to lines that nobody listens to. Views work without. */
  start(): void;
  /** Ends every view of this server on this node. */
  endViews(server: string, reason: string): void;
  stop(): Promise<void>;
}

export const ringBytes = 256 * 1024;
const beatMs = 2000;
const leaseMs = 20_000;
const keepEveryMs = 10_000;
const takenAtOnce = 50;
const openMs = 8000;
const wantMs = 15_000;
const firstRetryMs = 2000;
const longestRetryMs = 60_000;

interface Held {
  readonly ring: Ring;
  readonly viewers: Set<SerialViewer>;
  line: SerialLine | undefined;
  opening: Promise<void> | undefined;
  retryAt: number;
  retryMs: number;
  keptAt: number;
  isDirty: boolean;
}

export function serialLines(parts: SerialLinesParts): SerialLines {
  const { clock, log, node, bmcs } = parts;
  const { queries } = parts.store;
  const held = new Map<string, Held>();
  const stopping = new AbortController();

  async function take(server: string): Promise<Held | undefined> {
    const row = await store.serialLineTake(queries, server, node, clock.now(), clock.now() + leaseMs);
    if (row === undefined) return undefined;
    const known = held.get(server);
    if (known !== undefined) return known;
    const own: Held = {
      ring: ring(ringBytes, row.ring),
      viewers: new Set(),
      line: undefined,
      opening: undefined,
      retryAt: 0,
      retryMs: firstRetryMs,
      keptAt: performance.now(),
      isDirty: false,
    };
    held.set(server, own);
    return own;
  }

  /** Opens the line where it is not open. A viewer takes it from whoever else has it; listening alone does not. */
  function open(server: string, own: Held, whenTaken: 'fail' | 'takeOver'): Promise<void> {
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
        own.line = await bmcs.use(server, (bmc) => {
          if (bmc.serial === undefined)
            throw new Fault('capability_missing', { message: 'The controller of this server has no serial.' });
          return bmc.serial.open(listener, whenTaken, AbortSignal.any([stopping.signal, AbortSignal.timeout(openMs)]));
        });
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

  async function letGo(server: string, own: Held): Promise<void> {
    held.delete(server);
    // A line that is just being opened would stay open, in the way of whoever comes next.
    await own.opening?.catch(() => {});
    for (const viewer of own.viewers) viewer.onEnd('The console went to another node.');
    await own.line?.close().catch(() => {});
    await store.serialLineKeep(queries, server, node, own.ring.contents());
    await store.serialLineRelease(queries, server, node);
  }

  async function tend(server: string, own: Held): Promise<void> {
    const row = await store.serialLineExtend(queries, server, node, clock.now() + leaseMs);
    const wantedElsewhere = row !== undefined && row.wanted_by !== node && row.wanted_until > clock.now();
    if (row === undefined || (wantedElsewhere && own.viewers.size === 0)) return letGo(server, own);
    if (own.isDirty && performance.now() - own.keptAt > keepEveryMs) {
      own.isDirty = false;
      own.keptAt = performance.now();
      await store.serialLineKeep(queries, server, node, own.ring.contents());
    }
    if (own.line === undefined && performance.now() >= own.retryAt) {
      // Not waited for: a controller that is silent must not keep the others from being tended. What stands in the way is
      // told to who wants to view; here there is nobody to tell.
      void open(server, own, own.viewers.size > 0 ? 'takeOver' : 'fail').catch(() => {});
    }
  }

  async function beat(): Promise<void> {
    await store.serialLinesEnrol(queries);
    for (const server of await store.serialLinesFree(queries, node, clock.now(), takenAtOnce)) await take(server);
    await Promise.all([...held].map(([server, own]) => tend(server, own)));
  }

  let beats: Promise<void> | undefined;
  async function listen(): Promise<void> {
    while (!stopping.signal.aborted) {
      await beat().catch((error: unknown) => log.warn({ err: error }, 'serial lines could not be tended'));
      await pause(beatMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  async function claimed(server: string): Promise<Held> {
    const until = performance.now() + wantMs;
    for (;;) {
      const own = held.get(server) ?? (await take(server));
      if (own !== undefined) return own;
      if (performance.now() > until)
        throw new Fault('device_busy', { message: 'The console is in use through another node.' });
      await store.serialLineWant(queries, server, node, clock.now() + wantMs);
      await pause(500);
    }
  }

  /** Held by this node and open. Another node may have asked for it while it was being opened: then once more. */
  async function opened(server: string): Promise<Held> {
    for (;;) {
      const own = await claimed(server);
      await openToView(server, own);
      if (held.get(server) === own) return own;
    }
  }

  async function openToView(server: string, own: Held): Promise<void> {
    // One that is just being opened to listen gives way to others; a viewer does not.
    if (own.line === undefined) await own.opening?.catch(() => {});
    if (own.line === undefined) await open(server, own, 'takeOver');
  }

  return {
    async view(server, viewer) {
      await store.serialLinesEnrol(queries);
      const own = await opened(server);
      const before = own.ring.contents();
      if (before.length > 0) viewer.onData(before);
      own.viewers.add(viewer);
      // A line that was lost is had again for who types: a controller that was away for a moment ends nobody's console.
      const line = async (): Promise<SerialLine> => {
        if (held.get(server) === own) await openToView(server, own);
        if (own.line === undefined) throw new Fault('bmc_unreachable');
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
      await Promise.allSettled([...held].map(([server, own]) => letGo(server, own)));
    },
  };
}
