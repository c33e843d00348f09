// Turns the contract's schemas into the TypeScript types that users of the SDK see.
import type { Json } from '#contract/openapi/schema.ts';

/** The keywords that decide about a type. */
interface Schema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Json[];
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Json | boolean;
}

/** Returns the declaration of a named type. */
export function declarationText([name, schema]: readonly [string, Json]): string {
  const doc = comment(schema['description'], '');
  const text = typeText(schema);
  if (text.startsWith('{') && text.indexOf('}') === text.length - 1)
    return `\n${doc}export interface ${name} ${text}\n`;
  return variantsDeclaration(name, schema) ?? `\n${doc}export type ${name} = ${text};\n`;
}

/** Returns a union of objects that differ only in `type` and `data` as a table of their data and one object type. */
function variantsDeclaration(name: string, schema: Json): string | undefined {
  const variants = (schema['anyOf'] as readonly { properties?: Record<string, Json> }[] | undefined) ?? [];
  const withoutDifference = variants.map(({ properties }) => JSON.stringify({ ...properties, type: 0, data: 0 }));
  const members = variants[0]?.properties;
  if (members?.['type'] === undefined || members['data'] === undefined || new Set(withoutDifference).size > 1)
    return undefined;
  const table = variants.map(({ properties }) => ({
    doc: undefined,
    text: `${literal(properties!['type']!['const'])}: ${typeText(properties!['data']!, '  ')}`,
  }));
  const replaced: Record<string, string> = { type: 'Type', data: `${name}Data[Type]` };
  const variant = Object.entries(members).map(([member, value]) => ({
    doc: value['description'],
    text: `${member}: ${replaced[member] ?? typeText(value, '    ')}`,
  }));
  return `
/** The \`data\` of each \`type\`. */
export interface ${name}Data ${membersText(table)}

export type ${name} = {
  readonly [Type in keyof ${name}Data]: ${membersText(variant, '  ')};
}[keyof ${name}Data];
`;
}

/** Returns a TypeScript type, on one line if it has no properties. */
export function typeText(schema: Json, indent = ''): string {
  const { $ref, const: constant, enum: values, anyOf, type } = schema as Schema;
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
  const { properties, required = [], additionalProperties } = schema as Schema;
  if (properties === undefined)
    return typeof additionalProperties === 'object'
      ? `Readonly<Record<string, ${typeText(additionalProperties, indent)}>>`
      : 'Readonly<Record<string, unknown>>';
  const members = Object.entries(properties).map(([name, member]) => ({
    doc: member['description'],
    text: `${nameText(name)}${required.includes(name) ? '' : '?'}: ${typeText(member, `${indent}  `)}`,
  }));
  return members.length === 0 ? 'Readonly<Record<string, never>>' : membersText(members, indent);
}

export interface MemberText {
  readonly doc: unknown;
  readonly text: string;
}

/** Returns an object type, on one line if its only property is short and needs no comment. */
export function membersText(members: readonly MemberText[], indent = ''): string {
  const [{ doc, text }] = members as [MemberText];
  if (members.length === 1 && !doc && !text.includes('\n')) return `{ readonly ${text} }`;
  const lines = members.map(({ doc, text }) => `${comment(doc, `${indent}  `)}${indent}  readonly ${text};\n`);
  return `{\n${lines.join('')}${indent}}`;
}

/** Returns the type of a parameter: an id can be a string or a number. */
export function parameterText(schema: Json, indent: string): string {
  if (isId(schema)) return 'Id';
  if (schema['type'] === 'array' && typeof schema['items'] === 'object')
    return listText(schema['items'] as Json, parameterText(schema['items'] as Json, indent));
  return typeText(schema, indent);
}

function isId({ type, minimum, maximum }: Json): boolean {
  return type === 'integer' && minimum === 0 && maximum === Number.MAX_SAFE_INTEGER;
}

/** Returns true if the type says everything about the values that a parameter accepts. */
export function isTypeComplete(schema: Json): boolean {
  const { type, enum: values, items, maxItems } = schema as { items?: { enum?: readonly unknown[] } } & Json;
  return (
    values !== undefined ||
    type === 'boolean' ||
    isId(schema) ||
    (maxItems !== undefined && maxItems === items?.enum?.length)
  );
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
