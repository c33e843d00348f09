// The clock of the process. It goes on evenly by itself and is compared with the one that everybody goes by: the machine's
// where the database is a file, the database's where it is PostgreSQL, so that the nodes of a cluster agree whatever their
// machines say. Where that one was set (an hour wrong at boot and then corrected, a machine that slept), the leases and plans in
// the database are moved by as much, and then this clock: nothing stands still for the size of the jump, nothing lapses by it.
import { steadyClock, type SteadyClock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import { clockMove, databaseTime, stragglersMove } from '#store/work/clock-moves.ts';
import { metaFind, metaPut } from '#store/meta.ts';
import type { Store } from '#store/store.ts';

const everyMs = 1000;
/** What is less is corrected without a word; NTP does so all the time. */
const jumpMs = 5000;
/** An answer that took longer says too little of when it was given. */
const longestLookMs = 1000;
/** By then every node has seen that the clock was set. */
const everyoneKnowsMs = 4000;
const noteEveryMs = 60_000;
const lastSeen = 'clock';

export async function openClock(store: Store): Promise<SteadyClock> {
  return steadyClock(await wall(store));
}

export interface ClockParts {
  readonly store: Store;
  readonly clock: SteadyClock;
  readonly log: Log;
}

/** Begins with what happened while no server ran. */
export async function watchClock({ store, clock, log }: ClockParts): Promise<{ stop(): Promise<void> }> {
  let notedAt = -Infinity;
  let stragglers: { readonly by: number; readonly atMs: number } | undefined;

  async function moveBy(milliseconds: number): Promise<void> {
    const move = { now: clock.now() + milliseconds, by: milliseconds };
    await store.transaction((queries) => clockMove(queries, store.engine, move));
    stragglers = { by: milliseconds, atMs: performance.now() + everyoneKnowsMs };
    log.warn({ seconds: Math.round(milliseconds / 1000) }, 'the clock was set; leases and plans were moved with it');
  }
  async function followStragglers(): Promise<void> {
    if (stragglers === undefined || performance.now() < stragglers.atMs) return;
    const move = { now: clock.now(), by: stragglers.by };
    await store.transaction((queries) => stragglersMove(queries, store.engine, move));
    stragglers = undefined;
  }
  async function note(): Promise<void> {
    if (performance.now() - notedAt < noteEveryMs) return;
    await metaPut(store.queries, lastSeen, String(clock.now()));
    notedAt = performance.now();
  }
  async function look(): Promise<void> {
    const before = clock.now();
    const said = await wall(store);
    const after = clock.now();
    if (after - before > longestLookMs) return;
    const by = said - (before + after) / 2;
    if (Math.abs(by) >= jumpMs) await moveBy(by);
    clock.move(by);
    await followStragglers();
    await note();
  }

  const seen = Number((await metaFind(store.queries, lastSeen)) ?? 0);
  // Forwards is what time does while nobody looks.
  if (seen - clock.now() >= jumpMs) await moveBy(clock.now() - seen);
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => log.warn({ err: error }, 'the clock could not be compared'))
      .finally(() => (looking = undefined));
  }, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}

async function wall(store: Store): Promise<number> {
  return store.engine === 'sqlite' ? Date.now() : databaseTime(store.queries);
}
