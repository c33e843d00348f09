// Generates a part of the SDK from the contract: types and documentation of every operation, their routes, and how lists are
// paginated. The output is plain TypeScript without imports of ours.
import { type TSchema, Type } from 'typebox';
import { type ApiName, apis } from '#contract/contract.ts';
import { type Endpoint, type Api, effectOf } from '#contract/endpoint.ts';
import { errorKinds } from '#contract/errors.ts';
import * as events from '#contract/events/events.ts';
import { type Components, gatherComponents, type Json, schemaNames, shapeNames } from '#contract/openapi/schema.ts';
import * as backup from '#contract/operator/backup.ts';
import * as billing from '#contract/operator/billing.ts';
import * as change from '#contract/operator/change.ts';
import * as fleet from '#contract/operator/fleet.ts';
import * as key from '#contract/operator/key.ts';
import * as nullroute from '#contract/operator/nullroute.ts';
import * as request from '#contract/operator/request.ts';
import * as work from '#contract/operator/work.ts';
import { pathForms } from '#contract/paths.ts';
import * as operatorAccount from '#contract/shapes/operator-account.ts';
import * as operatorService from '#contract/shapes/operator-service.ts';
import * as operator from '#contract/shapes/operator.ts';
import * as passkey from '#contract/shapes/passkey.ts';
import * as session from '#contract/shapes/session.ts';
import {
  comment,
  declarationText,
  isTypeComplete,
  literal,
  membersText,
  parameterText,
  typeText,
} from './sdk-types.ts';

const header =
  '// Generated from the contract by `npm run golden`, do not edit. It is long because it holds the whole API.\n';
const pageLimit = 100;

/** The named types of the OpenAPI documents, and names for results and event data that those write out in place. */
const typeNames = new Map([
  ...shapeNames,
  ...schemaNames(events, operatorAccount, operatorService, operator, passkey, session),
  ...schemaNames(backup, billing, change, fleet, key, nullroute, request, work),
]);
if (new Set(typeNames.values()).size < typeNames.size) throw new Error('Two types of the contract have the same name.');

export function sdkErrors(): string {
  const codes = Object.keys(errorKinds).map((code) => `\n  | ${literal(code)}`);
  return `${header}\n/** The error codes of the server. */\nexport type ErrorCode =${codes.join('')};\n`;
}

/** The types that several APIs use. */
export function sdkShared(): string {
  return `${header}${Object.entries(sharedTypes()).map(declarationText).join('')}`;
}

function sharedTypes(): Record<string, Json> {
  const uses = (Object.keys(apis) as ApiName[]).flatMap((api) => Object.entries(describeApi(api).types));
  const usesByName = Map.groupBy(uses, ([name]) => name);
  const shared = uses.filter(([name]) => usesByName.get(name)!.length > 1);
  return Object.fromEntries(shared.sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function sdkSource(api: ApiName): string {
  const { operations, types } = describeApi(api);
  const methods = operations.map(({ name, declaration, result }) => methodText(name, declaration, result));
  const each = operations.map(({ name, declaration, paging }) =>
    paging === undefined ? '' : iteratorText(name, declaration, paging.item, 'CallOptions'),
  );
  const streams = operations.map(({ name, declaration, streamed }) =>
    streamed === undefined ? '' : iteratorText(name, declaration, streamed, `Pick<CallOptions, 'signal'>`),
  );
  const routes = operations.map(({ name, declaration }) => `  ${name}: ${routeText(declaration)},\n`);
  const paging = operations.map(({ name, paging: pages }) =>
    pages === undefined ? '' : `  ${name}: ${pages.table},\n`,
  );
  const allShared = sharedTypes();
  const shared = Object.keys(types).filter((name) => name in allShared);
  const ownTypes = Object.entries(types).filter(([name]) => !shared.includes(name));
  const body = [
    ...ownTypes.map(declarationText),
    ...operations.map(({ name, declaration, params }) => inputText(name, declaration, params)),
    interfaceText('Methods', 'The operations by name.', methods),
    interfaceText('Each', 'Iterators over all pages of a list.', each),
    streams.some(Boolean)
      ? interfaceText('Stream', 'Events as they happen. A broken connection is resumed.', streams)
      : '',
    `\nexport const routes = {\n${routes.join('')}} as const satisfies Readonly<Record<string, Route>>;\n`,
    `\nexport const paging = {\n${paging.join('')}} as const satisfies Readonly<Record<string, Paging>>;\n`,
  ].join('');
  const lines = body.split('\n').filter((line) => !line.trimStart().startsWith('/**'));
  const code = lines.join('\n').replaceAll(/'[^'\n]*'/g, '');
  const used = (names: readonly string[]): string =>
    names.filter((name) => new RegExp(`\\b${name}\\b`).test(code)).join(', ');
  return [
    header,
    `import type { ${used(['CallOptions', 'FileResponse', 'Id', 'Paging', 'Route'])} } from '../settings.ts';\n`,
    `import type { ${used(shared)} } from './shared.ts';\n`,
    `export type { ${shared.join(', ')} } from './shared.ts';\n`,
    body,
  ].join('');
}

/** Converts the operations of an API, and the named types that they use. */
function describeApi(api: ApiName) {
  const components = gatherComponents(typeNames);
  const operations = Object.entries(apis[api] as Api).map(([name, declaration]) => ({
    name,
    declaration,
    params: Object.entries(declaration.params).map(([param, schema]) => [param, components.schema(schema)] as const),
    result: components.schema(declaration.result),
    paging: pagingOf(name, declaration, components),
    /** The events of a stream are the items of the list. */
    streamed: declaration.streams && nextOf(name, declaration.result, components).item,
  }));
  return { operations, types: components.written('schemas') as Record<string, Json> };
}

function interfaceText(name: string, doc: string, members: readonly string[]): string {
  return `\n/** ${doc} */\nexport interface ${name} {\n${members.join('')}}\n`;
}

function inputText(name: string, { params }: Endpoint, schemas: readonly (readonly [string, Json])[]): string {
  if (schemas.length === 0) return '';
  const members = schemas.map(([param, schema]) => {
    const isOptional = Type.IsOptional(params[param]);
    const type = parameterText(schema, '  ');
    return {
      doc: isTypeComplete(schema) ? undefined : schema['description'],
      text: isOptional ? `${param}?: ${type} | undefined` : `${param}: ${type}`,
    };
  });
  return `\nexport interface ${inputName(name)} ${membersText(members)}\n`;
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

function iteratorText(name: string, declaration: Endpoint, item: string, options: string): string {
  return `${comment(declaration.summary, '  ')}  ${name}(${inputArgument(name, declaration)}, options?: ${options}): AsyncGenerator<${item}, void, void>;\n`;
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
  const itemText = (schema: TSchema): string => typeText(components.schema(schema), '  ');
  if (type === 'array' && items?.properties !== undefined) {
    const member = 'id' in items.properties ? 'id' : Object.keys(items.properties)[0]!;
    return { item: itemText(items), next: `{ itemMember: '${member}' }` };
  }
  if (patternProperties !== undefined)
    return { item: itemText(Object.values(patternProperties)[0]!), next: `'lowest-key'` };
  const [list, listed] = Object.entries(properties ?? {}).find(([, member]) => member.items !== undefined) ?? [];
  if (list === undefined || properties?.['cursor'] === undefined)
    throw new Error(`${name} takes limit, but its result does not show where the next page starts`);
  return { item: itemText(listed!.items!), next: `{ cursorBeside: '${list}' }` };
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
