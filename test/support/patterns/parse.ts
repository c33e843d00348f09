// Parses a regular expression into the tree that matters for backtracking: which characters, in which order, how often.
// Classes and escapes are left to the engine, which is tested with single characters.

export type Pattern =
  | { readonly kind: 'character'; readonly source: string }
  | { readonly kind: 'sequence'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'choice'; readonly options: readonly Pattern[] }
  | {
      readonly kind: 'repeat';
      readonly body: Pattern;
      readonly least: number;
      readonly most: number;
      readonly lazy: boolean;
    }
  | { readonly kind: 'look'; readonly body: Pattern; readonly ahead: boolean; readonly negative: boolean }
  | { readonly kind: 'edge'; readonly source: '^' | '$' | '\\b' | '\\B' };

const escapeLengths: readonly RegExp[] = [
  /^\\u\{[0-9a-fA-F]+\}/,
  /^\\u[0-9a-fA-F]{4}/,
  /^\\x[0-9a-fA-F]{2}/,
  /^\\[pP]\{[^}]+\}/,
];
const groupStarts = { '(?:': 'group', '(?=': 'look', '(?!': 'look', '(?<=': 'look', '(?<!': 'look' } as const;

/** Throws on back-references: ours has none, and no bound would hold for them. */
export function parsePattern(source: string): Pattern {
  let at = 0;
  const rest = (): string => source.slice(at);
  const take = (text: string): string => {
    at += text.length;
    return text;
  };

  function choice(): Pattern {
    const options = [sequence()];
    while (source[at] === '|') {
      at++;
      options.push(sequence());
    }
    return options.length === 1 ? options[0]! : { kind: 'choice', options };
  }

  function sequence(): Pattern {
    const parts: Pattern[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(repeated(atom()));
    return { kind: 'sequence', parts };
  }

  function repeated(body: Pattern): Pattern {
    const [text, least, comma, most] = /^(?:[*+?]|\{([0-9]+)(,?)([0-9]*)\})/.exec(rest()) ?? [];
    if (text === undefined) return body;
    take(text);
    const lazy = source[at] === '?' && take('?') === '?';
    if (text === '*') return { kind: 'repeat', body, least: 0, most: Infinity, lazy };
    if (text === '+') return { kind: 'repeat', body, least: 1, most: Infinity, lazy };
    if (text === '?') return { kind: 'repeat', body, least: 0, most: 1, lazy };
    const last = comma === '' ? Number(least) : most === '' ? Infinity : Number(most);
    return { kind: 'repeat', body, least: Number(least), most: last, lazy };
  }

  function atom(): Pattern {
    const character = String.fromCodePoint(source.codePointAt(at)!);
    if (character === '(') return group();
    if (character === '[') return { kind: 'character', source: take(/^\[(?:\\.|[^\]\\])*\]/s.exec(rest())![0]) };
    if (character === '^' || character === '$') return { kind: 'edge', source: take(character) as '^' };
    if (character !== '\\') return { kind: 'character', source: take(character) };
    if (/^\\[bB]/.test(rest())) return { kind: 'edge', source: take(rest().slice(0, 2)) as '\\b' };
    if (/^\\(?:[1-9]|k<)/.test(rest())) throw new Error(`${source} contains a back-reference`);
    const escape = escapeLengths.map((form) => form.exec(rest())?.[0]).find((text) => text !== undefined);
    return { kind: 'character', source: take(escape ?? rest().slice(0, 2)) };
  }

  function group(): Pattern {
    const start =
      Object.keys(groupStarts).find((text) => source.startsWith(text, at)) ?? /^\((?:\?<\w+>)?/.exec(rest())![0];
    take(start);
    const body = choice();
    take(')');
    if (groupStarts[start as keyof typeof groupStarts] !== 'look') return body;
    return { kind: 'look', body, ahead: !start.includes('<'), negative: start.endsWith('!') };
  }

  const pattern = choice();
  if (at !== source.length) throw new Error(`${source} could not be parsed from offset ${at}`);
  return pattern;
}

/** Returns whether it can only match at the start of a text. */
export function isAnchored(pattern: Pattern): boolean {
  if (pattern.kind === 'edge') return pattern.source === '^';
  if (pattern.kind === 'sequence') return pattern.parts[0] !== undefined && isAnchored(pattern.parts[0]);
  return pattern.kind === 'choice' && pattern.options.every(isAnchored);
}

export function partsOf(pattern: Pattern): readonly Pattern[] {
  if (pattern.kind === 'sequence') return pattern.parts;
  if (pattern.kind === 'choice') return pattern.options;
  return pattern.kind === 'repeat' || pattern.kind === 'look' ? [pattern.body] : [];
}
export function everyPart(pattern: Pattern): Pattern[] {
  return [pattern, ...partsOf(pattern).flatMap(everyPart)];
}
