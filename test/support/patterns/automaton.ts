// A pattern as a Glushkov automaton: one state per character position, and its successors. A successor that is
// reachable twice is listed twice, because both are tried.
import type { Alphabet } from './alphabet.ts';
import { isAnchored, type Pattern } from './parse.ts';

export interface Automaton {
  /** The classes that each state accepts. State 0 is the start and accepts nothing. */
  readonly takes: readonly ReadonlySet<number>[];
  readonly next: readonly (readonly number[])[];
}

interface Piece {
  readonly empty: boolean;
  readonly first: readonly number[];
  readonly last: readonly number[];
}
const nothing: Piece = { empty: true, first: [], last: [] };

/** A larger lower bound counts as unbounded. */
const farAway = 10;

export function automatonOf(pattern: Pattern, alphabet: Alphabet, flags: string): Automaton {
  const takes: ReadonlySet<number>[] = [new Set()];
  const next: number[][] = [[]];

  const link = (from: readonly number[], to: readonly number[]): void => {
    for (const state of from) next[state]!.push(...to);
  };
  const state = (kinds: ReadonlySet<number>): Piece => {
    takes.push(kinds);
    next.push([]);
    return { empty: false, first: [takes.length - 1], last: [takes.length - 1] };
  };
  const inOrder = (first: Piece, second: Piece): Piece => {
    link(first.last, second.first);
    return {
      empty: first.empty && second.empty,
      first: first.empty ? [...first.first, ...second.first] : first.first,
      last: second.empty ? [...first.last, ...second.last] : second.last,
    };
  };
  const maybe = (piece: Piece): Piece => ({ ...piece, empty: true });

  function build(part: Pattern): Piece {
    switch (part.kind) {
      case 'character':
        return state(alphabet.accepts(part.source));
      case 'sequence':
        return part.parts.reduce((before, member) => inOrder(before, build(member)), nothing);
      case 'choice': {
        const options = part.options.map(build);
        return {
          empty: options.some(({ empty }) => empty),
          first: options.flatMap(({ first }) => first),
          last: options.flatMap(({ last }) => last),
        };
      }
      case 'repeat':
        return repeat(part.body, part.least, part.most);
      default:
        return nothing;
    }
  }

  function repeat(body: Pattern, least: number, most: number): Piece {
    const required = Math.min(least, 2);
    let piece = nothing;
    for (let count = 1; count < required; count++) piece = inOrder(piece, build(body));
    if (most >= farAway) {
      const loop = build(body);
      link(loop.last, loop.first);
      return inOrder(piece, least === 0 ? maybe(loop) : loop);
    }
    if (required > 0) piece = inOrder(piece, build(body));
    let tail = nothing;
    for (let count = 0; count < Math.min(most - least, 2); count++) tail = maybe(inOrder(build(body), tail));
    return inOrder(piece, tail);
  }

  const searches = flags.includes('m') || !(isAnchored(pattern) || flags.includes('y'));
  const anywhere = searches ? state(new Set(alphabet.kinds.keys())) : nothing;
  link(anywhere.last, anywhere.first);
  const root = inOrder(maybe(anywhere), build(pattern));
  next[0] = [...root.first];
  return { takes, next };
}

/** Returns, for each state, all states reachable in at least one step. */
export function reachable({ next }: Automaton): readonly ReadonlySet<number>[] {
  return next.map((first) => {
    const states = new Set(first);
    for (const state of states) for (const following of next[state]!) states.add(following);
    return states;
  });
}
