// Groups characters into the classes that a pattern distinguishes: characters accepted by the same parts are
// equivalent.
import { everyPart, type Pattern } from './parse.ts';

export interface Alphabet {
  /** One character per class; the last represents everything that no part names, if there is such a character. */
  readonly kinds: readonly string[];
  /** The classes that a part of the pattern accepts, by index. */
  accepts(source: string): ReadonlySet<number>;
}

const usual = [...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)), ...'é߶\u00a0\u2028\u212a☃中'];

export function alphabetOf(source: string, pattern: Pattern, flags: string): Alphabet {
  const meaning = flags.replaceAll(/[gymd]/g, '');
  const codePoints = [...source.matchAll(/\\(?:u\{?|x)([0-9a-fA-F]{2,6})/g)].map(([, code]) =>
    String.fromCodePoint(Number.parseInt(code!, 16)),
  );
  const parts = new Set(everyPart(pattern).flatMap((part) => (part.kind === 'character' ? [part.source] : [])));
  const tests = [...parts].map((part) => new RegExp(`^${part}$`, meaning));
  const kinds = new Map<string, string>();
  for (const character of [...usual, ...codePoints, ...source]) {
    const signature = tests.map((test) => (test.test(character) ? '1' : '0')).join('');
    // Prefers a printable character, for whoever reads the attack string.
    if (!kinds.has(signature) || /\w/.test(character)) kinds.set(signature, character);
  }
  const signatures = [...kinds.keys()];
  const accepted = new Map(
    [...parts].map((part, index) => [
      part,
      new Set(signatures.flatMap((signature, kind) => (signature[index] === '1' ? [kind] : []))),
    ]),
  );
  return { kinds: [...kinds.values()], accepts: (part) => accepted.get(part)! };
}
