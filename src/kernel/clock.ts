// The time, as a value that is handed in: what asks the clock can be tested at any moment of any year.
export interface Clock {
  /** Milliseconds since 1970 in UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
