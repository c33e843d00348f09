// The time as a dependency, so that tests can run at any date.
export interface Clock {
  /** Milliseconds since 1970 in UTC. */
  now(): number;
  /**
   * Returns when something began that was recorded as `time`. If the clock was set forward a moment ago, an instance may have
   * recorded it before it noticed: by this clock it would seem to have begun long ago, and its time to be up.
   */
  startOf?(time: number): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that is not affected when the system clock is set, until it is moved itself. */
export interface SteadyClock extends Clock {
  /** Moves the clock forward, or back if negative. */
  move(milliseconds: number): void;
}

/** How long an instance may take to notice that the clock was set: the query that tells it may hang for half of this. */
export const noticeMs = 60_000;
/** By then, what was recorded with the old clock has been moved (store/work/clock-moves.ts). */
const recentMs = 2 * noticeMs;

export function steadyClock(now: number): SteadyClock {
  let offsetMs = now - performance.now();
  let jumps: readonly { readonly by: number; readonly atMs: number }[] = [];
  return {
    now: () => Math.floor(performance.now() + offsetMs),
    move(milliseconds) {
      offsetMs += milliseconds;
      const atMs = performance.now();
      jumps = jumps.filter((jump) => atMs - jump.atMs < recentMs);
      if (milliseconds > 2 * noticeMs) jumps = [...jumps, { by: milliseconds, atMs }];
    },
    startOf(time) {
      const jump = jumps.find(({ by, atMs }) => Math.abs(time - (atMs + offsetMs - by)) < noticeMs);
      return jump === undefined || performance.now() - jump.atMs > recentMs ? time : time + jump.by;
    },
  };
}
