// Turns an endpoint's parameters into command options, and the options back into the API's input.
import { Option } from 'commander';
import type { Parameters } from '#contract/endpoint.ts';
import { Timestamp } from '#contract/parameters.ts';
import { rolesWith, type Permission } from '#contract/roles.ts';
import { collectList } from './command.ts';
import { parseTime } from './time.ts';

/** The part of JSON Schema that parameters use. */
interface Shape {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly items?: Shape;
  readonly 'x-reason'?: string;
  readonly 'x-permission'?: Permission;
  readonly 'x-file'?: boolean;
}

/** The API takes seconds; people write dates. */
const timeDescription = 'a time such as 2026-11-15 or 2026-11-15T12:00:00Z';

function isTime(shape: Shape): boolean {
  return shape['x-reason'] === (Timestamp as Shape)['x-reason'];
}

/** Never on a command line, where other users can read them. */
export const secretNames: ReadonlySet<string> = new Set(['password', 'newpassword', 'code', 'secret', 'key']);

export function argumentName(name: string): string {
  return name.replaceAll('_', '-');
}

/** Adds who may use an option that needs a further permission than its command. */
export function withRoles(description: string, schema: Parameters[string]): string {
  const { 'x-permission': permission } = schema as Shape;
  return permission === undefined ? description : `${description} (only ${rolesWith(permission).join(', ')})`;
}

export function optionOf(name: string, schema: Parameters[string]): Option {
  const shape = schema as Shape;
  const flag = `--${argumentName(name)}`;
  const reason = isTime(shape) ? timeDescription : (shape['x-reason'] ?? '').replace(/^must be /, '');
  if (shape.type === 'boolean') return new Option(`${flag} [true|false]`, withRoles('Without a value: true', schema));
  const value = shape.type === 'array' ? 'list' : shape['x-file'] === true ? 'file' : 'value';
  const description = shape['x-file'] === true ? 'A file; - for standard input' : reason;
  const option = new Option(`${flag} <${value}>`, withRoles(shape.enum === undefined ? description : '', schema));
  if (shape.enum !== undefined) option.choices(shape.enum);
  if (shape.type === 'array' && shape.items?.type !== 'object') option.argParser(collectList);
  return isOptional(schema) ? option : option.makeOptionMandatory();
}

/** Returns the options under the API's names and in its types. */
export function inputOf(
  params: Parameters,
  options: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const input: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(params)) {
    const value = options[optionKey(name)];
    if (value !== undefined && !secretNames.has(name)) input[name] = convert(schema as Shape, value);
  }
  return input;
}

/** Names of the parameters whose values are files to read. */
export function fileNames(params: Parameters): string[] {
  return Object.keys(params).filter((name) => (params[name] as Shape)['x-file'] === true);
}

function convert(shape: Shape, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (isTime(shape)) return parseTime(value);
  if (shape.type === 'integer' && /^[0-9]{1,15}$/.test(value)) return Number(value);
  if (shape.type === 'boolean') return value === 'true';
  if (shape.type === 'array' || shape.type === 'object') return parseJson(value);
  return value;
}

/** Returns text that is not JSON as it is: the server rejects it, and says what it expects. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function optionKey(name: string): string {
  return argumentName(name).replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

export function isOptional(schema: Parameters[string]): boolean {
  return '~optional' in schema;
}
