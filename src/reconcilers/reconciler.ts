// Reconcilers make the world match the database: without input, safe to repeat, periodic and on signal. Each has one runner
// in the whole cluster, held by a lease in the database; a node that dies is followed by another when the lease lapses.
import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import * as store from '#store/reconcilers.ts';
import type { Store } from '#store/store.ts';

export interface Reconciler {
  readonly name: string;
  readonly everySeconds: number;
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
const retryMs = 5000;

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
      underWay.set(
        name,
        runOnce(reconciler).finally(() => underWay.delete(name)),
      );
    }
  }

  async function runOnce(reconciler: Reconciler): Promise<void> {
    const { name } = reconciler;
    const began = clock.now();
    const taken = await store.reconcilerTake(queries, name, node, began, began + leaseMs);
    if (taken === undefined) return;
    const lost = new AbortController();
    const renewal = setInterval(() => {
      store
        .reconcilerExtend(queries, name, node, clock.now() + leaseMs)
        .then((held) => held || lost.abort(new Error('the lease is lost')))
        .catch((error: unknown) => log.warn({ err: error, reconciler: name }, 'the lease could not be extended'));
    }, leaseMs / 4);
    const signal = AbortSignal.any([
      stopping.signal,
      lost.signal,
      AbortSignal.timeout(reconciler.deadlineSeconds * 1000),
    ]);
    try {
      const { backlog } = await reconciler.run(signal);
      const now = clock.now();
      await store.reconcilerFinish(queries, name, node, {
        nextRunAt: now + reconciler.everySeconds * 1000,
        signalsSeen: taken.signals,
        success: { at: now, durationMs: now - began, backlog },
        error: null,
      });
    } catch (error) {
      log.warn({ err: error, reconciler: name }, 'reconciler failed; it is tried again');
      const end = {
        nextRunAt: clock.now() + retryMs,
        signalsSeen: taken.signals,
        success: undefined,
        error: String(error).slice(0, 500),
      };
      await store.reconcilerFinish(queries, name, node, end).catch(() => {});
    } finally {
      clearInterval(renewal);
    }
  }

  let looking: Promise<void> | undefined;
  const wake = (): void => {
    if (stopping.signal.aborted) return;
    looking ??= look()
      .catch((error: unknown) => log.warn({ err: error }, 'due reconcilers could not be read'))
      .finally(() => (looking = undefined));
  };
  const beat = setInterval(wake, beatMs);
  wake();
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
