// Starts requests in turns of the event loop, in rotation between networks: however many requests one network sends at
// once, those of others wait for one of them at most.
import { performance } from 'node:perf_hooks';

/** Long enough for several cheap requests, because a turn itself costs as much as one. */
const turnMs = 2;

export interface TurnClock {
  now(): number;
  /** Runs this in the next turn, after what was scheduled before, and after all that this led to at once. */
  schedule(run: () => void): void;
}

export type TakeTurn = (network: string, start: () => void) => void;

export function createTurns(clock: TurnClock = { now: () => performance.now(), schedule: setImmediate }): TakeTurn {
  /** Requests that wait, by network, in the order in which the networks have their turns. */
  const waiting = new Map<string, (() => void)[]>();
  /** When this turn is over; undefined before its first request. */
  let endMs: number | undefined;

  function startOne(): void {
    if (endMs === undefined) {
      endMs = clock.now() + turnMs;
      clock.schedule(() => (endMs = undefined));
    }
    if (clock.now() < endMs) startNext();
    else clock.schedule(startOne);
  }

  function startNext(): void {
    const [network, starts] = waiting.entries().next().value!;
    const start = starts.shift()!;
    waiting.delete(network);
    if (starts.length > 0) waiting.set(network, starts);
    start();
  }

  return (network, start) => {
    const starts = waiting.get(network);
    if (starts === undefined) waiting.set(network, [start]);
    else starts.push(start);
    clock.schedule(startOne);
  };
}
