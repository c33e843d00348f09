// Starts requests in turns of the event loop, one of each network per turn: however many requests one network sends at
// once, those of others wait for one of them at most.

/** In each turn the networks that waited longest, so that many networks together do not make a turn long. */
const startsPerTurn = 4;

export type TakeTurn = (network: string, start: () => void) => void;

export function createTurns(nextTurn: (run: () => void) => void = setImmediate): TakeTurn {
  /** Requests that wait, by network, in the order in which the networks have their turns. */
  const waiting = new Map<string, (() => void)[]>();

  function runTurn(): void {
    for (const [network, starts] of [...waiting].slice(0, startsPerTurn)) {
      waiting.delete(network);
      starts.shift()!();
      if (starts.length > 0) waiting.set(network, starts);
    }
    if (waiting.size > 0) nextTurn(runTurn);
  }

  return (network, start) => {
    const starts = waiting.get(network);
    if (starts !== undefined) {
      starts.push(start);
      return;
    }
    if (waiting.size === 0) nextTurn(runTurn);
    waiting.set(network, [start]);
  };
}
