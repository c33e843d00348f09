// Every route of all APIs for the sweeps, and how to build a call to one. The API for DNS tools reads JSON only, and its
// errors have neither code nor fields unless the caller asks for RFC 9457; here its responses look like those of v2.

import type { FastifyInstance, InjectOptions } from 'fastify';
import type { Endpoint, Method } from '#contract/endpoint.ts';
import { countResults } from '#http/responses.ts';
import { createRouteTable, type Operation } from '#http/routes.ts';
import type { Example } from './examples.ts';
import type { TestApp } from './app.ts';
import type { AccountId } from '#store/account-id.ts';

export interface Route {
  readonly label: string;
  readonly url: string;
  readonly method: Method;
  readonly operation: Operation;
  readonly endpoint: Endpoint;
  /** Path parameters, by their declared names. */
  readonly inPath: readonly string[];
}

export const routes: readonly Route[] = [...createRouteTable()].flatMap(([url, methods]) =>
  [...methods].map(([method, operation]) => {
    const { endpoint } = operation;
    const inPath = [...url.matchAll(/:(\w+)/g)].map(([, name]) => declaredName(endpoint, name!));
    return { label: `${operation.api} ${method} ${url}`, url, method, operation, endpoint, inPath };
  }),
);

/** Returns a key that may call this route: the customer's, or an owner's for staff routes. */
export function keyFor({ lab }: Pick<TestApp, 'lab'>, { operation }: Route): string {
  return operation.api === 'operator' ? lab.operator.key : lab.customer.key;
}

/** Returns the account of the lab that has this key. */
export function accountOf({ lab }: Pick<TestApp, 'lab'>, key: string): AccountId {
  return Number(key === lab.customer.key ? lab.customer.account : lab.stranger.account) as AccountId;
}

function declaredName({ params, aliases = {} }: Endpoint, name: string): string {
  return name in params ? name : (aliases[name] ?? name);
}

export type Encoding = 'query' | 'form' | 'json';
export function encodingsOf({ method, operation }: Route): Encoding[] {
  if (method === 'GET') return ['query'];
  return operation.api === 'automation' ? ['query', 'json'] : ['query', 'form', 'json'];
}

export interface CallOptions {
  readonly key?: string;
  readonly headers?: Record<string, string>;
  readonly query?: readonly (readonly [string, string])[];
  readonly body?: string;
}

const acceptedByTools = 'application/json, application/problem+json';
/** Asks the API for DNS tools for errors with code and fields. */
export function acceptOf({ operation }: Route): { accept?: string } {
  return operation.api === 'automation' ? { accept: acceptedByTools } : {};
}

/** Builds the call: path parameters in the path, the others encoded as `encoding` says. */
export function call(route: Route, input: Example, wanted: Encoding, options: CallOptions = {}): InjectOptions {
  const encoding = encodingsOf(route).includes(wanted) ? wanted : 'json';
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
      ...acceptOf(route),
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
/**
 * Sign-in is rate-limited by address, so every call without a key gets its own. Keys share a few addresses, because
 * the first use from an address is written to the database, which is most of the cost of a rejected call.
 */
function nextAddress({ endpoint }: Route): string {
  addresses++;
  if (endpoint.access !== 'public') return `127.255.0.${1 + (addresses % 4)}`;
  return `127.${(addresses >> 16) & 127}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

export interface RouteResponse {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly text: string;
  readonly body: { success?: boolean; results?: unknown; result?: unknown; [name: string]: unknown };
}

export async function sendCall(http: FastifyInstance, options: InjectOptions): Promise<RouteResponse> {
  const response = await http.inject(options);
  const body = isJson(response) ? (JSON.parse(response.body) as RouteResponse['body']) : {};
  return {
    status: response.statusCode,
    headers: response.headers,
    text: response.body,
    body: options.headers?.accept === acceptedByTools ? inEnvelope(response.statusCode, body) : body,
  };
}

export function callRoute({ http }: Pick<TestApp, 'http'>, ...route: Parameters<typeof call>): Promise<RouteResponse> {
  return sendCall(http, call(...route));
}

/**
 * Ends workflows and releases device locks: nothing runs jobs in a sweep, so a started workflow would hold its device
 * for all later calls.
 */
export async function freeDevices({ parts }: TestApp): Promise<void> {
  const { queries } = parts.store;
  // Reads first, because a write waits for the disk and most calls start nothing.
  const lock = await queries.selectFrom('device_locks').select('device').executeTakeFirst();
  if (lock !== undefined) await queries.deleteFrom('device_locks').execute();
}

function inEnvelope(status: number, body: RouteResponse['body']): RouteResponse['body'] {
  if (status < 400) return { success: true, results: countResults(body), result: status === 204 ? null : body };
  const { code, detail: message, fields } = body;
  return { success: false, results: 0, result: { code, message, fields } };
}

/** Returns false for files and HEAD responses. */
function isJson({ body, headers }: { readonly body: string; readonly headers: RouteResponse['headers'] }): boolean {
  return body !== '' && String(headers['content-type']).includes('json');
}

interface ErrorResult {
  readonly code?: string;
  readonly message?: string;
  readonly fields?: Record<string, string>;
}
/** Returns code and fields of an error response, in the shape of its API. */
export function errorOf(response: RouteResponse): ErrorResult {
  const { result } = response.body;
  return typeof result === 'string' ? { message: result } : ((result ?? {}) as ErrorResult);
}
