// Domain names as text in one canonical form: lower case, no trailing dot, the root as the empty string, special
// characters escaped as RFC 1035 section 5.1 says. Equal names are equal strings, so maps and SQL indexes serve.
import { PresentationError, WireError } from './errors.ts';

export const MAX_NAME_BYTES = 255;
export const MAX_LABEL_BYTES = 63;

const BACKSLASH = 0x5c;
const DOT = 0x2e;
const ESCAPED_IN_LABELS = '.\\"();@$';

/** What each byte of a label looks like in canonical text. */
export const LABEL_TEXT: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (byte <= 0x20 || byte >= 0x7f) return `\\${String(byte).padStart(3, '0')}`;
  return ESCAPED_IN_LABELS.includes(character) ? `\\${character}` : character.toLowerCase();
});

/** Reads a name as people write it. Without a trailing dot it is relative to `origin`, or absolute where there is none. */
export function parseName(text: string, origin = ''): string {
  if (text === '@' && origin !== '') return origin;
  if (text === '.') return '';
  if (text === '') throw new PresentationError('the name is empty');
  const parts = splitLabels(text);
  const absolute = parts.at(-1) === '';
  if (absolute) parts.pop();
  const labels = parts.map(canonicalLabel);
  if (!absolute && origin !== '') labels.push(origin);
  const name = labels.join('.');
  if (wireLength(name) > MAX_NAME_BYTES) throw new PresentationError(`the name is longer than ${MAX_NAME_BYTES} bytes`);
  return name;
}

/** As parseName's opposite for places where a missing dot would mean "relative": zone files, PowerDNS. */
export function dotted(name: string): string {
  return `${name}.`;
}

function canonicalLabel(label: string): string {
  if (label === '') throw new PresentationError('the name has an empty label');
  const bytes = labelBytes(label);
  if (bytes.length > MAX_LABEL_BYTES) throw new PresentationError(`a label is longer than ${MAX_LABEL_BYTES} bytes`);
  let text = '';
  for (const byte of bytes) text += LABEL_TEXT[byte]!;
  return text;
}

/** The bytes that a label's text, escapes and all, stands for. */
export function labelBytes(label: string): number[] {
  const bytes: number[] = [];
  for (let at = 0; at < label.length; at++) {
    const code = label.charCodeAt(at);
    if (code === BACKSLASH) {
      const escape = readEscape(label, at);
      bytes.push(escape.byte);
      at += escape.length - 1;
    } else if (code > 0x7e) {
      throw new PresentationError('the name has a character outside ASCII; write it in its xn-- form');
    } else if (code <= 0x20 || '"();@$'.includes(label[at]!)) {
      throw new PresentationError(`the name has the character ${JSON.stringify(label[at])}, which must be escaped`);
    } else {
      bytes.push(code);
    }
  }
  return bytes;
}

/** Reads `\X` or `\DDD` at `at`; both names and character strings use them. */
export function readEscape(text: string, at: number): { byte: number; length: number } {
  const digits = text.slice(at + 1, at + 4);
  if (/^\d{3}$/.test(digits)) {
    const byte = Number(digits);
    if (byte > 255) throw new PresentationError(`the escape \\${digits} is above 255`);
    return { byte, length: 4 };
  }
  const code = text.charCodeAt(at + 1);
  if (Number.isNaN(code)) throw new PresentationError('a backslash at the end escapes nothing');
  if (code > 0x7e || code < 0x20 || (code >= 0x30 && code <= 0x39))
    throw new PresentationError('a backslash must be followed by a character or by three digits');
  return { byte: code, length: 2 };
}

/** Splits at the dots that are not escaped. The root has no labels. */
export function splitLabels(name: string): string[] {
  if (name === '') return [];
  if (!name.includes('\\')) return name.split('.');
  const labels: string[] = [];
  let start = 0;
  for (let dot = nextDot(name, 0); dot >= 0; dot = nextDot(name, start)) {
    labels.push(name.slice(start, dot));
    start = dot + 1;
  }
  labels.push(name.slice(start));
  return labels;
}

/** Where the label that starts at `from` ends, -1 for the last label. */
export function nextDot(name: string, from: number): number {
  for (let at = from; at < name.length; at++) {
    const code = name.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === DOT) return at;
  }
  return -1;
}

export function parentName(name: string): string {
  const dot = nextDot(name, 0);
  return dot < 0 ? '' : name.slice(dot + 1);
}

/** The name itself, its parent, and so on; the last is `top`, which must enclose the name. */
export function chainOfNames(name: string, top = ''): string[] {
  const chain = [name];
  let current = name;
  while (current !== top) {
    if (current === '') throw new WireError('the name is not below the given top');
    current = parentName(current);
    chain.push(current);
  }
  return chain;
}

export function isWithin(name: string, zone: string): boolean {
  if (zone === '' || name === zone) return true;
  if (!name.endsWith(`.${zone}`)) return false;
  // With escapes the dot before the suffix may belong to a label, so the labels decide.
  if (!name.includes('\\')) return true;
  const labels = splitLabels(name);
  const zoneLabels = splitLabels(zone);
  return labels.slice(-zoneLabels.length).join('.') === zone && labels.length > zoneLabels.length;
}

/** The name as a zone file of `origin` would write it. */
export function relativeName(name: string, origin: string): string {
  if (name === origin) return '@';
  if (origin === '' || !isWithin(name, origin)) return dotted(name);
  return name.slice(0, -(origin.length + 1));
}

export function wireLength(name: string): number {
  if (name === '') return 1;
  if (!name.includes('\\')) return name.length + 2;
  return splitLabels(name).reduce((total, label) => total + 1 + labelBytes(label).length, 1);
}

/** Canonical order of RFC 4034 section 6.1: by labels from the right, each as bytes. */
export function compareNames(one: string, other: string): number {
  const left = splitLabels(one).reverse();
  const right = splitLabels(other).reverse();
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    if (left[at] === right[at]) continue;
    return Buffer.compare(Buffer.from(labelBytes(left[at]!)), Buffer.from(labelBytes(right[at]!)));
  }
  return left.length - right.length;
}
