// The time, as a value that is handed in: what asks the clock can be tested at any moment of any year.
export interface Clock {
  /** Milliseconds since 1970 in UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Goes on evenly when somebody sets the machine's clock, until it is set itself. */
export interface SteadyClock extends Clock {
  /** It is this much later, or earlier where negative. */
  move(milliseconds: number): void;
}

export function steadyClock(now: number): SteadyClock {
  let offsetMs = now - performance.now();
  return {
    now: () => Math.floor(performance.now() + offsetMs),
    move: (milliseconds) => void (offsetMs += milliseconds),
  };
}
