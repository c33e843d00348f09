// Character strings (RFC 1035 section 3.3): up to 255 bytes each, written in quotes. A longer text becomes several strings,
// which is how a long DKIM key travels.
import { PresentationError } from './errors.ts';
import { readEscape } from './name.ts';

export const MAX_STRING_BYTES = 255;

/** The bytes that a word stands for: escapes are resolved, anything beyond ASCII is taken as UTF-8. */
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

const STRING_TEXT: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x20 || byte >= 0x7f) return `\\${String(byte).padStart(3, '0')}`;
  const character = String.fromCharCode(byte);
  return character === '"' || character === '\\' ? `\\${character}` : character;
});

export function quoted(bytes: Uint8Array): string {
  let text = '"';
  for (const byte of bytes) text += STRING_TEXT[byte]!;
  return `${text}"`;
}

export function splitString(bytes: Buffer): Buffer[] {
  if (bytes.length === 0) return [bytes];
  const count = Math.ceil(bytes.length / MAX_STRING_BYTES);
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * MAX_STRING_BYTES, (index + 1) * MAX_STRING_BYTES),
  );
}

/** Quotes a TXT content that a customer wrote bare, so that `v=DKIM1; k=rsa` is one text and not three words and a comment. */
export function quoteBareText(content: string): string {
  const text = content.trim();
  if (text.startsWith('"')) return text;
  if (text === '') throw new PresentationError('the text is empty');
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') throw new PresentationError('a quote stands inside a text that does not begin with one');
    else if (text[at] === '\n') throw new PresentationError('the text runs over more than one line');
  }
  return `"${text}"`;
}
