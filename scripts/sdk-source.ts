// The generated part of the SDK, from the contract: types and documentation of every operation, the table of their routes, and
// how the pages of lists follow each other. Plain TypeScript that needs nothing of ours to run.
import { type TSchema, Type } from 'typebox';
import { type FaceName, faces } from '#contract/contract.ts';
import { type Endpoint, type Face, effectOf } from '#contract/endpoint.ts';
import { errorKinds } from '#contract/errors.ts';
import { type Components, gatherComponents, type Json } from '#contract/openapi-schema.ts';
import { pathForms } from '#contract/paths.ts';
import { comment, literal, parameterText, typeText } from './sdk-types.ts';

const header =
  '// Made from the contract by `npm run golden`: never changed by hand, and long because it is the whole interface.\n';
const pageLimit = 100;

export function sdkErrors(): string {
  const codes = Object.keys(errorKinds).map((code) => `\n  | ${literal(code)}`);
  return `${header}\n/** Every code with which the server refuses a call. */\nexport type ErrorCode =${codes.join('')};\n`;
}

export function sdkSource(face: FaceName): string {
  const components = gatherComponents();
  const operations = Object.entries(faces[face] as Face).map(([name, declaration]) => ({
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
  const paging = operations.map(({ name, paging: its }) => (its === undefined ? '' : `  ${name}: ${its.table},\n`));
  const shapes = Object.entries(components.written('schemas')).map(([name, schema]) => shapeText(name, schema as Json));
  const body = [
    ...shapes,
    ...inputs,
    `\n/** The operations, each by its name. */\nexport interface Methods {\n${methods.join('')}}\n`,
    `\n/** Lists that come in pages, each as one sequence. */\nexport interface Each {\n${each.join('')}}\n`,
    streamsText(operations),
    `\nexport const routes = {\n${routes.join('')}} as const satisfies Readonly<Record<string, Route>>;\n`,
    `\nexport const paging = {\n${paging.join('')}} as const satisfies Readonly<Record<string, Paging>>;\n`,
  ].join('');
  const used = ['CallOptions', 'FileAnswer', 'Id', 'Paging', 'Route'].filter((name) =>
    new RegExp(`\\b${name}\\b`).test(body),
  );
  return `${header}import type { ${used.join(', ')} } from '../settings.ts';\n${body}`;
}

function shapeText(name: string, schema: Json): string {
  const text = typeText(schema);
  const told = comment(schema['description'], '');
  return text.startsWith('{') && text.indexOf('}') === text.length - 1
    ? `\n${told}export interface ${name} ${text}\n`
    : `\n${told}export type ${name} = ${text};\n`;
}

function inputText(name: string, declaration: Endpoint, components: Components): string {
  const members = Object.entries(declaration.params).map(([parameter, schema]) => {
    const written = components.schema(schema);
    const mark = Type.IsOptional(schema) ? '?' : '';
    return `${comment(written['description'], '  ')}  readonly ${parameter}${mark}: ${parameterText(written, '  ')}${mark === '' ? '' : ' | undefined'};\n`;
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
  const told = comment([declaration.summary, declaration.description].filter(Boolean).join('. '), '  ');
  const answer = declaration.file === undefined ? typeText(result, '  ') : 'FileAnswer';
  return `${told}  ${name}(${inputArgument(name, declaration)}, options?: CallOptions): Promise<${answer}>;\n`;
}

interface PagingText {
  /** The type of what is listed. */
  readonly item: string;
  readonly table: string;
}

/** A list has pages where it takes `limit` together with `after` or `before`. */
function pagingOf(name: string, { params, result }: Endpoint, components: Components): PagingText | undefined {
  const parameter = ['after', 'before'].find((one) => params[one] !== undefined);
  const largest = (params['limit'] as { maximum?: number } | undefined)?.maximum;
  if (parameter === undefined || largest === undefined) return undefined;
  const { item, next } = nextOf(name, result, components);
  const table = `{ parameter: '${parameter}', limit: ${Math.min(pageLimit, largest)}, next: ${next} }`;
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
    throw new Error(`${name} takes limit, and its result does not say where the next page begins`);
  return { item: typeText(components.schema(listed!.items!), '  '), next: `{ cursorBeside: '${list}' }` };
}

function eachText(name: string, declaration: Endpoint, { item }: PagingText): string {
  return `${comment(declaration.summary, '  ')}  ${name}(${inputArgument(name, declaration)}, options?: CallOptions): AsyncGenerator<${item}, void, void>;\n`;
}

/** What is told as it happens is what a page of it lists. */
function streamsText(operations: readonly { name: string; declaration: Endpoint; result: Json }[]): string {
  const streaming = operations.filter(({ declaration }) => declaration.streams === true);
  if (streaming.length === 0) return '';
  const members = streaming.map(({ name, declaration }) => {
    const { item } = nextOf(name, declaration.result, gatherComponents());
    return `${comment(declaration.summary, '  ')}  ${name}(${inputArgument(name, declaration)}, options?: Pick<CallOptions, 'signal'>): AsyncGenerator<${item}, void, void>;\n`;
  });
  return `\n/** What is told as it happens, over a connection that is taken up again when it breaks off. */\nexport interface Stream {\n${members.join('')}}\n`;
}

function routeText(declaration: Endpoint): string {
  // The shorter form takes every parameter by its own name.
  const { path } = pathForms(declaration)[0]!;
  const repeat = effectOf(declaration) !== 'none' ? 'with-key' : declaration.access === 'public' ? 'never' : 'freely';
  const file = declaration.file === undefined ? '' : ', file: true';
  const streams = declaration.streams === undefined ? '' : ', streams: true';
  return `{ method: '${declaration.method}', path: '${path}', repeat: '${repeat}'${file}${streams} }`;
}

function inputName(operation: string): string {
  return `${operation.charAt(0).toUpperCase()}${operation.slice(1)}Input`;
}
