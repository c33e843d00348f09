// Domain names as text in canonical form: lower case, no trailing dot, the root as an empty string, special characters
// escaped as in RFC 1035 section 5.1. Equal names are equal strings, so maps and SQL indexes work.
import { PresentationError, WireError } from './errors.ts';

export const maxNameBytes = 255;
/** Of one byte each. */
export const maxLabels = 127;
const maxLabelBytes = 63;

const backslashByte = 0x5c;
const dotByte = 0x2e;
const escapedInLabels = '.\\"();@$';

/** The canonical text of each byte of a label. */
export const labelCharacters: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (byte <= 0x20 || byte >= 0x7f) return `\\${String(byte).padStart(3, '0')}`;
  return escapedInLabels.includes(character) ? `\\${character}` : character.toLowerCase();
});

/**
 * Parses a name as people write it. Without a trailing dot it is relative to `origin`, or absolute if there is none.
 */
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
  if (wireLength(name) > maxNameBytes) throw new PresentationError(`the name is longer than ${maxNameBytes} bytes`);
  return name;
}

/** Returns the absolute form, for zone files and PowerDNS, where a missing dot would mean "relative". */
export function toAbsolute(name: string): string {
  return `${name}.`;
}

function canonicalLabel(label: string): string {
  if (label === '') throw new PresentationError('the name has an empty label');
  const bytes = labelBytes(label);
  if (bytes.length > maxLabelBytes) throw new PresentationError(`a label is longer than ${maxLabelBytes} bytes`);
  let text = '';
  for (const byte of bytes) text += labelCharacters[byte]!;
  return text;
}

/** Returns the bytes of a label, with escapes resolved. */
export function labelBytes(label: string): number[] {
  const bytes: number[] = [];
  for (let at = 0; at < label.length; at++) {
    const code = label.charCodeAt(at);
    if (code === backslashByte) {
      const escape = readEscape(label, at);
      bytes.push(escape.byte);
      at += escape.length - 1;
    } else if (code > 0x7e) {
      throw new PresentationError('the name has a non-ASCII character; write it in its xn-- form');
    } else if (code <= 0x20 || '"();@$'.includes(label[at]!)) {
      throw new PresentationError(`the name has the character ${JSON.stringify(label[at])}, which must be escaped`);
    } else {
      bytes.push(code);
    }
  }
  return bytes;
}

/** Reads `\X` or `\DDD` at `at`, for names and character strings. */
export function readEscape(text: string, at: number): { byte: number; length: number } {
  const digits = text.slice(at + 1, at + 4);
  if (/^\d{3}$/.test(digits)) {
    const byte = Number(digits);
    if (byte > 255) throw new PresentationError(`the escape \\${digits} is above 255`);
    return { byte, length: 4 };
  }
  const code = text.charCodeAt(at + 1);
  if (Number.isNaN(code)) throw new PresentationError('a backslash at the end has nothing to escape');
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
  for (let dot = findDot(name, 0); dot >= 0; dot = findDot(name, start)) {
    labels.push(name.slice(start, dot));
    start = dot + 1;
  }
  labels.push(name.slice(start));
  return labels;
}

/** Returns where the label that starts at `from` ends, or -1 for the last label. */
export function findDot(name: string, from: number): number {
  for (let at = from; at < name.length; at++) {
    const code = name.charCodeAt(at);
    if (code === backslashByte) at++;
    else if (code === dotByte) return at;
  }
  return -1;
}

export function parentName(name: string): string {
  const dot = findDot(name, 0);
  return dot < 0 ? '' : name.slice(dot + 1);
}

/** Returns the name, its parent, and so on up to `top`, which must enclose the name. */
export function ancestorNames(name: string, top = ''): string[] {
  const chain = [name];
  let current = name;
  while (current !== top) {
    if (current === '') throw new WireError('the name is not within the given ancestor');
    current = parentName(current);
    chain.push(current);
  }
  return chain;
}

export function isWithin(name: string, zone: string): boolean {
  if (zone === '' || name === zone) return true;
  if (!name.endsWith(`.${zone}`)) return false;
  // With escapes, the dot before the suffix may belong to a label, so labels are compared.
  if (!name.includes('\\')) return true;
  const labels = splitLabels(name);
  const zoneLabels = splitLabels(zone);
  return labels.slice(-zoneLabels.length).join('.') === zone && labels.length > zoneLabels.length;
}

/** Returns the name as written in a zone file of `origin`. */
export function relativeName(name: string, origin: string): string {
  if (name === origin) return '@';
  if (origin === '' || !isWithin(name, origin)) return toAbsolute(name);
  return name.slice(0, -(origin.length + 1));
}

export function wireLength(name: string): number {
  if (name === '') return 1;
  if (!name.includes('\\')) return name.length + 2;
  return splitLabels(name).reduce((total, label) => total + 1 + labelBytes(label).length, 1);
}
