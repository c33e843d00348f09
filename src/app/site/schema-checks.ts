// Checks the site file, and the settings of each driver it names, against their schemas. Problems use the sentences of
// the schema.
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { Settings } from 'typebox/system';
import { Secret } from '#contract/site/secrets.ts';
import type { SitePath, SiteProblem } from './site-problem.ts';
import { parseReference } from './secrets.ts';
import { findSimilarName } from './similar-name.ts';

const maxSchemaProblems = 200;

/** Kept while a file is checked. The one of a site takes more than a megabyte, and a server checks its file only when it starts. */
const compiled = new WeakMap<TSchema, WeakRef<ReturnType<typeof Compile>>>();

export function checkSchema(schema: TSchema, value: unknown): SiteProblem[] {
  const { anyOf } = schema as { anyOf?: TSchema[] };
  // Reports the alternative that fits best.
  if (anyOf !== undefined)
    return anyOf
      .map((branch) => checkSchema(branch, value))
      .reduce((best, problems) => (problems.length < best.length ? problems : best));
  let check = compiled.get(schema)?.deref();
  if (check === undefined) compiled.set(schema, new WeakRef((check = Compile(schema))));
  const problems = new Map<string, SiteProblem>();
  if (check.Check(value)) return [];
  // The library stops at eight errors by default, as a guard against untrusted input; this file is the operator's own.
  Settings.Set({ maxErrors: maxSchemaProblems });
  const [, errors] = check.Errors(value);
  Settings.Reset();
  for (const { keyword, instancePath, params, message, schemaPath } of errors) {
    // If the alternatives as a whole have a sentence, the errors of each are noise.
    const choice = schemaPath.lastIndexOf('/anyOf/');
    if (choice >= 0 && reasonOf(schema, schemaPath.slice(0, choice)) !== undefined) continue;
    const path = parsePointer(instancePath, value);
    const name = nameOf(path);
    if (keyword === 'required') {
      for (const missing of (params as { requiredProperties: string[] }).requiredProperties) {
        problems.set(`${instancePath}/${missing}`, [path, `${missing} is missing`]);
      }
    } else if (keyword === 'additionalProperties') {
      for (const extra of (params as { additionalProperties: string[] }).additionalProperties) {
        problems.set(`${instancePath}/${extra}`, [
          [...path, extra],
          `${extra} is not a known field here; ${spellingHint(extra, nodeAt(schema, schemaPath))}`,
        ]);
      }
    } else if (keyword !== 'boolean') {
      const quotes = isUnquoted(keyword, params, valueAt(value, path)) ? '; put it in quotes' : '';
      problems.set(instancePath, [
        path,
        `${name} ${reasonOf(schema, schemaPath) ?? typeReason(params) ?? message}${quotes}`,
      ]);
    }
  }
  return [...problems.values()];
}

/** YAML reads `price: 89.00` as a number. */
function isUnquoted(keyword: string, params: object, value: unknown): boolean {
  return keyword === 'type' && (params as { type?: unknown }).type === 'string' && typeof value === 'number';
}

function valueAt(value: unknown, path: SitePath): unknown {
  return path.reduce<unknown>((node, step) => (node as Record<string | number, unknown> | undefined)?.[step], value);
}

function nameOf(path: SitePath): string {
  const last = path.at(-1);
  if (typeof last === 'number') return `entry ${last + 1}${path.length > 1 ? ` of ${path.at(-2)}` : ''}`;
  return last ?? 'the file';
}

const typeReasons: Readonly<Record<string, string>> = {
  object: 'must have names and values, such as `name: value`',
  array: 'must be a list, such as [a, b]',
  string: 'must be text',
  boolean: 'must be true or false',
};

function typeReason(params: object): string | undefined {
  return typeReasons[String((params as { type?: unknown }).type)];
}

function spellingHint(name: string, { properties = {} }: SchemaNode): string {
  const similar = findSimilarName(name, Object.keys(properties));
  return similar === undefined ? 'remove it or correct its spelling' : `did you mean ${similar}?`;
}

/** Returns the schema's own sentence at the path that an error names. */
function reasonOf(schema: TSchema, schemaPath: string): string | undefined {
  return nodeAt(schema, schemaPath)['x-reason'];
}

interface SchemaNode {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>;
  readonly anyOf?: readonly SchemaNode[];
  readonly 'x-reason'?: string;
}

function nodeAt(schema: TSchema, schemaPath: string): SchemaNode {
  let node: unknown = schema;
  for (const part of schemaPath.split('/').slice(1)) node = (node as Record<string, unknown> | undefined)?.[part];
  return (node ?? {}) as SchemaNode;
}

function parsePointer(pointer: string, value: unknown): (string | number)[] {
  let node = value;
  return pointer
    .split('/')
    .slice(1)
    .map((raw) => {
      const part = raw.replaceAll('~1', '/').replaceAll('~0', '~');
      const step = Array.isArray(node) ? Number(part) : part;
      node = (node as Record<string | number, unknown>)[step];
      return step;
    });
}

/** Yields problems with the choice of a driver and with its settings. `place` is the path of both. */
export function* checkDriver(
  place: SitePath,
  schemas: Readonly<Record<string, TSchema>>,
  chosen: { readonly driver: string; readonly settings: Readonly<Record<string, unknown>> },
): Iterable<SiteProblem> {
  const schema = schemas[chosen.driver];
  if (schema === undefined) {
    yield [[...place, 'driver'], `unknown driver ${chosen.driver}; available: ${Object.keys(schemas).join(', ')}`];
    return;
  }
  for (const [path, message] of checkSchema(schema, chosen.settings)) {
    const value = valueAt(chosen.settings, path);
    // resolveSecrets has already reported references that cannot be resolved.
    if (parseReference(value) !== undefined) continue;
    const isReference = typeof value === 'object' && isText(schema as SchemaNode, path);
    const problem = isReference ? `${nameOf(path)} ${(Secret as SchemaNode)['x-reason']}` : message;
    yield [[...place, 'settings', ...path], problem];
  }
}

function isText(schema: SchemaNode, path: SitePath): boolean {
  return [schema, ...(schema.anyOf ?? [])].some(({ properties }) => properties?.[path.join('/')]?.type === 'string');
}
