// Every route of the three interfaces as a sweep walks them, and how a call of one is put together.

import type { FastifyInstance, InjectOptions } from 'fastify';
import type { Endpoint, Method } from '#contract/endpoint.ts';
import { routeTable, type Operation } from '#http/routes.ts';
import type { Example } from './examples.ts';
import type { TestYard } from './yard.ts';

export interface Route {
  readonly label: string;
  readonly url: string;
  readonly method: Method;
  readonly operation: Operation;
  readonly endpoint: Endpoint;
  /** Parameters that stand in the path, by their declared names. */
  readonly inPath: readonly string[];
}

export const routes: readonly Route[] = [...routeTable()].flatMap(([url, methods]) =>
  [...methods].map(([method, operation]) => {
    const { endpoint } = operation;
    const inPath = [...url.matchAll(/:(\w+)/g)].map(([, name]) => declaredName(endpoint, name!));
    return { label: `${operation.face} ${method} ${url}`, url, method, operation, endpoint, inPath };
  }),
);

/** A key that opens this route: the customer's, or where it is for the provider's staff an owner's. */
export function keyFor({ lab }: Pick<TestYard, 'lab'>, { operation }: Route): string {
  return operation.face === 'operator' ? lab.operator.key : lab.customer.key;
}

function declaredName({ params, aliases = {} }: Endpoint, name: string): string {
  return name in params ? name : (aliases[name] ?? name);
}

export type Encoding = 'query' | 'form' | 'json';
export function encodingsOf({ method }: Route): Encoding[] {
  return method === 'GET' ? ['query'] : ['query', 'form', 'json'];
}

export interface CallOptions {
  readonly key?: string;
  readonly headers?: Record<string, string>;
  readonly query?: readonly (readonly [string, string])[];
  readonly body?: string;
}

/** The call with these parameters: those of the path in the path, the rest as `encoding` says. */
export function call(route: Route, input: Example, encoding: Encoding, options: CallOptions = {}): InjectOptions {
  const rest = Object.entries(input).filter(([name]) => !route.inPath.includes(name));
  const path = route.url.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(textOf(input[declaredName(route.endpoint, name)])),
  );
  const asText = rest.map(([name, value]) => [name, textOf(value)] as [string, string]);
  const query = new URLSearchParams([...(encoding === 'query' ? asText : []), ...(options.query ?? [])].map(pairOf));
  const type = encoding === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
  const payload =
    options.body ??
    (encoding === 'json' ? JSON.stringify(Object.fromEntries(rest)) : new URLSearchParams(asText).toString());
  const sendsBody = route.method !== 'GET' && (encoding !== 'query' || options.body !== undefined);
  return {
    method: route.method,
    url: query.size === 0 ? path : `${path}?${query}`,
    headers: {
      ...(options.key === undefined ? {} : { 'x-api-key': options.key }),
      ...(sendsBody ? { 'content-type': type } : {}),
      ...options.headers,
    },
    ...(sendsBody ? { payload } : {}),
    remoteAddress: nextAddress(route),
  };
}

export function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
function pairOf([name, value]: readonly [string, string]): [string, string] {
  return [name, value];
}

let addresses = 0;
/** Signing in is limited by address: every call without a key comes from one of its own. A key comes from few, since its first
 * use from an address is written down, and that is most of what a call that is refused would take. */
function nextAddress({ endpoint }: Route): string {
  addresses++;
  if (endpoint.access !== 'public') return `127.255.0.${1 + (addresses % 4)}`;
  return `127.${(addresses >> 16) & 127}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

export interface Told {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly text: string;
  readonly body: { success?: boolean; results?: unknown; result?: unknown; [name: string]: unknown };
}

export async function ask(http: FastifyInstance, options: InjectOptions): Promise<Told> {
  const answer = await http.inject(options);
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: answer.body,
    body: isJson(answer) ? (JSON.parse(answer.body) as Told['body']) : {},
  };
}

/** Nothing works off jobs in a sweep: what a call began goes no further, and would hold its device for all that come after. */
export async function freeDevices({ parts }: TestYard): Promise<void> {
  const { queries } = parts.store;
  // Asked first: to write is to wait for the disk, and most calls begin nothing.
  const held = await queries.selectFrom('device_locks').select('device').executeTakeFirst();
  if (held !== undefined) await queries.deleteFrom('device_locks').execute();
}

/** Neither a file nor the answer to HEAD. */
function isJson({ body, headers }: { readonly body: string; readonly headers: Told['headers'] }): boolean {
  return body !== '' && String(headers['content-type']).includes('json');
}

interface Refusal {
  readonly code?: string;
  readonly message?: string;
  readonly fields?: Record<string, string>;
}
/** Code and fields of a refusal, in whichever shape its interface tells it. */
export function refusal(told: Told): Refusal {
  const { result } = told.body;
  return typeof result === 'string' ? { message: result } : ((result ?? {}) as Refusal);
}
