// Reconcilers make the world match the database: without input, safe to repeat, periodic and on signal. Each has one runner
// in the whole cluster, held by a lease in the database; a node that dies is followed by another when the lease lapses.
import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import * as store from '#store/work/reconcilers.ts';
import type { Store } from '#store/store.ts';

export interface Reconciler {
  readonly name: string;
  readonly everySeconds: number;
  /** When its signal aborts; so it does when the lease is lost or the process stops. One that does not heed it is not waited
   * for, and may then run beside itself. */
  readonly deadlineSeconds: number;
  /** Answers how much is left to do, for the metrics. */
  run(signal: AbortSignal): Promise<{ readonly backlog: number }>;
}

export interface ReconcilerParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly node: string;
}

export interface Reconcilers {
  /** Looks at once for what is due, rather than at the next beat: after a signal from this node was committed. */
  wake(): void;
  stop(): Promise<void>;
}

const beatMs = 1000;
const leaseMs = 20_000;
const renewMs = leaseMs / 4;
const retryMs = 5000;
const unheededMs = 3000;

export async function startReconcilers(parts: ReconcilerParts, list: readonly Reconciler[]): Promise<Reconcilers> {
  const { clock, log, node } = parts;
  const { queries } = parts.store;
  const byName = new Map(list.map((reconciler) => [reconciler.name, reconciler]));
  const underWay = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  for (const { name } of list) await store.reconcilerEnrol(queries, name);

  async function look(): Promise<void> {
    for (const name of await store.reconcilersDue(queries, clock.now())) {
      const reconciler = byName.get(name);
      if (reconciler === undefined || underWay.has(name) || stopping.signal.aborted) continue;
      const wokenBefore = wokenTimes;
      underWay.set(
        name,
        runOnce(reconciler)
          .catch((error: unknown) => log.warn({ err: error, reconciler: name }, 'reconciler could not be begun'))
          .finally(() => {
            underWay.delete(name);
            // Whoever woke us meanwhile found this one under way, and may have been too late to be seen by it.
            if (wokenTimes !== wokenBefore) lookOnce();
          }),
      );
    }
  }

  async function runOnce(reconciler: Reconciler): Promise<void> {
    const began = clock.now();
    const taken = await store.reconcilerTake(queries, reconciler.name, node, began, began + leaseMs);
    if (taken !== undefined) await runTaken(reconciler, taken.signals, began);
  }

  async function runTaken(reconciler: Reconciler, signalsSeen: number, began: number): Promise<void> {
    const { name } = reconciler;
    const lease = renewed(name);
    const deadline = AbortSignal.timeout(reconciler.deadlineSeconds * 1000);
    const signal = AbortSignal.any([stopping.signal, lease.lost, deadline]);
    try {
      const { backlog } = await heeded(reconciler.run(signal), signal);
      const now = clock.now();
      await store.reconcilerFinish(queries, name, node, {
        nextRunAt: now + reconciler.everySeconds * 1000,
        signalsSeen,
        success: { at: now, durationMs: now - began, backlog },
        error: null,
      });
    } catch (error) {
      log.warn({ err: error, reconciler: name }, 'reconciler failed; it is tried again');
      const end = {
        nextRunAt: clock.now() + retryMs,
        signalsSeen,
        success: undefined,
        error: String(error).slice(0, 500),
      };
      await store.reconcilerFinish(queries, name, node, end).catch(() => {});
    } finally {
      lease.stop();
    }
  }

  /** Renews the lease until told to stop. It is taken for lost before it lapses, also where the database does not answer: from
   * then on another node may run the reconciler. */
  function renewed(name: string): { readonly lost: AbortSignal; stop(): void } {
    const lost = new AbortController();
    const lose = (): void => lost.abort(new Error('the lease is lost'));
    let heldUntil = performance.now() + leaseMs;
    const renewal = setInterval(() => {
      if (performance.now() > heldUntil - renewMs) lose();
      const next = performance.now() + leaseMs;
      store
        .reconcilerExtend(queries, name, node, clock.now() + leaseMs)
        .then((held) => (held ? (heldUntil = next) : lose()))
        .catch((error: unknown) => log.warn({ err: error, reconciler: name }, 'the lease could not be extended'));
    }, renewMs);
    return { lost: lost.signal, stop: () => clearInterval(renewal) };
  }

  let wokenTimes = 0;
  let looking: Promise<void> | undefined;
  let looksAgain = false;
  function lookOnce(): void {
    if (stopping.signal.aborted) return;
    if (looking !== undefined) {
      looksAgain = true;
      return;
    }
    looking = look()
      .catch((error: unknown) => log.warn({ err: error }, 'due reconcilers could not be read'))
      .finally(() => {
        looking = undefined;
        if (!looksAgain) return;
        looksAgain = false;
        lookOnce();
      });
  }
  /** Not for nothing where a look is under way: that one may have read before what it is to find was written. */
  const wake = (): void => {
    wokenTimes++;
    lookOnce();
  };
  const beat = setInterval(lookOnce, beatMs);
  lookOnce();
  return {
    wake,
    async stop() {
      clearInterval(beat);
      stopping.abort(new Error('the process stops'));
      await looking;
      await Promise.all(underWay.values());
    },
  };
}

/** The work's answer; or, a while after the signal aborts, its reason. */
async function heeded<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: unheeded, reject } = Promise.withResolvers<never>();
  const waiting = new AbortController();
  const giveUp = (): void => {
    const timer = setTimeout(() => reject(signal.reason as Error), unheededMs);
    waiting.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  };
  if (signal.aborted) giveUp();
  else signal.addEventListener('abort', giveUp, { once: true, signal: waiting.signal });
  try {
    return await Promise.race([work, unheeded]);
  } finally {
    waiting.abort();
  }
}
