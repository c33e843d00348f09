// Starts requests in turns of the event loop, in rotation between networks: however many requests one network sends at
// once, those of others wait for one of them at most.
import { performance } from 'node:perf_hooks';

/** Long enough for several cheap requests, because a turn itself costs as much as one. */
const turnMs = 2;
/** How many requests can start in a turn. Every one that waits for its turn would cost time in each turn before. */
const maxPerTurn = 128;

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
  let scheduled = 0;

  function startOne(): void {
    if (endMs === undefined) {
      endMs = clock.now() + turnMs;
      clock.schedule(() => (endMs = undefined));
    }
    if (waiting.size > 0 && clock.now() < endMs) startNext();
    if (waiting.size > 0) clock.schedule(startOne);
    else scheduled--;
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
    if (scheduled === maxPerTurn) return;
    scheduled++;
    clock.schedule(startOne);
  };
}
