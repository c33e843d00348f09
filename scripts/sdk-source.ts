// Generates a part of the SDK from the contract: types and documentation of every operation, their routes, and how lists are
// paginated. The output is plain TypeScript without imports of ours.
import { type TSchema, Type } from 'typebox';
import { type ApiName, apis } from '#contract/contract.ts';
import { type Endpoint, type Api, effectOf } from '#contract/endpoint.ts';
import { errorKinds } from '#contract/errors.ts';
import { type Components, gatherComponents, type Json } from '#contract/openapi/schema.ts';
import { pathForms } from '#contract/paths.ts';
import { comment, literal, parameterText, typeText } from './sdk-types.ts';

const header =
  '// Generated from the contract by `npm run golden`, do not edit. It is long because it holds the whole API.\n';
const pageLimit = 100;

export function sdkErrors(): string {
  const codes = Object.keys(errorKinds).map((code) => `\n  | ${literal(code)}`);
  return `${header}\n/** The error codes of the server. */\nexport type ErrorCode =${codes.join('')};\n`;
}

export function sdkSource(api: ApiName): string {
  const components = gatherComponents();
  const operations = Object.entries(apis[api] as Api).map(([name, declaration]) => ({
    name,
    declaration,
    result: components.schema(declaration.result),
    paging: pagingOf(name, declaration, components),
  }));
  const inputs = operations.map(({ name, declaration }) => inputText(name, declaration, components));
  const methods = operations.map(({ name, declaration, result }) => methodText(name, declaration, result));
  const each = operations.map(({ name, declaration, paging }) =>
    paging === undefined ? '' : eachText(name, declaration, paging),
  );
  const routes = operations.map(({ name, declaration }) => `  ${name}: ${routeText(declaration)},\n`);
  const paging = operations.map(({ name, paging: pages }) =>
    pages === undefined ? '' : `  ${name}: ${pages.table},\n`,
  );
  const shapes = Object.entries(components.written('schemas')).map(([name, schema]) => shapeText(name, schema as Json));
  const body = [
    ...shapes,
    ...inputs,
    `\n/** The operations by name. */\nexport interface Methods {\n${methods.join('')}}\n`,
    `\n/** Iterators over all pages of a list. */\nexport interface Each {\n${each.join('')}}\n`,
    streamsText(operations),
    `\nexport const routes = {\n${routes.join('')}} as const satisfies Readonly<Record<string, Route>>;\n`,
    `\nexport const paging = {\n${paging.join('')}} as const satisfies Readonly<Record<string, Paging>>;\n`,
  ].join('');
  const imports = ['CallOptions', 'FileResponse', 'Id', 'Paging', 'Route'].filter((name) =>
    new RegExp(`\\b${name}\\b`).test(body),
  );
  return `${header}import type { ${imports.join(', ')} } from '../settings.ts';\n${body}`;
}

function shapeText(name: string, schema: Json): string {
  const text = typeText(schema);
  const doc = comment(schema['description'], '');
  return text.startsWith('{') && text.indexOf('}') === text.length - 1
    ? `\n${doc}export interface ${name} ${text}\n`
    : `\n${doc}export type ${name} = ${text};\n`;
}

function inputText(name: string, declaration: Endpoint, components: Components): string {
  const members = Object.entries(declaration.params).map(([parameter, schema]) => {
    const json = components.schema(schema);
    const mark = Type.IsOptional(schema) ? '?' : '';
    return `${comment(json['description'], '  ')}  readonly ${parameter}${mark}: ${parameterText(json, '  ')}${mark === '' ? '' : ' | undefined'};\n`;
  });
  if (members.length === 0) return '';
  return `\nexport interface ${inputName(name)} {\n${members.join('')}}\n`;
}

function inputArgument(name: string, declaration: Endpoint): string {
  const params = Object.values(declaration.params);
  if (params.length === 0) return 'input?: Readonly<Record<string, never>>';
  return `input${params.every((schema) => Type.IsOptional(schema)) ? '?' : ''}: ${inputName(name)}`;
}

function methodText(name: string, declaration: Endpoint, result: Json): string {
  const doc = comment([declaration.summary, declaration.description].filter(Boolean).join('. '), '  ');
  const returned = declaration.file === undefined ? typeText(result, '  ') : 'FileResponse';
  return `${doc}  ${name}(${inputArgument(name, declaration)}, options?: CallOptions): Promise<${returned}>;\n`;
}

interface PagingText {
  /** The type of an item. */
  readonly item: string;
  readonly table: string;
}

/** A list is paginated if it takes `limit` and either `after` or `before`. */
function pagingOf(name: string, { params, result }: Endpoint, components: Components): PagingText | undefined {
  const parameter = ['after', 'before'].find((name) => params[name] !== undefined);
  const maximumLimit = (params['limit'] as { maximum?: number } | undefined)?.maximum;
  if (parameter === undefined || maximumLimit === undefined) return undefined;
  const { item, next } = nextOf(name, result, components);
  const table = `{ parameter: '${parameter}', limit: ${Math.min(pageLimit, maximumLimit)}, next: ${next} }`;
  return { item, table };
}

function nextOf(name: string, result: TSchema, components: Components): { item: string; next: string } {
  const { type, items, properties, patternProperties } = result as {
    type?: string;
    items?: TSchema & { properties?: Record<string, TSchema> };
    properties?: Record<string, TSchema & { items?: TSchema }>;
    patternProperties?: Record<string, TSchema>;
  };
  if (type === 'array' && items?.properties !== undefined) {
    const member = 'id' in items.properties ? 'id' : Object.keys(items.properties)[0]!;
    return { item: typeText(components.schema(items), '  '), next: `{ itemMember: '${member}' }` };
  }
  if (patternProperties !== undefined) {
    const [item] = Object.values(patternProperties);
    return { item: typeText(components.schema(item!), '  '), next: `'lowest-key'` };
  }
  const [list, listed] = Object.entries(properties ?? {}).find(([, member]) => member.items !== undefined) ?? [];
  if (list === undefined || properties?.['cursor'] === undefined)
    throw new Error(`${name} takes limit, but its result does not show where the next page starts`);
  return { item: typeText(components.schema(listed!.items!), '  '), next: `{ cursorBeside: '${list}' }` };
}

function eachText(name: string, declaration: Endpoint, { item }: PagingText): string {
  return `${comment(declaration.summary, '  ')}  ${name}(${inputArgument(name, declaration)}, options?: CallOptions): AsyncGenerator<${item}, void, void>;\n`;
}

/** The events of a stream are the items of the list. */
function streamsText(operations: readonly { name: string; declaration: Endpoint; result: Json }[]): string {
  const streaming = operations.filter(({ declaration }) => declaration.streams === true);
  if (streaming.length === 0) return '';
  const members = streaming.map(({ name, declaration }) => {
    const { item } = nextOf(name, declaration.result, gatherComponents());
    return `${comment(declaration.summary, '  ')}  ${name}(${inputArgument(name, declaration)}, options?: Pick<CallOptions, 'signal'>): AsyncGenerator<${item}, void, void>;\n`;
  });
  return `\n/** Events as they happen. A broken connection is resumed. */\nexport interface Stream {\n${members.join('')}}\n`;
}

function routeText(declaration: Endpoint): string {
  // The short form names every parameter.
  const { path } = pathForms(declaration)[0]!;
  const repeat = effectOf(declaration) !== 'none' ? 'with-key' : declaration.access === 'public' ? 'never' : 'freely';
  const file = declaration.file === undefined ? '' : ', file: true';
  const streams = declaration.streams === undefined ? '' : ', streams: true';
  return `{ method: '${declaration.method}', path: '${path}', repeat: '${repeat}'${file}${streams} }`;
}

function inputName(operation: string): string {
  return `${operation.charAt(0).toUpperCase()}${operation.slice(1)}Input`;
}
