// From what a request carries to what a handler gets: each declared parameter once, in its declared type, or a refusal
// that names every fault at once.
import { Compile } from 'typebox/compile';
import type { TSchema } from 'typebox';
import type { FaceName } from '#contract/contract.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { Fault, invalid } from '#kernel/fault.ts';
import type { Pairs } from './body.ts';

export type Input = Record<string, unknown>;
export type ReadParameters = (sources: readonly Pairs[]) => Input;

interface Reader {
  readonly name: string;
  readonly optional: boolean;
  readonly coerce: (value: unknown) => unknown;
  readonly fits: (value: unknown) => boolean;
  readonly reason: string;
}

export function parameterReader(face: FaceName, endpoint: Endpoint): ReadParameters {
  const readers = Object.entries(endpoint.params).map(([name, schema]) => reader(name, schema));
  const known = new Set(readers.map(({ name }) => name));
  const aliases: Readonly<Record<string, string>> = endpoint.aliases ?? {};

  return (sources) => {
    const faults: Record<string, string> = Object.create(null) as Record<string, string>;
    const given = new Map<string, unknown>();
    for (const [rawName, value] of sources.flat()) {
      const name = known.has(rawName) ? rawName : Object.hasOwn(aliases, rawName) ? aliases[rawName]! : rawName;
      if (!known.has(name)) {
        // A mistyped name on v2 must not be taken for a wish to see everything.
        if (face === 'v2') faults[shortened(name)] = 'is not a parameter of this operation';
        continue;
      }
      if (given.has(name) && !sameValue(given.get(name), value)) faults[name] = 'is given twice with different values';
      given.set(name, value);
    }
    const input: Input = {};
    for (const { name, optional, coerce, fits, reason } of readers) {
      if (name in faults) continue;
      const raw = given.get(name);
      if (raw === undefined) {
        if (!optional) faults[name] = 'is required';
        continue;
      }
      const value = coerce(raw);
      if (!fits(value)) faults[name] = reason;
      else input[name] = value;
    }
    if (Object.keys(faults).length > 0) throw invalid({ ...faults });
    return input;
  };
}

/** The hashed parameters (new passwords) of an input, which are replaced before any transaction begins. */
export function hashedParameters(endpoint: Endpoint): string[] {
  return Object.entries(endpoint.params)
    .filter(([, schema]) => (schema as { 'x-hashed'?: boolean })['x-hashed'] === true)
    .map(([name]) => name);
}

type Described = TSchema & {
  type?: string;
  'x-reason'?: string;
  '~optional'?: boolean;
  items?: TSchema;
  maxItems?: number;
};

function reader(name: string, schema: TSchema): Reader {
  const described = schema as Described;
  const check = Compile(schema);
  return {
    name,
    optional: described['~optional'] === true,
    coerce: coercion(described),
    fits: (value) => check.Check(value) && !hasUnstorableText(value),
    reason: described['x-reason'] ?? 'is not valid',
  };
}

/** Forms, queries and paths carry text only; what the declaration says is a number, a truth or a list is read as such. */
function coercion(schema: Described): (value: unknown) => unknown {
  switch (schema.type) {
    case 'integer':
      return (value) => (typeof value === 'string' && /^[0-9]{1,16}$/.test(value) ? Number(value) : value);
    case 'boolean':
      return (value) => truths.get(value) ?? value;
    case 'array':
      return (value) => listOf(schema, value);
    default:
      return (value) => value;
  }
}

const truths = new Map<unknown, boolean>([
  ['true', true],
  ['1', true],
  [1, true],
  ['false', false],
  ['0', false],
  [0, false],
]);

/** A list comes as a JSON array, as the text of one, or, where its values are plain, as text with commas between. */
function listOf(schema: Described, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (value.trimStart().startsWith('[')) {
    try {
      return JSON.parse(value);
    } catch {
      return value;
    }
  }
  const plain = (schema.items as Described | undefined)?.type !== 'object';
  return plain
    ? value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
    : value;
}

/** Control characters (PostgreSQL cannot store a zero byte, a log line must not be broken) and broken surrogates. */
// oxlint-disable-next-line no-control-regex -- these are just what is looked for
const unstorable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
function hasUnstorableText(value: unknown): boolean {
  if (typeof value === 'string') return unstorable.test(value) || !value.isWellFormed();
  if (typeof value === 'object' && value !== null) return Object.values(value).some(hasUnstorableText);
  return false;
}

function sameValue(left: unknown, right: unknown): boolean {
  return left === right || String(left) === String(right);
}

/** A name that the caller made up is said back to him, but not at any length. */
function shortened(name: string): string {
  return name.length > 64 ? `${name.slice(0, 64)}…` : name;
}

const idempotencyKeyPattern = /^[\x21-\x7e]{1,255}$/;

/** The Idempotency-Key header, quoted or bare. */
export function idempotencyKeyOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const text = String(header);
  const bare = /^".*"$/.test(text) ? text.slice(1, -1) : text;
  if (!idempotencyKeyPattern.test(bare)) {
    throw new Fault('invalid_parameter', {
      message: 'Idempotency-Key must be 1 to 255 printable characters.',
      fields: { 'Idempotency-Key': 'must be 1 to 255 printable characters' },
    });
  }
  return bare;
}
