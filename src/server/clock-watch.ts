// The clock of the process. It runs steadily and is compared with a reference: the machine's clock for SQLite, the database's
// for PostgreSQL, so that all cluster nodes agree. If the reference jumps (a wrong time at boot, a machine that slept), leases
// and plans in the database are shifted by the same amount, then this clock. Nothing stalls or expires because of the jump, and
// after a large one, billing waits for an operator.
import { steadyClock, type SteadyClock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { timeText } from '#lib/time.ts';
import {
  databaseClock,
  databaseTime,
  moveClockColumns,
  moveLateStarts,
  moveStragglers,
  totalClockMove,
} from '#store/work/clock-moves.ts';
import { metaFind, metaPut } from '#store/meta.ts';
import { findClockJump, recordTime, startTrustedTime } from '#store/work/trusted-time.ts';
import type { Store } from '#store/store.ts';

const compareEveryMs = 1000;
/** Smaller differences are corrected silently; NTP causes them all the time. */
const jumpMs = 5000;
/** After a slower response only a jump is certain. */
const accurateMs = 1000;
/** After an even slower one, leases would be off by more than a jump that is ignored. */
const maxComparisonMs = 2 * jumpMs;
/** After the first time every cluster node has usually noticed the jump; the others are for a busy one. */
const lateWritesMs = [4000, 30_000, 90_000];
const saveEveryMs = 60_000;
/** The last time, without the moves until then. */
const lastSeenKey = 'clock';

export async function openClock(store: Store): Promise<SteadyClock> {
  return steadyClock(await referenceTime(store));
}

export interface ClockParts {
  readonly store: Store;
  readonly clock: SteadyClock;
  readonly log: Log;
}

/** Compares the clocks every second. First handles a jump that happened while no server was running. */
export async function watchClock({ store, clock, log }: ClockParts): Promise<{ stop(): Promise<void> }> {
  let savedAt = -Infinity;
  let isPaused = false;
  /** Moves whose late writes are still to be moved; the next jump may come before that. */
  const recent = new Set<{ readonly by: number; readonly movedAtMs: number; readonly afterMs: number }>();
  /** The sum of all moves that the clock contains. It is read before the time: a move in between is found by comparing. */
  let total = await totalClockMove(store.queries);
  clock.move((await referenceTime(store)) - clock.now());

  async function moveBy(milliseconds: number, errorMs: number): Promise<void> {
    total = await moveClockColumns(store, { by: milliseconds, seen: total, toleranceMs: jumpMs + errorMs });
    const movedAtMs = performance.now();
    for (const afterMs of lateWritesMs) recent.add({ by: milliseconds, movedAtMs, afterMs });
    log.warn({ seconds: Math.round(milliseconds / 1000) }, 'the clock jumped; leases and schedules were shifted');
  }
  async function moveLateWrites(): Promise<void> {
    for (const move of recent) {
      const sinceMs = performance.now() - move.movedAtMs;
      if (sinceMs < move.afterMs) continue;
      const [now, { by }] = [clock.now(), move];
      await moveStragglers(store, { now, by });
      await moveLateStarts(store, { setAt: now - by - sinceMs, by });
      recent.delete(move);
    }
  }
  async function saveTime(): Promise<void> {
    if (performance.now() - savedAt < saveEveryMs) return;
    await metaPut(store.queries, lastSeenKey, String(clock.now() - total));
    await recordTime(store.queries, clock.now());
    savedAt = performance.now();
  }
  async function compare(): Promise<void> {
    const askedAt = clock.now();
    const reference = store.engine === 'sqlite' ? { now: Date.now(), total } : await databaseClock(store.queries);
    const answeredAt = clock.now();
    const tookMs = answeredAt - askedAt;
    if (tookMs > maxComparisonMs) return;
    const by = reference.now - (askedAt + answeredAt) / 2;
    const errorMs = tookMs / 2;
    const isJump = Math.abs(by) >= jumpMs + errorMs;
    if (!isJump && tookMs > accurateMs) return;
    if (isJump) await moveBy(by, errorMs);
    // An instance that starts between a jump and its move sees the new sum, but no jump.
    else total = reference.total;
    clock.move(by);
    if (isJump) await reportPause();
    await moveLateWrites();
    await saveTime();
  }

  async function reportPause(): Promise<void> {
    const jump = await findClockJump(store.queries, clock.now());
    if (jump !== undefined && !isPaused)
      log.error(
        { from: timeText(jump.from), to: timeText(jump.to) },
        'the clock is more than a day ahead of the last time that was recorded; billing is paused until an operator confirms the date',
      );
    isPaused = jump !== undefined;
  }

  const saved = await metaFind(store.queries, lastSeenKey);
  const savedTime = saved === undefined ? clock.now() : Number(saved) + total;
  await startTrustedTime(store.queries, savedTime);
  // Only backwards is a jump: time passes while no server runs.
  if (savedTime - clock.now() >= jumpMs) await moveBy(clock.now() - savedTime, 0);
  // A process that was alone may have ended in the middle of a move.
  else await moveClockColumns(store, { by: 0, seen: total, toleranceMs: Infinity });
  await reportPause();
  let comparison: Promise<void> | undefined;
  const timer = setInterval(() => {
    comparison ??= compare()
      .catch((error: unknown) => log.warn({ err: error }, 'comparing the clocks failed'))
      .finally(() => (comparison = undefined));
  }, compareEveryMs);
  return {
    async stop() {
      clearInterval(timer);
      await comparison;
    },
  };
}

async function referenceTime(store: Store): Promise<number> {
  return store.engine === 'sqlite' ? Date.now() : databaseTime(store.queries);
}
