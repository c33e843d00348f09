// Reconcilers make equipment match the database. They take no input, can be repeated safely, and run periodically and on signal.
// Each runs on one instance at a time, under a lease in the database; when an instance dies, another takes over its leases. The
// instance that ran it last has precedence, so that what it remembers in memory is of use. Those that poll devices run on all
// instances, each for its share (share.ts).
import type { ErrorCode } from '#contract/errors.ts';
import { ApiError, operatorMessage } from '#lib/api-error.ts';
import { BoundedMap } from '#lib/bounded-map.ts';
import type { Clock } from '#lib/clock.ts';
import { growingDelay } from '#lib/delays.ts';
import { holdLease } from '#lib/held-lease.ts';
import type { Log } from '#lib/log.ts';
import {
  reconcilerExtend,
  reconcilerFinish,
  reconcilerPlan,
  reconcilerRegister,
  reconcilersAcquire,
  reconcilersLeave,
  type ReconcilerEnd,
} from '#store/work/reconcilers.ts';
import type { Store } from '#store/store.ts';
import { combineWrites } from './batching.ts';
import { joinPollers, type Share } from './share.ts';

export interface Reconciler {
  readonly name: string;
  readonly everySeconds: number;
  /**
   * When its signal aborts; it also does when the lease is lost or the process stops. A run that ignores the signal is
   * abandoned, and may then overlap with the next one.
   */
  readonly deadlineSeconds: number;
  /** Set if it polls devices, which the instances divide among them: each runs it for its share, whoever has the lease. */
  readonly isShared?: true;
  /** Returns how much is left to do, for the metrics, and when to run again if not after `everySeconds`. */
  run(signal: AbortSignal, share?: Share): Promise<{ readonly backlog: number; readonly againInSeconds?: number }>;
}

/** Dependencies of the scheduler and of most reconcilers. */
export interface ReconcilerParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly instanceId: string;
}

interface RenewedLease {
  readonly lost: AbortSignal;
  stop(): void;
}

export interface Reconcilers {
  /** Checks for due reconcilers now, after this instance committed a signal. */
  wake(): void;
  stop(): Promise<void>;
}

const beatMs = 1000;
const leaseMs = 20_000;
const renewMs = leaseMs / 4;
const retryMs = 5000;
const abandonAfterMs = 3000;
/** Runs start at multiples of this, so that they share a commit when they start, and often another when they end. */
const gridMs = 5000;
const collectMs = 20;

export async function startReconcilers(parts: ReconcilerParts, list: readonly Reconciler[]): Promise<Reconcilers> {
  const { store, clock, log, instanceId } = parts;
  const { queries } = store;
  const byName = new Map(list.map((reconciler) => [reconciler.name, reconciler]));
  const running = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  for (const { name } of list) await reconcilerRegister(queries, name);
  const shared = list.filter(({ isShared }) => isShared === true);
  // SQLite has one instance.
  const sharing =
    store.engine === 'postgres' && shared.length > 0 ? await joinPollers(queries, clock, instanceId) : undefined;
  // In the order of names, so that no two instances wait for each other.
  const finish = combineWrites<{ readonly name: string; readonly end: ReconcilerEnd }>(
    store,
    collectMs,
    async (inFinish, ended) => {
      for (const { name, end } of ended.toSorted((one, other) => (one.name < other.name ? -1 : 1)))
        await reconcilerFinish(inFinish, name, instanceId, end);
    },
  );
  /** The last error of each reconciler since its last success. */
  const lastFailures = new Map<string, string>();
  /** When this instance runs its share next, by name, on the monotonic clock. */
  const followAt = new Map<string, number>();

  async function startDue(): Promise<void> {
    const wakesBefore = wakes;
    const { due, leaders } = await reconcilerPlan(queries, instanceId, clock.now());
    await startLeased(due, wakesBefore);
    await sharing?.refresh(leaders);
    for (const reconciler of shared) {
      const { name } = reconciler;
      const isDue = sharing?.follows(name) === true && performance.now() >= (followAt.get(name) ?? 0);
      if (isDue && !running.has(name) && !stopping.signal.aborted) start(reconciler, wakes, runShare(reconciler));
    }
  }

  /** Acquires the leases of all that are due in one statement. */
  async function startLeased(due: readonly string[], wakesBefore: number): Promise<void> {
    const idle = due.filter((name) => byName.has(name) && !running.has(name));
    if (stopping.signal.aborted) return;
    const startedAt = clock.now();
    const sentAtMs = performance.now();
    const taken = await reconcilersAcquire(queries, idle, instanceId, startedAt, startedAt + leaseMs);
    for (const { name, signals } of taken) {
      const reconciler = byName.get(name)!;
      start(reconciler, wakesBefore, runLeased(reconciler, signals, startedAt, renewLease(name, sentAtMs)));
    }
  }

  function start({ name }: Reconciler, wakesBefore: number, run: Promise<void>): void {
    running.set(
      name,
      run
        .catch((error: unknown) => log.warn({ err: error, reconciler: name }, 'could not start a reconciler'))
        .finally(() => {
          running.delete(name);
          // A wake during the run did not start this reconciler, and the run may have missed its cause.
          if (wakes !== wakesBefore) checkOnce();
        }),
    );
  }

  /** Runs without the lease, which another instance has. */
  async function runShare(reconciler: Reconciler): Promise<void> {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(reconciler.deadlineSeconds * 1000)]);
    try {
      await abandonOnAbort(reconciler.run(signal, sharing), signal);
    } finally {
      followAt.set(reconciler.name, performance.now() + reconciler.everySeconds * 1000);
    }
  }

  async function runLeased(
    reconciler: Reconciler,
    signalsSeen: number,
    startedAt: number,
    lease: RenewedLease,
  ): Promise<void> {
    const { name } = reconciler;
    const deadline = AbortSignal.timeout(reconciler.deadlineSeconds * 1000);
    const signal = AbortSignal.any([stopping.signal, lease.lost, deadline]);
    try {
      const share = reconciler.isShared === true ? sharing : undefined;
      const { backlog, againInSeconds = reconciler.everySeconds } = await abandonOnAbort(
        reconciler.run(signal, share),
        signal,
      );
      const now = clock.now();
      const success = { at: now, durationMs: now - startedAt, backlog };
      lastFailures.delete(name);
      await finish({ name, end: { nextRunAt: nextRunAt(now, againInSeconds), signalsSeen, success, error: null } });
    } catch (error) {
      // A stop interrupts runs that are fine. The next instance starts them again at once.
      const isStopped = stopping.signal.aborted;
      const message = String(error).slice(0, 500);
      if (!isStopped) logFailure(name, error, message);
      const end = {
        nextRunAt: clock.now() + (isStopped ? 0 : retryMs),
        signalsSeen,
        success: undefined,
        error: isStopped ? null : message,
      };
      await reconcilerFinish(queries, name, instanceId, end).catch(() => {});
    } finally {
      lease.stop();
    }
  }

  /** Retries follow every five seconds, so only the first of equal failures has its stack in the log. */
  function logFailure(name: string, error: unknown, message: string): void {
    const isKnown = lastFailures.get(name) === message;
    lastFailures.set(name, message);
    const cause = isKnown ? { detail: message } : { err: error };
    log.warn({ ...cause, reconciler: name }, 'a reconciler failed; retrying');
  }

  /** Renews the lease until stopped. `acquiredAtMs` is when its acquisition was sent. */
  function renewLease(name: string, acquiredAtMs: number): RenewedLease {
    const lost = new AbortController();
    const giveUp = (): void => lost.abort(new Error('the lease is lost'));
    const lease = holdLease(leaseMs, acquiredAtMs, giveUp);
    const renewal = setInterval(() => {
      const sentAtMs = performance.now();
      reconcilerExtend(queries, name, instanceId, clock.now() + leaseMs)
        .then((held) => (held ? lease.renew(sentAtMs) : giveUp()))
        .catch((error: unknown) => log.warn({ err: error, reconciler: name }, 'could not extend a lease'));
    }, renewMs);
    return {
      lost: lost.signal,
      stop() {
        clearInterval(renewal);
        lease.stop();
      },
    };
  }

  let wakes = 0;
  let checking: Promise<void> | undefined;
  let isCheckPending = false;
  function checkOnce(): void {
    if (stopping.signal.aborted) return;
    if (checking !== undefined) {
      isCheckPending = true;
      return;
    }
    checking = startDue()
      .catch((error: unknown) => log.warn({ err: error }, 'could not read the due reconcilers'))
      .finally(() => {
        checking = undefined;
        if (!isCheckPending) return;
        isCheckPending = false;
        checkOnce();
      });
  }
  /** Repeats a check that is running: it may have read before the signal was written. */
  const wake = (): void => {
    wakes++;
    checkOnce();
  };
  const beat = setInterval(checkOnce, beatMs);
  checkOnce();
  return {
    wake,
    async stop() {
      clearInterval(beat);
      stopping.abort(new Error('the process stops'));
      await checking;
      await Promise.all(running.values());
      await sharing?.leave().catch(() => {});
      await reconcilersLeave(queries, instanceId).catch(() => {});
    },
  };
}

export function nextRunAt(now: number, inSeconds: number): number {
  const at = now + inSeconds * 1000;
  return inSeconds * 1000 < gridMs ? at : Math.round(at / gridMs) * gridMs;
}

/** Returns the work's result, or throws the abort reason if the work has not ended a while after the abort. */
async function abandonOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: abandoned, reject } = Promise.withResolvers<never>();
  const waiting = new AbortController();
  const startTimer = (): void => {
    const timer = setTimeout(() => reject(signal.reason as Error), abandonAfterMs);
    waiting.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  };
  if (signal.aborted) startTimer();
  else signal.addEventListener('abort', startTimer, { once: true, signal: waiting.signal });
  try {
    return await Promise.race([work, abandoned]);
  } finally {
    waiting.abort();
  }
}

/** Runs `work` for every item, at most `concurrency` at a time, until the signal aborts. */
export async function runConcurrently<Item>(
  items: readonly Item[],
  concurrency: number,
  signal: AbortSignal,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      if (signal.aborted) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
}

/** Logs what equipment says when work on it fails: once per device and message, not once per attempt. */
export interface FailureLog {
  /** Returns the error's code. */
  failed(device: string, error: unknown): ErrorCode;
  succeeded(device: string): void;
  /** Runs the work. Returns false if it failed. */
  attempt(device: string, work: () => Promise<unknown>): Promise<boolean>;
  /** Runs the work. Returns false if the equipment rejected it or did not respond, and throws other errors. */
  attemptCommand(device: string, work: () => Promise<unknown>): Promise<boolean>;
}

const devicesRemembered = 10_000;

export function failureLog(log: Log, message: string): FailureLog {
  const last = new BoundedMap<string, string>(devicesRemembered);
  const failures: FailureLog = {
    failed(device, error) {
      const isExpected = error instanceof ApiError;
      const detail = operatorMessage(error);
      if (!isExpected) log.error({ err: error, device }, message);
      else if (last.get(device) !== detail) log.warn({ device, code: error.code, detail }, message);
      last.set(device, detail);
      return isExpected ? error.code : 'internal_error';
    },
    succeeded: (device) => void last.delete(device),
    attempt: (device, work) => failures.attemptCommand(device, work).catch(() => false),
    async attemptCommand(device, work) {
      try {
        await work();
        failures.succeeded(device);
        return true;
      } catch (error) {
        failures.failed(device, error);
        if (error instanceof ApiError) return false;
        throw error;
      }
    },
  };
  return failures;
}

const unreachableRetry = { shortestMs: 30_000, longestMs: 300_000 };

/** Returns when to check an unreachable device again: the longer it has been silent, the later. */
export function retryDelayMs(now: number, lastSeenAt: number | null): number {
  return growingDelay(now - (lastSeenAt ?? now), unreachableRetry);
}
