// Reads request bodies, JSON and forms, as lists of names and values. Lists, because a repeated name must be detected:
// JSON.parse would silently keep the last.
import { ApiError } from '#lib/api-error.ts';

export type Pairs = (readonly [name: string, value: unknown])[];

/** Far more than any operation has parameters. Node takes seconds for a megabyte of names without values. */
const maxNames = 1000;

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw notUtf8();
  }
}

function requireFewNames(count: number): void {
  if (count > maxNames) throw new ApiError('malformed_request', { message: 'The body has too many parameters.' });
}

function notUtf8(): ApiError {
  return new ApiError('malformed_request', { message: 'The body is not valid UTF-8.' });
}

export function readForm(body: Buffer): Pairs {
  const text = decodeUtf8(body);
  requireFewNames(text.split('&', maxNames + 1).length);
  const pairs = [...new URLSearchParams(text)];
  // Bytes of another encoding, such as M%FCller in Latin-1, would be stored as replacement characters.
  const isReplaced = pairs.some((pair) => pair.join('').includes('\ufffd')) && !/\ufffd|%EF%BF%BD/i.test(text);
  if (isReplaced) throw notUtf8();
  return pairs;
}

export function readQuery(text: string): Pairs {
  return text === '' ? [] : [...new URLSearchParams(text)];
}

export function readJson(body: Buffer): Pairs {
  const text = decodeUtf8(body);
  if (text.trim() === '') return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ApiError('malformed_request', { message: 'The body is not valid JSON.' });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError('malformed_request', { message: 'The body must be a JSON object.' });
  }
  const pairs = Object.entries(value);
  const members = readMembers(text);
  requireFewNames(members.length);
  return members.length === pairs.length
    ? pairs
    : members.map(([name, source]) => [name, JSON.parse(source) as unknown]);
}

/** Returns name and source text of each member of a well-formed JSON object, including repeated ones. */
function readMembers(text: string): [name: string, source: string][] {
  const members: [string, string][] = [];
  let depth = 0;
  let name: string | undefined;
  let valueStart = 0;
  let string: { start: number } | undefined;
  const close = (end: number): void => {
    if (name !== undefined) members.push([name, text.slice(valueStart, end)]);
    name = undefined;
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (string !== undefined) {
      if (character === '\\') at++;
      else if (character === '"') {
        if (depth === 1 && name === undefined) name = JSON.parse(text.slice(string.start, at + 1)) as string;
        string = undefined;
      }
    } else if (character === '"') string = { start: at };
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') {
      if (--depth === 0) close(at);
    } else if (depth === 1 && character === ':') valueStart = at + 1;
    else if (depth === 1 && character === ',') close(at);
  }
  return members;
}
