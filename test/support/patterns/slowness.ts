// Detects patterns that can be made slow: tries the texts that its ambiguities suggest at two lengths, and reports the
// text if the steps grow faster than its length.
import { alphabetOf } from './alphabet.ts';
import { ambiguitiesOf } from './ambiguity.ts';
import { automatonOf } from './automaton.ts';
import { isAnchored, parsePattern, partsOf, type Pattern } from './parse.ts';
import { stepsOf } from './steps.ts';

export interface Slowness {
  readonly growth: 'exponential' | 'polynomial';
  readonly text: string;
}

const turns = 24;
const mostSteps = 100_000;
/** Twice the text takes twice the steps; a factor of three cannot be explained by a constant part. */
const linear = 3;

export function slownessOf(source: string, flags: string): Slowness | undefined {
  const pattern = parsePattern(source);
  return [pattern, ...looksOf(pattern, isAnchored(pattern))]
    .map((part) => slowness(part, source, flags))
    .find((result) => result !== undefined);
}

/** A lookahead is matched from every position that the pattern has reached: once at the start, or everywhere. */
function looksOf(pattern: Pattern, once: boolean): Pattern[] {
  const inner = partsOf(pattern).flatMap((part) => looksOf(part, once && pattern.kind !== 'repeat'));
  if (pattern.kind !== 'look') return inner;
  const { body } = pattern;
  return [once ? { kind: 'sequence', parts: [{ kind: 'edge', source: '^' }, body] } : body, ...inner];
}

function slowness(pattern: Pattern, source: string, flags: string): Slowness | undefined {
  const alphabet = alphabetOf(source, pattern, flags);
  for (const { growth, start, turn } of ambiguitiesOf(automatonOf(pattern, alphabet, flags), alphabet)) {
    for (const end of ['', ...alphabet.kinds, ...alphabet.kinds.map((kind) => kind + kind)]) {
      const steps = (count: number): number => stepsOf({ pattern, flags }, start + turn.repeat(count) + end, mostSteps);
      const [once, twice] = [steps(turns), steps(2 * turns)];
      if (twice >= mostSteps) return { growth: 'exponential', text: `${start}${turn}…${end}` };
      if (twice > linear * once) return { growth, text: `${start}${turn}…${end}` };
    }
  }
  return undefined;
}
