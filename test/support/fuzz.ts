// Random requests derived from the contract: every route of all APIs, with parameters omitted, valid, taken from
// earlier responses, or hostile, in every encoding, with every kind of key and from several callers at once. The same
// seed sends the same requests, except where the order of responses decides.
import assert from 'node:assert/strict';
import { Check } from 'typebox/schema';
import { errorsOf } from '#contract/openapi/responses.ts';
import { roleNames } from '#contract/roles.ts';
import { example, type Example } from './examples.ts';
import {
  acceptOf,
  sendCall,
  call,
  encodingsOf,
  freeDevices,
  routes,
  type Route,
  type RouteResponse,
} from './routes.ts';
import { seededRandom } from '#lab/bmc/malfunctions.ts';
import { createRoleKey } from './operators.ts';
import { pick, type Random } from './seeded.ts';
import type { TestApp } from './app.ts';

export interface FuzzOptions {
  readonly seed: number;
  /** Divided among the callers. */
  readonly requests: number;
}
const callers = 4;

const halfCharacter = '\uD800';
/** Values that have broken programs before. */
const hostile: readonly unknown[] = [
  '',
  ' ',
  '\u0000',
  'a\r\nSet-Cookie: x=1',
  "' OR 1=1 --",
  '"; DROP TABLE accounts; --',
  '../../../../etc/passwd',
  '%2e%2e%2f',
  '${7*7}{{7*7}}<%=7*7%>',
  '<script>alert(1)</script>',
  '\u202Egnp.exe',
  halfCharacter,
  'é'.repeat(300),
  'x'.repeat(5000),
  '9'.repeat(400),
  '-1',
  '0',
  '1e309',
  '0x10',
  'NaN',
  'null',
  'true',
  '2026-02-30 25:61:61',
  '256.256.256.256',
  '::ffff:127.0.0.1',
  'http://127.0.0.1:1/',
  'file:///etc/passwd',
  '__proto__',
  'constructor',
  -1,
  2 ** 53,
  1.5,
  true,
  null,
  [],
  {},
  [[[[]]]],
  { $gt: '' },
  { toString: 'x' },
];
/** Operations that would lock the run out of the app; they never receive existing ids. */
const lockingOut = new Set([
  'keyDelete',
  'keyUpdate',
  'keyRevoke',
  'accountClose',
  'accountSuspend',
  'operatorUpdate',
  'operatorDelete',
]);

/** Weighted towards the customers' APIs. */
const facesByShare = [
  'v2',
  'v2',
  'v2',
  'v2',
  'legacy',
  'legacy',
  'legacy',
  'operator',
  'operator',
  'operator',
  'automation',
] as const;
const routesByApi = Map.groupBy(routes, ({ operation }) => operation.api);
/** Backups write the whole database and passwords are slow to hash by design, so they are called less often. */
function isCostly({ operation, endpoint }: Route): boolean {
  return operation.name === 'backupCreate' || endpoint.file !== undefined || 'password' in endpoint.params;
}
const costlyShare = 0.2;

function pickRoute(random: Random): Route {
  const route = pick(random, routesByApi.get(pick(random, facesByShare))!);
  return isCostly(route) && random() > costlyShare ? pickRoute(random) : route;
}

export interface FuzzCounts {
  /** Number of responses per status, and of requests per API. */
  readonly statuses: Map<number, number>;
  readonly apis: Map<string, number>;
}
function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Rejects at the first response that the contract does not allow. */
export async function fuzz(app: TestApp, { seed, requests }: FuzzOptions): Promise<FuzzCounts> {
  const { customer, stranger, operator } = app.lab;
  const usual = Array.from({ length: 12 }, () => customer.key);
  const keys = [...usual, stranger.key, stranger.key, operator.key, '', 'hy_x_y', `${customer.key}x`];
  const roleKeys = await Promise.all(roleNames.map((role) => createRoleKey(app, role)));
  const counts: FuzzCounts = { statuses: new Map(), apis: new Map() };
  const lanes = Array.from({ length: callers }, (_, lane) =>
    sendRandom(app, { seed: seed * callers + lane, requests: Math.ceil(requests / callers) }, keys, roleKeys, counts),
  );
  await Promise.all(lanes);
  return counts;
}

/** The requests of one caller. */
async function sendRandom(
  app: TestApp,
  { seed, requests }: FuzzOptions,
  keys: readonly string[],
  roleKeys: readonly string[],
  counts: FuzzCounts,
): Promise<void> {
  const random = seededRandom(seed);
  /** Values from responses by field name: an id from one response becomes input for another call. */
  const values = new Map<string, unknown[]>();
  for (let sentBefore = 0; sentBefore < requests; sentBefore++) {
    const route = pickRoute(random);
    const input = inputOf(random, route, values);
    const isForStaff = route.operation.api === 'operator' && random() < 0.8;
    const key = pick(random, isForStaff ? [app.lab.operator.key, app.lab.operator.key, ...roleKeys] : keys);
    const headers = {
      ...(random() < 0.2 ? { accept: 'application/problem+json', ...acceptOf(route) } : {}),
      ...(random() < 0.1 ? { 'idempotency-key': `fuzz-${Math.floor(random() * 50)}` } : {}),
    };
    const encoding = pick(random, encodingsOf(route));
    const sent = call(route, input, encoding, { headers, ...(key === '' ? {} : { key }) });
    const response = await sendCall(app.http, sent);
    count(counts.statuses, response.status);
    count(counts.apis, route.operation.api);
    try {
      check(route, response);
    } catch (error) {
      const what = `${JSON.stringify(sent)} answered ${response.status} ${response.text.slice(0, 500)}`;
      throw new Error(`seed ${seed}, request ${sentBefore}: ${what}`, { cause: error });
    }
    remember(values, response.body.result);
    if (sentBefore % 50 === 0) await freeDevices(app);
  }
}

function inputOf(
  random: Random,
  { endpoint, inPath, operation }: Route,
  values: ReadonlyMap<string, unknown[]>,
): Example {
  const input: Example = {};
  const isBlind = lockingOut.has(operation.name);
  for (const [name, schema] of Object.entries(endpoint.params)) {
    const way = random();
    const candidates = values.get(name) ?? values.get(`${name}id`) ?? values.get('id');
    if (way < 0.1 && !inPath.includes(name)) continue;
    if (way < 0.45) input[name] = example(schema);
    else if (way < 0.75 && candidates !== undefined && !isBlind) input[name] = pick(random, candidates);
    else input[name] = pick(random, hostile);
    // An empty path segment is another path, and a lone surrogate cannot be encoded.
    if (inPath.includes(name) && (input[name] === '' || input[name] === halfCharacter)) input[name] = 'x';
  }
  const more = pick(random, ['__proto__', 'unknown', 'service[]', 'id']);
  if (random() < 0.05 && !inPath.includes(more)) input[more] = pick(random, hostile);
  return input;
}

function check({ endpoint, operation }: Route, response: RouteResponse): void {
  if (response.status >= 200 && response.status < 300) {
    if (endpoint.file !== undefined || response.status === 204) return;
    assert.equal(response.body.success, true);
    assert.ok(Check(endpoint.result, response.body.result));
    return;
  }
  // Statuses past 501 are equipment errors, not ours.
  assert.ok(response.status < 500 || response.status > 501);
  const { code, result } = response.body as { code?: string; result?: { code?: string } | string };
  // The legacy API sends text only; problem responses carry the code.
  const errorCode = code ?? (typeof result === 'string' ? undefined : result?.code);
  if (errorCode === undefined) {
    assert.equal(operation.api, 'legacy');
    assert.equal(response.body.success, false);
    return;
  }
  const documented = new Set<string>([...errorsOf(endpoint), 'method_not_allowed', 'not_found']);
  assert.ok(documented.has(errorCode));
  assert.doesNotMatch(response.text, /\bat (?:async )?[\w.<>]+ \(|node_modules|\/src\//);
}

const mostRemembered = 20;
function remember(values: Map<string, unknown[]>, result: unknown): void {
  const first = Array.isArray(result) ? result[0] : result;
  if (typeof first !== 'object' || first === null) return;
  for (const [name, value] of Object.entries(first)) {
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const remembered = values.get(name) ?? [];
    if (remembered.length < mostRemembered && !remembered.includes(value)) values.set(name, [...remembered, value]);
  }
}
