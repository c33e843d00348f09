// The serial consoles of all servers. One instance listens to each line and keeps the last 256 KB of output, which viewers see
// first. An instance whose viewer wants a line that another holds without viewers asks for it, and takes it over within
// seconds, earlier output included. Output belongs to the service that has the server: it is sealed at rest, dropped when the
// server changes hands, and not kept while no service has the server. Only output that is not stored yet is in memory.
import { setTimeout as sleep } from 'node:timers/promises';
import { requireCapability, type SerialLine } from '#drivers/bmc/driver.ts';
import type { Clock } from '#lib/clock.ts';
import { ApiError } from '#lib/api-error.ts';
import type { Log } from '#lib/log.ts';
import type { SecretBox } from '#lib/secrets.ts';
import { pauseWork } from '#lib/slices.ts';
import { batches } from '#store/engine/rows.ts';
import * as store from '#store/devices/serial-lines.ts';
import { serviceOfServer } from '#store/devices/services.ts';
import type { Store } from '#store/store.ts';
import type { Bmcs } from './bmcs.ts';
import { commandTimeout } from './device-command.ts';
import { blockBytes, serialOutput, type OutputBlock, type SerialOutput } from './serial-output.ts';

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
  /**
   * Sends the viewer earlier output of the service first. Throws if the line is not available or not of this service;
   * null if no service has the server.
   */
  view(server: string, service: number | null, viewer: SerialViewer): Promise<SerialView>;
  /** Starts listening to unattended lines. Viewing works without it. */
  start(): void;
  /** Ends every view of this server through this instance. */
  endViews(server: string, reason: string): void;
  stop(): Promise<void>;
}

export const ringBytes = 256 * 1024;
/** The whole history, of which the oldest block may have been replaced in part. */
const unsavedBlocks = ringBytes / blockBytes + 1;
const beatMs = 2000;
/** Between passes over all lines. In between, only those that somebody views or wants are looked up. */
const passMs = 10_000;
const leaseMs = 20_000;
const saveEveryMs = 10_000;
const claimedPerBeat = 50;
const linesPerPage = 1000;
const savesPerTransaction = 20;
const savedPerBeat = 200;
const claimMs = 15_000;
const firstRetryMs = 2000;
const longestRetryMs = 60_000;
const noOutput = Buffer.alloc(0);
const sessionEnded = 'The console session has ended.';

interface HeldLine {
  /** Whose output and viewers these are; null if no service has the server. */
  service: number | null;
  output: SerialOutput;
  readonly viewers: Set<SerialViewer>;
  line: SerialLine | undefined;
  opening: Promise<void> | undefined;
  retryAt: number;
  retryMs: number;
  savedAt: number;
}

export function serialLines(parts: SerialLinesParts): SerialLines {
  const { clock, log, secrets, instanceId, bmcs } = parts;
  const { queries } = parts.store;
  const held = new Map<string, HeldLine>();
  const stopping = new AbortController();

  async function claim(servers: readonly string[]): Promise<void> {
    const now = clock.now();
    await store.serialHolderRenew(queries, instanceId, now + leaseMs);
    for (const server of await store.serialLinesTake(queries, servers, instanceId, now)) {
      const service = (await serviceOfServer(queries, server))?.id ?? null;
      const last = await store.serialBlockLast(queries, server);
      if (held.has(server)) continue;
      held.set(server, {
        service,
        output: continueOutput(server, service, last),
        viewers: new Set(),
        line: undefined,
        opening: undefined,
        retryAt: 0,
        retryMs: firstRetryMs,
        savedAt: performance.now(),
      });
    }
  }

  /** Fills the last stored block, if it is of this service. */
  function continueOutput(server: string, service: number | null, last: store.SerialBlock | undefined): SerialOutput {
    if (last === undefined) return serialOutput({ number: 0, bytes: noOutput }, unsavedBlocks);
    const bytes = last.service === service ? unseal(server, service, last.output) : noOutput;
    return serialOutput({ number: bytes.length === 0 ? last.number + 1 : last.number, bytes }, unsavedBlocks);
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

  /** Some at a time, so that requests do not wait for all of them. */
  async function save(lines: readonly (readonly [string, HeldLine])[]): Promise<void> {
    const unsaved = lines.filter(([, heldLine]) => isUnsaved(heldLine));
    for (const batch of batches(unsaved, savesPerTransaction)) {
      const saves = batch.map(([server, heldLine]) => ({ server, ...heldLine, blocks: heldLine.output.unsaved() }));
      await parts.store.transaction(async (inSave) => {
        for (const { server, service, blocks } of saves)
          for (const block of blocks)
            if (service !== null) await store.serialBlockPut(inSave, instanceId, seal(server, service, block));
      });
      for (const { output, blocks } of saves) output.markSaved(blocks);
      for (const [, heldLine] of batch) heldLine.savedAt = performance.now();
      await pauseWork('outside a transaction');
    }
  }

  function seal(server: string, service: number, { number, bytes }: OutputBlock): store.SerialBlock {
    return { server, service, number, output: secrets.sealBytes(bytes, sealContext(server, service)) };
  }

  /** Returns the stored output before what is in memory. */
  async function readStored(server: string, service: number, output: SerialOutput): Promise<Buffer> {
    const stored = await store.serialBlocksBefore(queries, server, service, output.first());
    return Buffer.concat(stored.map((sealed) => unseal(server, service, sealed)));
  }

  /** Drops everything of the former service if the server has changed hands. */
  function changeService(heldLine: HeldLine, service: number | null): void {
    if (heldLine.service === service) return;
    heldLine.service = service;
    const number = heldLine.output.first() + unsavedBlocks;
    heldLine.output = serialOutput({ number, bytes: noOutput }, unsavedBlocks);
    endViews(heldLine, sessionEnded);
  }

  /** Opens the line. A viewer takes it over from another session on the BMC; listening alone does not. */
  function open(server: string, heldLine: HeldLine, whenTaken: 'fail' | 'takeOver'): Promise<void> {
    heldLine.opening ??= (async () => {
      try {
        const listener = {
          onData: (data: Buffer) => {
            if (heldLine.service !== null) heldLine.output.push(data);
            for (const viewer of heldLine.viewers) viewer.onData(data);
          },
          onEnd: () => {
            heldLine.line = undefined;
            heldLine.retryAt = performance.now() + heldLine.retryMs;
          },
        };
        heldLine.line = await bmcs.use(server, (bmc, { commandMs }) =>
          requireCapability(bmc, 'serial').open(listener, whenTaken, commandTimeout(stopping.signal, commandMs)),
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
    await close(heldLine);
    await save([[server, heldLine]]);
    await store.serialLineRelease(queries, server, instanceId);
  }

  async function close(heldLine: HeldLine): Promise<void> {
    // A line that is still being opened would stay open and block the next instance.
    await heldLine.opening?.catch(() => {});
    endViews(heldLine, 'The console moved to another server instance.');
    await heldLine.line?.close().catch(() => {});
  }

  function isWantedElsewhere({ wanted_by, wanted_until }: store.SerialLineState): boolean {
    return wanted_by !== instanceId && (wanted_until ?? 0) > clock.now();
  }

  /** Releases a line that another instance wants for a viewer. */
  async function tend(server: string, heldLine: HeldLine, state: store.SerialLineState): Promise<void> {
    if (held.get(server) !== heldLine) return undefined;
    changeService(heldLine, state.service);
    if (isWantedElsewhere(state) && heldLine.viewers.size === 0) await release(server, heldLine);
  }

  /** Not awaited: an unresponsive BMC must not delay the other lines. A viewer sees the error; here nobody waits for it. */
  function reopen(server: string, heldLine: HeldLine): void {
    if (heldLine.line === undefined && performance.now() >= heldLine.retryAt)
      void open(server, heldLine, heldLine.viewers.size > 0 ? 'takeOver' : 'fail').catch(() => {});
  }

  function isFree({ holder, held_until, wanted_by, wanted_until }: store.SerialLineState): boolean {
    const now = clock.now();
    if (holder !== instanceId && (held_until ?? 0) >= now) return false;
    return wanted_by === instanceId || (wanted_until ?? 0) < now;
  }

  const report = (error: unknown): void => log.warn({ err: error }, 'could not maintain the serial lines; retrying');

  /** Limited, so that the leases are renewed in time. */
  function linesToSave(): (readonly [string, HeldLine])[] {
    const due = [...held].filter(([, line]) => isUnsaved(line) && performance.now() - line.savedAt > saveEveryMs);
    return due.toSorted(([, left], [, right]) => left.savedAt - right.savedAt).slice(0, savedPerBeat);
  }

  let passedMs = -Infinity;
  async function beat(): Promise<void> {
    const tended = performance.now() - passedMs < passMs ? await tendActive() : await passAll();
    for (const [server, heldLine] of held) reopen(server, heldLine);
    await save(linesToSave());
    await Promise.all(tended);
  }

  /** Renews all leases, and takes over lines that are free. */
  async function passAll(): Promise<Promise<void>[]> {
    passedMs = performance.now();
    await store.serialHolderRenew(queries, instanceId, clock.now() + leaseMs);
    const lost = new Map(held);
    const free: string[] = [];
    const tended: Promise<void>[] = [];
    for (let page: store.SerialLineState[] = [], isLast = false; !isLast; isLast = page.length < linesPerPage) {
      page = await store.serialLinesAfter(queries, page.at(-1)?.server ?? '', linesPerPage);
      for (const state of page) {
        const heldLine = held.get(state.server);
        if (heldLine === undefined && isFree(state)) free.push(state.server);
        if (heldLine === undefined || state.holder !== instanceId) continue;
        lost.delete(state.server);
        // Most lines are as they were.
        if (state.service !== heldLine.service || isWantedElsewhere(state))
          tended.push(tend(state.server, heldLine, state).catch(report));
      }
      await pauseWork('outside a transaction');
    }
    for (const [server, heldLine] of lost)
      if (held.get(server) === heldLine) tended.push(release(server, heldLine).catch(report));
    if (free.length > 0) await claim(free.slice(0, claimedPerBeat));
    if (free.length > claimedPerBeat) passedMs = -Infinity;
    return tended;
  }

  async function tendActive(): Promise<Promise<void>[]> {
    const viewed = [...held].filter(([, { viewers }]) => viewers.size > 0).map(([server]) => server);
    const wanted = await store.serialLinesWanted(queries, instanceId, clock.now());
    const states = await store.serialLinesOf(queries, [...new Set([...viewed, ...wanted])]);
    return states.flatMap((state) => {
      const heldLine = held.get(state.server);
      if (heldLine === undefined) return [];
      const work = state.holder === instanceId ? tend : release;
      return work(state.server, heldLine, state).catch(report);
    });
  }

  let beats: Promise<void> | undefined;
  async function listen(): Promise<void> {
    await store.serialHoldersForget(queries, clock.now()).catch(() => {});
    while (!stopping.signal.aborted) {
      await beat().catch(report);
      await sleep(beatMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  async function claimForView(server: string): Promise<HeldLine> {
    const until = performance.now() + claimMs;
    for (;;) {
      if (!held.has(server)) await claim([server]);
      const heldLine = held.get(server);
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

  /** Sends earlier output first, then what is printed while that is read. */
  async function addViewer(
    server: string,
    service: number | null,
    { output, viewers }: HeldLine,
    viewer: SerialViewer,
  ): Promise<SerialViewer> {
    const waiting: Buffer[] = [output.contents()];
    let deliver = (data: Buffer): void => void waiting.push(data);
    const entry: SerialViewer = { onData: (data) => deliver(data), onEnd: (reason) => viewer.onEnd(reason) };
    viewers.add(entry);
    try {
      const stored = service === null ? noOutput : await readStored(server, service, output);
      const earlier = Buffer.concat([stored, ...waiting]).subarray(-ringBytes);
      if (earlier.length > 0) viewer.onData(earlier);
      deliver = (data) => viewer.onData(data);
      return entry;
    } catch (error) {
      viewers.delete(entry);
      throw error;
    }
  }

  async function openToView(server: string, heldLine: HeldLine): Promise<void> {
    // A line that is being opened only to listen gives way to other sessions, so its result may be a failure.
    if (heldLine.line === undefined) await heldLine.opening?.catch(() => {});
    if (heldLine.line === undefined) await open(server, heldLine, 'takeOver');
  }

  return {
    async view(server, service, viewer) {
      const heldLine = await openHeld(server);
      if (heldLine.service !== service) throw new ApiError('not_found', { message: sessionEnded });
      const entry = await addViewer(server, service, heldLine, viewer);
      // Reopens a lost line on input, so that a brief BMC outage does not end the console.
      const line = async (): Promise<SerialLine> => {
        const isOpen = (): boolean => heldLine.viewers.has(entry);
        if (isOpen() && held.get(server) === heldLine) await openToView(server, heldLine);
        if (!isOpen()) throw new ApiError('not_found', { message: sessionEnded });
        if (heldLine.line === undefined) throw new ApiError('bmc_unreachable');
        return heldLine.line;
      };
      return {
        write: async (data) => (await line()).write(data),
        sendBreak: async () => (await line()).sendBreak(),
        close: () => void heldLine.viewers.delete(entry),
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
      const lines = [...held];
      held.clear();
      await Promise.all(lines.map(([, heldLine]) => close(heldLine)));
      await save(lines).catch(report);
      await store.serialLinesRelease(queries, instanceId).catch(report);
    },
  };
}

function isUnsaved({ service, output }: HeldLine): boolean {
  return service !== null && output.hasUnsaved();
}

function endViews({ viewers }: HeldLine, reason: string): void {
  for (const viewer of viewers) viewer.onEnd(reason);
  viewers.clear();
}

function sealContext(server: string, service: number): string {
  return `serial history ${server} ${service}`;
}
