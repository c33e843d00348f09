// Finds where a pattern can match the same text in more than one way, which a backtracking matcher tries one after the
// other. Two ways around one loop double the time with each iteration; two loops that share a text make it quadratic
// (Weber and Seidl, "On the degree of ambiguity of finite automata").
import type { Alphabet } from './alphabet.ts';
import { reachable, type Automaton } from './automaton.ts';

export interface Ambiguity {
  readonly growth: 'exponential' | 'polynomial';
  /** A text that leads to the loop, and one that goes around it. */
  readonly start: string;
  readonly turn: string;
}

type Ways = readonly number[];

export function ambiguitiesOf(automaton: Automaton, { kinds }: Alphabet): Ambiguity[] {
  const { takes, next } = automaton;
  const from = reachable(automaton);
  const looping = takes.flatMap((_, state) => (from[state]!.has(state) ? [state] : []));
  const sameLoop = (first: number, second: number): boolean => from[first]!.has(second) && from[second]!.has(first);

  /** The shortest text on which several paths lead from their starts to their ends, each within its bounds. */
  function shared(starts: Ways, ends: Ways, within: (way: number, state: number) => boolean, split = false) {
    const visited = new Set<string>();
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
            // Two edges between the same states are two paths as well.
            const parted = apart || to[0] !== to[1] || (at[0] === at[1] && moves[0]!.edge !== moves[1]!.edge);
            if (parted && to.every((state, way) => state === ends[way])) return text + character;
            const name = `${to.join()}${parted}`;
            if (visited.has(name)) continue;
            visited.add(name);
            further.push({ at: to, text: text + character, apart: parted });
          }
        }
      }
      ways = further;
    }
    return undefined;
  }

  const leadingTo = (state: number): string => shared([0], [state], () => true) ?? '';
  const ambiguities: Ambiguity[] = [];
  for (const state of looping) {
    const turn = shared([state, state], [state, state], (_, at) => sameLoop(state, at), true);
    if (turn !== undefined) ambiguities.push({ growth: 'exponential', start: leadingTo(state), turn });
  }
  for (const first of looping)
    for (const second of looping) {
      if (first === second || !from[first]!.has(second) || from[second]!.has(first)) continue;
      const within = (way: number, at: number): boolean =>
        way === 1 || (way === 0 ? sameLoop(first, at) : sameLoop(second, at));
      const turn = shared([first, first, second], [first, second, second], within);
      if (turn !== undefined) ambiguities.push({ growth: 'polynomial', start: leadingTo(first), turn });
    }
  return ambiguities;
}

function* combinations<T>(lists: readonly (readonly T[])[]): Generator<T[]> {
  const [first, ...rest] = lists;
  if (first === undefined) yield [];
  else for (const item of first) for (const others of combinations(rest)) yield [item, ...others];
}
