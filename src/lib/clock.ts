// The time as a dependency, so that tests can run at any date.
export interface Clock {
  /** Milliseconds since 1970 in UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that is not affected when the system clock is set, until it is moved itself. */
export interface SteadyClock extends Clock {
  /** Moves the clock forward, or back if negative. */
  move(milliseconds: number): void;
}

export function steadyClock(now: number): SteadyClock {
  let offsetMs = now - performance.now();
  return {
    now: () => Math.floor(performance.now() + offsetMs),
    move: (milliseconds) => void (offsetMs += milliseconds),
  };
}
