// Turns the contract's schemas into the TypeScript types that users of the SDK see.
import type { Json } from '#contract/openapi/schema.ts';

/** Returns a TypeScript type, on one line if it has no properties. */
export function typeText(schema: Json, indent = ''): string {
  const {
    $ref,
    const: constant,
    enum: values,
    anyOf,
    type,
  } = schema as {
    $ref?: string;
    const?: unknown;
    enum?: readonly unknown[];
    anyOf?: readonly Json[];
    type?: string;
  };
  if ($ref !== undefined) return $ref.split('/').at(-1)!;
  if (constant !== undefined) return literal(constant);
  if (values !== undefined) return values.map(literal).join(' | ');
  if (anyOf !== undefined) return [...new Set(anyOf.map((option) => typeText(option, indent)))].join(' | ');
  switch (type) {
    case 'string':
      return schema['format'] === 'binary' ? 'FileResponse' : 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
    case 'null':
      return type;
    case 'array':
      return listText(schema['items'] as Json, typeText(schema['items'] as Json, indent));
    case 'object':
      return objectText(schema, indent);
    default:
      return 'unknown';
  }
}

function objectText(schema: Json, indent: string): string {
  const {
    properties,
    required = [],
    additionalProperties,
  } = schema as {
    properties?: Readonly<Record<string, Json>>;
    required?: readonly string[];
    additionalProperties?: Json | boolean;
  };
  if (properties === undefined)
    return typeof additionalProperties === 'object'
      ? `Readonly<Record<string, ${typeText(additionalProperties, indent)}>>`
      : 'Readonly<Record<string, unknown>>';
  const members = Object.entries(properties).map(([name, member]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${comment(member['description'], `${indent}  `)}${indent}  readonly ${nameText(name)}${mark}: ${typeText(member, `${indent}  `)};\n`;
  });
  return members.length === 0 ? 'Readonly<Record<string, never>>' : `{\n${members.join('')}${indent}}`;
}

/** Returns the type of a parameter: an id can be a string or a number. */
export function parameterText(schema: Json, indent: string): string {
  const isId = schema['type'] === 'integer' && schema['minimum'] === 0 && schema['maximum'] === Number.MAX_SAFE_INTEGER;
  if (isId) return 'Id';
  if (schema['type'] === 'array' && typeof schema['items'] === 'object')
    return listText(schema['items'] as Json, parameterText(schema['items'] as Json, indent));
  return typeText(schema, indent);
}

export function comment(text: unknown, indent: string): string {
  if (typeof text !== 'string' || text === '') return '';
  return `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n`;
}

function nameText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
}

export function literal(value: unknown): string {
  return typeof value === 'string'
    ? `'${value.replaceAll(/[\\']/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}'`
    : JSON.stringify(value);
}

function listText(items: Json, text: string): string {
  return `readonly ${'anyOf' in items || 'enum' in items ? `(${text})` : text}[]`;
}
