// Where a pattern can take the same text in more than one way and go on: what a matcher that goes back tries one after the
// other. Two ways round one loop make the time double with every turn; two loops that can share a text make it grow with the
// square of its length (Weber and Seidl, "On the degree of ambiguity of finite automata").
import type { Alphabet } from './alphabet.ts';
import { reachable, type Automaton } from './automaton.ts';

export interface Ambiguity {
  readonly growth: 'exponential' | 'polynomial';
  /** A text that leads to the loop, and one that goes round it. */
  readonly start: string;
  readonly turn: string;
}

type Ways = readonly number[];

export function ambiguitiesOf(automaton: Automaton, { kinds }: Alphabet): Ambiguity[] {
  const { takes, next } = automaton;
  const from = reachable(automaton);
  const looping = takes.flatMap((_, state) => (from[state]!.has(state) ? [state] : []));
  const sameLoop = (one: number, other: number): boolean => from[one]!.has(other) && from[other]!.has(one);

  /** The shortest text on which several ways go from where they are to where they should be, each within its bounds. */
  function shared(starts: Ways, ends: Ways, within: (way: number, state: number) => boolean, split = false) {
    const seen = new Set<string>();
    let ways: { at: Ways; text: string; apart: boolean }[] = [{ at: starts, text: '', apart: !split }];
    while (ways.length > 0) {
      const further: typeof ways = [];
      for (const { at, text, apart } of ways) {
        for (const [kind, character] of kinds.entries()) {
          const steps = at.map((state, way) =>
            next[state]!.map((to, edge) => ({ to, edge })).filter(({ to }) => takes[to]!.has(kind) && within(way, to)),
          );
          for (const moves of combinations(steps)) {
            const to = moves.map((move) => move.to);
            // Two edges between the same states are two ways as well.
            const parted = apart || to[0] !== to[1] || (at[0] === at[1] && moves[0]!.edge !== moves[1]!.edge);
            if (parted && to.every((state, way) => state === ends[way])) return text + character;
            const name = `${to.join()}${parted}`;
            if (seen.has(name)) continue;
            seen.add(name);
            further.push({ at: to, text: text + character, apart: parted });
          }
        }
      }
      ways = further;
    }
    return undefined;
  }

  const leadingTo = (state: number): string => shared([0], [state], () => true) ?? '';
  const found: Ambiguity[] = [];
  for (const state of looping) {
    const turn = shared([state, state], [state, state], (_, at) => sameLoop(state, at), true);
    if (turn !== undefined) found.push({ growth: 'exponential', start: leadingTo(state), turn });
  }
  for (const one of looping)
    for (const other of looping) {
      if (one === other || !from[one]!.has(other) || from[other]!.has(one)) continue;
      const within = (way: number, at: number): boolean =>
        way === 1 || (way === 0 ? sameLoop(one, at) : sameLoop(other, at));
      const turn = shared([one, one, other], [one, other, other], within);
      if (turn !== undefined) found.push({ growth: 'polynomial', start: leadingTo(one), turn });
    }
  return found;
}

function* combinations<T>(lists: readonly (readonly T[])[]): Generator<T[]> {
  const [first, ...rest] = lists;
  if (first === undefined) yield [];
  else for (const item of first) for (const others of combinations(rest)) yield [item, ...others];
}
