// Derives example values from parameter declarations, so that a new endpoint has examples the day it is declared.

import { type TSchema, Type } from 'typebox';
import { Check } from 'typebox/schema';
import type { Endpoint } from '#contract/endpoint.ts';

interface Described extends TSchema {
  type?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  items?: Described;
  properties?: Record<string, Described>;
}

/** One text for each format that a declaration may require. */
const texts = [
  'Anna',
  'anna@example.com',
  'www.example.com',
  '203.0.113.10',
  '203.0.113.0/24',
  'NL004495445B01',
  'dc01r01ds01',
  'NL',
  'en',
  'https://www.example.com/',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 anna',
  '123456',
  'EUR',
  '2026-01-31',
  '0208:0428759497',
  '0mbx3k5w8q2f4d7h',
  '21.00',
  'a_token-of-a-link-has-exactly-43-characters',
  '18.mhxyz123.abcdefghijk.a-signature-of-22-char',
  '#cloud-config',
];

export function example(schema: TSchema): unknown {
  const described = schema as Described;
  switch (described.type) {
    case 'integer':
      return Math.max(described.minimum ?? 0, Math.min(described.maximum ?? 0, 1001));
    case 'boolean':
      return true;
    case 'array':
      return [example(described.items!)];
    case 'object':
      return Object.fromEntries(
        Object.entries(described.properties ?? {}).map(([name, inner]) => [name, example(inner)]),
      );
    default: {
      const text = [...(described.enum ?? []), ...texts].find((text) => Check(schema, text));
      if (text === undefined)
        throw new Error(`no example fits ${JSON.stringify(schema)}: add one to the list of texts`);
      return text;
    }
  }
}

export type Example = Record<string, unknown>;

/** Every parameter of the endpoint. */
export function fullExample({ params }: Endpoint): Example {
  return Object.fromEntries(Object.entries(params).map(([name, schema]) => [name, example(schema)]));
}
/** Every parameter; one that selects between reading and changing gets a value that changes. */
export function changingExample(endpoint: Endpoint): Example {
  const full = fullExample(endpoint);
  const { reading, params } = endpoint;
  if (reading === undefined) return full;
  const changing = (params[reading.parameter] as Described).enum?.find((value) => !reading.values.includes(value));
  return changing === undefined ? full : { ...full, [reading.parameter]: changing };
}
/** Only the required parameters. */
export function requiredExample({ params }: Endpoint): Example {
  const required = Object.entries(params).filter(([, schema]) => !Type.IsOptional(schema));
  return Object.fromEntries(required.map(([name, schema]) => [name, example(schema)]));
}

/** A second valid value. */
export function otherExample(schema: TSchema): unknown {
  const described = schema as Described;
  if (described.type === 'integer') return (example(schema) as number) + 1;
  if (described.type === 'boolean') return false;
  if (described.type === 'array') return [otherExample(described.items!)];
  if (described.type === 'object') {
    const [[name, inner] = ['', {}]] = Object.entries(described.properties ?? {});
    return { ...(example(schema) as object), [name]: otherExample(inner) };
  }
  return [...(described.enum ?? []).slice(1), 'another value'][0];
}

const notDigits = ['', '-1', '+1', '1.5', '1e3', '0x10', ' 1', 'abc', '9007199254740992', '9'.repeat(400)];
const notTruths = ['', 'yes', '2', 'TRUE'];
const notLists = ['[true]', '[{}]', '[null]'];
/** Well-formed as the only element of a list of free texts. */
const singleTexts = ['[', 'no such value'];
const oddTexts = [
  '',
  ' ',
  '!',
  'a b@c',
  '-',
  '☃',
  "'; drop table accounts; --",
  'a'.repeat(5000),
  `${'ab '.repeat(80)}!`,
];

/** Texts that the declaration rejects, each for a different reason. */
export function malformedTexts(schema: TSchema): string[] {
  const described = schema as Described;
  if (described.type === 'integer') return notDigits;
  if (described.type === 'boolean') return notTruths;
  if (described.type === 'array') return [...notLists, ...singleTexts.filter((text) => !Check(described.items!, text))];
  return [...oddTexts.filter((text) => !Check(schema, text)), `${String(example(schema))}\u0000`];
}

/** JSON values that the declaration rejects. */
export function malformedValues(schema: TSchema): unknown[] {
  const { type } = schema as Described;
  const values: [string, unknown][] = [
    ['null', null],
    ['object', { toString: 1 }],
    ['array', [[1]]],
    ['boolean', false],
    ['number', 1.5],
  ];
  return values.filter(([kind]) => kind !== type).map(([, value]) => value);
}
