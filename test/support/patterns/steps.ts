// A backtracking matcher like JavaScript's that counts its steps: a machine-independent measure of how long a pattern
// takes.
import type { Pattern } from './parse.ts';

export interface Counted {
  readonly pattern: Pattern;
  readonly flags: string;
}
type Go = (at: number) => boolean;

/** The maximum number of characters it can match. */
function longest(part: Pattern): number {
  switch (part.kind) {
    case 'character':
      return 1;
    case 'sequence':
      return part.parts.reduce((sum, member) => sum + longest(member), 0);
    case 'choice':
      return Math.max(...part.options.map(longest));
    case 'repeat':
      return part.most === 0 ? 0 : part.most * longest(part.body);
    default:
      return 0;
  }
}

/** Returns the number of comparisons, or `most` if it gave up. */
export function stepsOf({ pattern, flags }: Counted, text: string, most: number): number {
  const tests = new Map<string, RegExp>();
  const meaning = flags.replaceAll(/[gymd]/g, '');
  const characters = [...text];
  let steps = 0;
  class Enough extends Error {}

  const isCharacter = (source: string, at: number): boolean => {
    if (++steps > most) throw new Enough();
    const test = tests.get(source) ?? new RegExp(`^${source}$`, meaning);
    tests.set(source, test);
    return at >= 0 && at < characters.length && test.test(characters[at]!);
  };
  const isWord = (at: number): boolean => /^\w$/.test(characters[at] ?? '');
  const isEdge = (source: string, at: number): boolean => {
    if (source === '^') return at === 0 || (flags.includes('m') && characters[at - 1] === '\n');
    if (source === '$') return at === characters.length || (flags.includes('m') && characters[at] === '\n');
    return (isWord(at - 1) !== isWord(at)) === (source === '\\b');
  };

  function match(part: Pattern, at: number, go: Go): boolean {
    switch (part.kind) {
      case 'character':
        return isCharacter(part.source, at) && go(at + 1);
      case 'edge':
        return isEdge(part.source, at) && go(at);
      case 'choice':
        return part.options.some((option) => match(option, at, go));
      case 'sequence':
        return inOrder(part.parts, at, go);
      case 'look':
        return looks(part, at) && go(at);
      case 'repeat':
        return again(part, 0, at, go);
    }
  }
  function inOrder([first, ...rest]: readonly Pattern[], at: number, go: Go): boolean {
    return first === undefined ? go(at) : match(first, at, (end) => inOrder(rest, end, go));
  }
  function looks({ body, ahead, negative }: Extract<Pattern, { kind: 'look' }>, at: number): boolean {
    const back = ahead ? 0 : Math.min(at, longest(body));
    const starts = Array.from({ length: back + 1 }, (_, distance) => at - distance);
    return starts.some((start) => match(body, start, (end) => ahead || end === at)) !== negative;
  }
  function again(part: Extract<Pattern, { kind: 'repeat' }>, count: number, at: number, go: Go): boolean {
    const more = (): boolean =>
      count < part.most &&
      match(part.body, at, (end) => (end > at || count < part.least) && again(part, count + 1, end, go));
    const enough = (): boolean => count >= part.least && go(at);
    return part.lazy ? enough() || more() : more() || enough();
  }

  try {
    for (let start = 0; start <= characters.length; start++) if (match(pattern, start, () => true)) break;
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return steps;
}
