// A pattern as an automaton (Glushkov's): one state for each character that it may take, and from each the states that may come
// next. A way that leads there twice is there twice: both are tried.
import type { Alphabet } from './alphabet.ts';
import { isAnchored, type Pattern } from './parse.ts';

export interface Automaton {
  /** What each state takes, by kinds of the alphabet. State 0 is the start, and takes nothing. */
  readonly takes: readonly ReadonlySet<number>[];
  readonly next: readonly (readonly number[])[];
}

interface Piece {
  readonly empty: boolean;
  readonly first: readonly number[];
  readonly last: readonly number[];
}
const nothing: Piece = { empty: true, first: [], last: [] };

/** A bound so far away is none: nobody sends fewer. */
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
  const inOrder = (one: Piece, other: Piece): Piece => {
    link(one.last, other.first);
    return {
      empty: one.empty && other.empty,
      first: one.empty ? [...one.first, ...other.first] : one.first,
      last: other.empty ? [...one.last, ...other.last] : other.last,
    };
  };
  const maybe = (piece: Piece): Piece => ({ ...piece, empty: true });

  function build(part: Pattern): Piece {
    switch (part.kind) {
      case 'character':
        return state(alphabet.accepts(part.source));
      case 'sequence':
        return part.parts.reduce((before, each) => inOrder(before, build(each)), nothing);
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
    let whole = nothing;
    for (let count = 1; count < required; count++) whole = inOrder(whole, build(body));
    if (most >= farAway) {
      const loop = build(body);
      link(loop.last, loop.first);
      return inOrder(whole, least === 0 ? maybe(loop) : loop);
    }
    if (required > 0) whole = inOrder(whole, build(body));
    let tail = nothing;
    for (let count = 0; count < Math.min(most - least, 2); count++) tail = maybe(inOrder(build(body), tail));
    return inOrder(whole, tail);
  }

  const searches = flags.includes('m') || !(isAnchored(pattern) || flags.includes('y'));
  const anywhere = searches ? state(new Set(alphabet.kinds.keys())) : nothing;
  link(anywhere.last, anywhere.first);
  const whole = inOrder(maybe(anywhere), build(pattern));
  next[0] = [...whole.first];
  return { takes, next };
}

/** For each state, all that can be reached from it by at least one step. */
export function reachable({ next }: Automaton): readonly ReadonlySet<number>[] {
  return next.map((first) => {
    const found = new Set(first);
    for (const state of found) for (const following of next[state]!) found.add(following);
    return found;
  });
}
