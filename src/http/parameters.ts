// From what a request carries to what a handler gets: each declared parameter once, in its declared type, or a refusal
// that names every fault at once.
import { Compile } from 'typebox/schema';
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

/** A body can hold a hundred thousand made-up names; so many need not be said back. */
const unknownNamesTold = 20;

export function parameterReader(face: FaceName, endpoint: Endpoint): ReadParameters {
  const readers = new Map(Object.entries(endpoint.params).map(([name, schema]) => [name, reader(name, schema)]));
  for (const [alias, name] of Object.entries(endpoint.aliases ?? {})) readers.set(alias, readers.get(name)!);
  const required = new Set([...readers.values()].filter(({ optional }) => !optional).map(({ name }) => name));

  return (sources) => {
    const faults: Record<string, string> = Object.create(null) as Record<string, string>;
    const input: Input = {};
    let unknownNames = 0;
    for (const source of sources) {
      for (const [spelling, raw] of source) {
        const known = readers.get(spelling);
        if (known === undefined) {
          // A mistyped name must not be taken for a wish to see everything.
          if (face !== 'legacy' && unknownNames++ < unknownNamesTold)
            faults[shortened(spelling)] = 'is not a parameter of this operation';
          continue;
        }
        const { name, coerce, fits, reason } = known;
        const value = coerce(raw);
        if (!fits(value)) faults[name] = reason;
        else if (!Object.hasOwn(input, name)) input[name] = value;
        else if (!sameValue(input[name], value)) faults[name] = 'is given twice with different values';
      }
    }
    for (const name of required) {
      if (!Object.hasOwn(input, name) && !(name in faults)) faults[name] = 'is required';
    }
    if (Object.keys(faults).length > 0) throw invalid({ ...faults });
    return input;
  };
}

/** The hashed parameters (new passwords) of an input, which are replaced before any transaction begins. */
export function hashedParameters(endpoint: Endpoint): string[] {
  return parametersMarked(endpoint, 'x-hashed');
}

/** Those that are to be called by us, which are checked before any transaction begins. */
export function dialledParameters(endpoint: Endpoint): string[] {
  return parametersMarked(endpoint, 'x-dialled');
}

function parametersMarked(endpoint: Endpoint, mark: 'x-hashed' | 'x-dialled'): string[] {
  return Object.entries(endpoint.params)
    .filter(([, schema]) => (schema as Record<typeof mark, unknown>)[mark] === true)
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
  // Compiled when first used: most processes never see most operations, and each check costs memory and a moment at start.
  let check: { Check(value: unknown): boolean } | undefined;
  return {
    name,
    optional: described['~optional'] === true,
    coerce: coercion(described),
    fits: (value) => (check ??= Compile(schema)).Check(value) && !hasUnstorableText(value),
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
    case 'array': {
      const items = (schema.items ?? {}) as Described;
      if (items.type === 'object') return listOfObjects;
      const item = coercion(items);
      return (value) => {
        const list = listOf(value);
        return Array.isArray(list) ? list.map(item) : list;
      };
    }
    case 'object':
      return (value) => (typeof value === 'string' && value.trimStart().startsWith('{') ? jsonOf(value) : value);
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

/** A list comes as a JSON array or as the text of one; where its values are plain also as text with commas between. */
function listOfObjects(value: unknown): unknown {
  return typeof value === 'string' && value.trimStart().startsWith('[') ? jsonOf(value) : value;
}
function listOf(value: unknown): unknown {
  const list = listOfObjects(value);
  if (typeof list !== 'string') return list;
  return list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** What the text stands for; the text itself, which fits nothing, where it is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Control characters (PostgreSQL cannot store a zero byte, a log line must not be broken) and broken surrogates. */
// oxlint-disable-next-line no-control-regex -- these are just what is looked for
const unstorable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
function hasUnstorableText(value: unknown): boolean {
  if (typeof value === 'string') return unstorable.test(value) || !value.isWellFormed();
  if (typeof value === 'object' && value !== null) return Object.values(value).some(hasUnstorableText);
  return false;
}

/** Of values that fit, so no list or object among them is deeper than its declaration. */
function sameValue(left: unknown, right: unknown): boolean {
  return left === right || (typeof left === 'object' && JSON.stringify(left) === JSON.stringify(right));
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
