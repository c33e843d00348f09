// Character strings (RFC 1035 section 3.3): up to 255 bytes each, in quotes. Longer text becomes several strings, for
// example a long DKIM key.
import { PresentationError } from './errors.ts';
import { readEscape } from './name.ts';

export const maxStringBytes = 255;

/** Returns the bytes of a word: resolves escapes, and encodes non-ASCII characters as UTF-8. */
export function stringBytes(text: string): Buffer {
  if (!text.includes('\\')) return Buffer.from(text, 'utf8');
  const parts: Buffer[] = [];
  let start = 0;
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', start)) {
    const escape = readEscape(text, at);
    parts.push(Buffer.from(text.slice(start, at), 'utf8'), Buffer.of(escape.byte));
    start = at + escape.length;
  }
  parts.push(Buffer.from(text.slice(start), 'utf8'));
  return Buffer.concat(parts);
}

const wordCharacters: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  if (byte <= 0x20 || byte >= 0x7f) return `\\${String(byte).padStart(3, '0')}`;
  const character = String.fromCharCode(byte);
  return '"\\;()'.includes(character) ? `\\${character}` : character;
});

/** Prints bytes as a word without quotes. */
export function escapeWord(bytes: Uint8Array): string {
  let word = '';
  for (const byte of bytes) word += wordCharacters[byte]!;
  return word;
}

const stringCharacters: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x20 || byte >= 0x7f) return `\\${String(byte).padStart(3, '0')}`;
  const character = String.fromCharCode(byte);
  return character === '"' || character === '\\' ? `\\${character}` : character;
});

export function quoteString(bytes: Uint8Array): string {
  let text = '"';
  for (const byte of bytes) text += stringCharacters[byte]!;
  return `${text}"`;
}

export function splitString(bytes: Buffer): Buffer[] {
  if (bytes.length === 0) return [bytes];
  const count = Math.ceil(bytes.length / maxStringBytes);
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * maxStringBytes, (index + 1) * maxStringBytes),
  );
}

/**
 * Quotes the text at the end of content, after some other words, so that `v=DKIM1; k=rsa` is one string and not three
 * words and a comment.
 */
export function quoteBareText(content: string, wordsBefore: number): string {
  const whole = content.trim();
  const words = [...whole.matchAll(/\S+\s*/g)].slice(0, wordsBefore).map(([word]) => word);
  const before = words.join('');
  return words.length < wordsBefore || (wordsBefore > 0 && before === whole)
    ? whole
    : before + quoteText(whole.slice(before.length));
}

function quoteText(text: string): string {
  if (text.startsWith('"')) return text;
  if (text === '') throw new PresentationError('the text is empty');
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') throw new PresentationError('a text that does not start with a quote contains one');
    else if (text[at] === '\n') throw new PresentationError('the text has more than one line');
  }
  return `"${text}"`;
}
