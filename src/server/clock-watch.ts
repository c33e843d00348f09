// The clock of the process. It runs steadily and is compared with a reference: the machine's clock for SQLite, the database's
// for PostgreSQL, so that all cluster nodes agree. If the reference jumps (a wrong time at boot, a machine that slept), leases
// and plans in the database are shifted by the same amount, then this clock. Nothing stalls or expires because of the jump, and
// after a large one, billing waits for an operator.
import { steadyClock, type SteadyClock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { timeText } from '#lib/time.ts';
import { moveClockColumns, databaseTime, moveStragglers } from '#store/work/clock-moves.ts';
import { metaFind, metaPut } from '#store/meta.ts';
import { findClockJump, recordTime, startTrustedTime } from '#store/work/trusted-time.ts';
import type { Store } from '#store/store.ts';

const compareEveryMs = 1000;
/** Smaller differences are corrected silently; NTP causes them all the time. */
const jumpMs = 5000;
/** A slower response is too inaccurate to compare. */
const maxComparisonMs = 1000;
/** After this time every cluster node has noticed the jump. */
const propagationMs = 4000;
const saveEveryMs = 60_000;
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
  let stragglers: { readonly by: number; readonly atMs: number } | undefined;

  async function moveBy(milliseconds: number): Promise<void> {
    const move = { now: clock.now() + milliseconds, by: milliseconds };
    await moveClockColumns(store, move);
    stragglers = { by: milliseconds, atMs: performance.now() + propagationMs };
    log.warn({ seconds: Math.round(milliseconds / 1000) }, 'the clock jumped; leases and schedules were shifted');
  }
  async function moveLateWrites(): Promise<void> {
    if (stragglers === undefined || performance.now() < stragglers.atMs) return;
    const move = { now: clock.now(), by: stragglers.by };
    await store.transaction((queries) => moveStragglers(queries, store.engine, move));
    stragglers = undefined;
  }
  async function saveTime(): Promise<void> {
    if (performance.now() - savedAt < saveEveryMs) return;
    await metaPut(store.queries, lastSeenKey, String(clock.now()));
    await recordTime(store.queries, clock.now());
    savedAt = performance.now();
  }
  async function compare(): Promise<void> {
    const askedAt = clock.now();
    const reference = await referenceTime(store);
    const answeredAt = clock.now();
    if (answeredAt - askedAt > maxComparisonMs) return;
    const by = reference - (askedAt + answeredAt) / 2;
    const isJump = Math.abs(by) >= jumpMs;
    if (isJump) await moveBy(by);
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

  const savedTime = Number((await metaFind(store.queries, lastSeenKey)) ?? 0);
  await startTrustedTime(store.queries, savedTime === 0 ? clock.now() : savedTime);
  // Only backwards is a jump: time passes while no server runs.
  if (savedTime - clock.now() >= jumpMs) await moveBy(clock.now() - savedTime);
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
