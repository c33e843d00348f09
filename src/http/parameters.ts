// Turns the contents of a request into the input of a handler: each declared parameter once and in its declared type,
// or an error that lists every problem.
import { Compile } from 'typebox/schema';
import type { TSchema } from 'typebox';
import type { ServedApi } from '#contract/contract.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { ApiError, invalid } from '#lib/api-error.ts';
import type { Pairs } from './body.ts';

export type Input = Record<string, unknown>;
export type ReadParameters = (sources: readonly Pairs[]) => Input;

interface Reader {
  readonly name: string;
  readonly optional: boolean;
  readonly coerce: (value: unknown) => unknown;
  readonly fits: (value: unknown) => boolean;
  readonly explain: (value: unknown) => string;
}

/** A body can contain a thousand made-up names; this many are reported. */
const maxUnknownNames = 20;

/** Several routes and plans lead to the same endpoint, and compiling its checks is slow. */
const parameterReaders = new WeakMap<Endpoint, ReadParameters>();

export function parameterReaderOf(api: ServedApi, endpoint: Endpoint): ReadParameters {
  const reader = parameterReaders.get(endpoint) ?? createParameterReader(api, endpoint);
  parameterReaders.set(endpoint, reader);
  return reader;
}

function createParameterReader(api: ServedApi, endpoint: Endpoint): ReadParameters {
  const readers = new Map(Object.entries(endpoint.params).map(([name, schema]) => [name, createReader(name, schema)]));
  for (const [alias, name] of Object.entries(endpoint.aliases ?? {})) readers.set(alias, readers.get(name)!);
  const required = new Set([...readers.values()].filter(({ optional }) => !optional).map(({ name }) => name));

  return (sources) => {
    const problems: Record<string, string> = Object.create(null) as Record<string, string>;
    const input: Input = {};
    let unknownNames = 0;
    for (const source of sources) {
      for (const [spelling, raw] of source) {
        const reader = readers.get(spelling);
        if (reader === undefined) {
          // A misspelt filter must not return everything. DNS tools send what PowerDNS ignores.
          if (api !== 'legacy' && api !== 'automation' && unknownNames++ < maxUnknownNames)
            problems[shortenName(spelling)] = 'is not a parameter of this operation';
          continue;
        }
        const { name, coerce, fits, explain } = reader;
        const value = coerce(raw);
        if (!fits(value)) problems[name] = explain(value);
        else if (!Object.hasOwn(input, name)) input[name] = value;
        else if (!isSameValue(input[name], value)) problems[name] = 'is given twice with different values';
      }
    }
    for (const name of required) {
      if (!Object.hasOwn(input, name) && !(name in problems)) problems[name] = 'is required';
    }
    if (Object.keys(problems).length > 0) throw invalid({ ...problems });
    return input;
  };
}

type Described = TSchema & {
  type?: string;
  'x-reason'?: string;
  'x-digits'?: boolean;
  '~optional'?: boolean;
  items?: TSchema;
  maxItems?: number;
};

function createReader(name: string, schema: TSchema): Reader {
  const described = schema as Described;
  // Compiled on first use: most processes never see most operations, and each check costs memory and start time.
  let check: { Check(value: unknown): boolean } | undefined;
  const explainItem = createItemExplanation(described);
  return {
    name,
    optional: described['~optional'] === true,
    coerce: createCoercion(described),
    fits: (value) => (check ??= Compile(schema)).Check(value) && !hasUnstorableText(value),
    explain: (value) => explainItem(value) ?? described['x-reason'] ?? 'is not valid',
  };
}

/** Names the first text of a list that does not fit: with many values, the reason alone does not say which one. */
function createItemExplanation({
  type,
  items,
  maxItems = Infinity,
}: Described): (value: unknown) => string | undefined {
  const reason = (items as Described | undefined)?.['x-reason'];
  if (type !== 'array' || reason === undefined) return () => undefined;
  let check: { Check(value: unknown): boolean } | undefined;
  return (value) => {
    if (!Array.isArray(value) || value.length > maxItems) return undefined;
    const wrong: unknown = value.find((item) => !(check ??= Compile(items!)).Check(item));
    if (typeof wrong !== 'string' || hasUnstorableText(wrong)) return undefined;
    return `contains “${shortenName(wrong)}”, but each value ${reason}`;
  };
}

/** Forms, queries and paths carry only text, which is converted to the declared number, boolean or list. */
function createCoercion(schema: Described): (value: unknown) => unknown {
  switch (schema.type) {
    case 'integer':
      return (value) => (typeof value === 'string' && /^[0-9]{1,16}$/.test(value) ? Number(value) : value);
    case 'boolean':
      return (value) => booleans.get(value) ?? value;
    case 'array': {
      const items = (schema.items ?? {}) as Described;
      if (items.type === 'object') return parseObjectList;
      const item = createCoercion(items);
      return (value) => {
        const list = parseList(value);
        return Array.isArray(list) ? list.map(item) : list;
      };
    }
    case 'object':
      return (value) => (typeof value === 'string' && value.trimStart().startsWith('{') ? parseJson(value) : value);
    default:
      return schema['x-digits'] === true ? numberToText : (value) => value;
  }
}

function numberToText(value: unknown): unknown {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? String(value) : value;
}

const booleans = new Map<unknown, boolean>([
  ['true', true],
  ['1', true],
  [1, true],
  ['false', false],
  ['0', false],
  [0, false],
]);

/** A list is a JSON array or the text of one; plain values can also be separated by commas. */
function parseObjectList(value: unknown): unknown {
  return typeof value === 'string' && value.trimStart().startsWith('[') ? parseJson(value) : value;
}
function parseList(value: unknown): unknown {
  const list = parseObjectList(value);
  if (typeof list !== 'string') return list;
  return list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Returns the parsed value, or the text itself, which fits no schema, if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Control characters (PostgreSQL cannot store a zero byte, and log lines must not break) and lone surrogates. */
// oxlint-disable-next-line no-control-regex -- matching control characters is the point
const unstorable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
function hasUnstorableText(value: unknown): boolean {
  if (typeof value === 'string') return unstorable.test(value) || !value.isWellFormed();
  if (typeof value === 'object' && value !== null) return Object.values(value).some(hasUnstorableText);
  return false;
}

/** Only for values that fit their schema, so nesting is limited. */
function isSameValue(left: unknown, right: unknown): boolean {
  return left === right || (typeof left === 'object' && JSON.stringify(left) === JSON.stringify(right));
}

/** Keeps made-up names short when they are repeated to the caller. */
function shortenName(name: string): string {
  return name.length > 64 ? `${name.slice(0, 64)}…` : name;
}

const idempotencyKeyPattern = /^[\x21-\x7e]{1,255}$/;

/** Reads the Idempotency-Key header, quoted or bare. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const text = String(header);
  const bare = /^".*"$/.test(text) ? text.slice(1, -1) : text;
  if (!idempotencyKeyPattern.test(bare)) {
    throw new ApiError('invalid_parameter', {
      message: 'Idempotency-Key must be 1 to 255 printable characters.',
      fields: { 'Idempotency-Key': 'must be 1 to 255 printable characters' },
    });
  }
  return bare;
}
