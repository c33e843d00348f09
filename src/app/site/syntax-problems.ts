// Says what is wrong with a file that is not YAML. One mistake makes the parser reject most lines after it, so only the first
// error counts; repeated keys are independent of each other.
import type { LineCounter, YAMLParseError } from 'yaml';

export interface LocatedProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

const hints: Readonly<Partial<Record<YAMLParseError['code'], string>>> = {
  TAB_AS_INDENT: 'use spaces',
};
const defaultHint = 'check the indentation, quotes and brackets here and in the lines above';

/** Returns the problems of a file that could not be parsed. */
export function syntaxProblems(
  errors: readonly YAMLParseError[],
  text: string,
  lines: LineCounter,
): readonly LocatedProblem[] {
  const repeated = errors.filter(({ code }) => code === 'DUPLICATE_KEY');
  const [first] = errors
    .filter(({ code }) => code !== 'DUPLICATE_KEY')
    .toSorted((left, right) => left.pos[0] - right.pos[0]);
  return [
    ...repeated.map(({ pos: [offset] }) => locate(offset, `${keyAt(text, offset)} appears twice; merge the two`)),
    ...(first === undefined ? [] : [locate(first.pos[0], syntaxMessage(first))]),
  ];

  function locate(offset: number, message: string): LocatedProblem {
    const { line, col } = lines.linePos(offset);
    return { line, column: col, message };
  }
}

function syntaxMessage({ code, message }: YAMLParseError): string {
  const reason = message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, '');
  return `this is not valid YAML (${reason}); ${hints[code] ?? defaultHint}`;
}

function keyAt(text: string, offset: number): string {
  return /^(?:"[^"]*"|'[^']*'|[^:\n]*)/.exec(text.slice(offset))![0].trim();
}
