// Requests that nobody would send, made from the contract: every route of the three interfaces, its parameters left out, right,
// taken from what other answers said, or hostile, in every encoding, with the keys of everybody and of nobody. A seed tells the
// whole run: the same seed sends the same requests.
import assert from 'node:assert/strict';
import { Check } from 'typebox/schema';
import { errorsOf } from '#contract/openapi-answers.ts';
import { example, type Example } from './examples.ts';
import { ask, call, encodingsOf, freeDevices, routes, type Route, type Told } from './routes.ts';
import { seededRandom } from '#lab/bmc/faults.ts';
import { pick, type Random } from './seeded.ts';
import type { TestYard } from './yard.ts';

export interface FuzzOptions {
  readonly seed: number;
  readonly requests: number;
}

const halfCharacter = '\uD800';
/** What programs have stumbled over before. */
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
/** These would lock the run out of its own yard: they are not told what is really there. */
const lockingOut = new Set([
  'keyDelete',
  'keyUpdate',
  'keyRevoke',
  'accountClose',
  'accountSuspend',
  'operatorUpdate',
  'operatorDelete',
]);

/** The customers' interfaces get the most of it. */
const facesByShare = ['v2', 'v2', 'v2', 'v2', 'legacy', 'legacy', 'legacy', 'operator', 'operator'] as const;
const routesOfFace = Map.groupBy(routes, ({ operation }) => operation.face);
/** A backup writes the whole database, a password is slow to hash on purpose: what they answer is found out in fewer calls. */
function isCostly({ operation, endpoint }: Route): boolean {
  return operation.name === 'backupCreate' || endpoint.file !== undefined || 'password' in endpoint.params;
}
const costlyShare = 0.2;

function pickRoute(random: Random): Route {
  const route = pick(random, routesOfFace.get(pick(random, facesByShare))!);
  return isCostly(route) && random() > costlyShare ? pickRoute(random) : route;
}

export interface FuzzCounts {
  /** How often each status was answered, and each interface asked. */
  readonly statuses: Map<number, number>;
  readonly faces: Map<string, number>;
}
function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Rejects at the first answer that is not as documented. */
export async function fuzz(yard: TestYard, { seed, requests }: FuzzOptions): Promise<FuzzCounts> {
  const random = seededRandom(seed);
  const { customer, stranger, operator } = yard.lab;
  const usual = Array.from({ length: 12 }, () => customer.key);
  const keys = [...usual, stranger.key, stranger.key, operator.key, '', 'hy_x_y', `${customer.key}x`];
  /** Texts of answers, by the names that they had there: an id of one thing finds its way into the call for another. */
  const heard = new Map<string, unknown[]>();
  const counts: FuzzCounts = { statuses: new Map(), faces: new Map() };
  for (let sentBefore = 0; sentBefore < requests; sentBefore++) {
    const route = pickRoute(random);
    const input = inputOf(random, route, heard);
    const key = route.operation.face === 'operator' && random() < 0.7 ? operator.key : pick(random, keys);
    const headers = {
      ...(random() < 0.2 ? { accept: 'application/problem+json' } : {}),
      ...(random() < 0.1 ? { 'idempotency-key': `fuzz-${Math.floor(random() * 50)}` } : {}),
    };
    const encoding = pick(random, encodingsOf(route));
    const sent = call(route, input, encoding, { headers, ...(key === '' ? {} : { key }) });
    const told = await ask(yard.http, sent);
    count(counts.statuses, told.status);
    count(counts.faces, route.operation.face);
    try {
      check(route, told);
    } catch (error) {
      const what = `${JSON.stringify(sent)} answered ${told.status} ${told.text.slice(0, 500)}`;
      throw new Error(`seed ${seed}, request ${sentBefore}: ${what}`, { cause: error });
    }
    remember(heard, told.body.result);
    if (sentBefore % 50 === 0) await freeDevices(yard);
  }
  return counts;
}

function inputOf(
  random: Random,
  { endpoint, inPath, operation }: Route,
  heard: ReadonlyMap<string, unknown[]>,
): Example {
  const input: Example = {};
  const isBlind = lockingOut.has(operation.name);
  for (const [name, schema] of Object.entries(endpoint.params)) {
    const way = random();
    const known = heard.get(name) ?? heard.get(`${name}id`) ?? heard.get('id');
    if (way < 0.1 && !inPath.includes(name)) continue;
    if (way < 0.45) input[name] = example(schema);
    else if (way < 0.75 && known !== undefined && !isBlind) input[name] = pick(random, known);
    else input[name] = pick(random, hostile);
    // An empty segment of a path is another path, and half a character can stand in none.
    if (inPath.includes(name) && (input[name] === '' || input[name] === halfCharacter)) input[name] = 'x';
  }
  const more = pick(random, ['__proto__', 'unknown', 'service[]', 'id']);
  if (random() < 0.05 && !inPath.includes(more)) input[more] = pick(random, hostile);
  return input;
}

function check({ endpoint, operation }: Route, told: Told): void {
  if (told.status >= 200 && told.status < 300) {
    if (endpoint.file !== undefined || told.status === 204) return;
    assert.equal(told.body.success, true);
    assert.ok(Check(endpoint.result, told.body.result));
    return;
  }
  // What equipment is to blame for is past 501, and no failure of ours.
  assert.ok(told.status < 500 || told.status > 501);
  const { code, result } = told.body as { code?: string; result?: { code?: string } | string };
  // The legacy interface tells in words; as a problem it has the code, too.
  const named = code ?? (typeof result === 'string' ? undefined : result?.code);
  if (named === undefined) {
    assert.equal(operation.face, 'legacy');
    assert.equal(told.body.success, false);
    return;
  }
  const documented = new Set<string>([...errorsOf(endpoint), 'method_not_allowed', 'not_found']);
  assert.ok(documented.has(named));
  assert.doesNotMatch(told.text, /\bat (?:async )?[\w.<>]+ \(|node_modules|\/src\//);
}

const mostRemembered = 20;
function remember(heard: Map<string, unknown[]>, result: unknown): void {
  const first = Array.isArray(result) ? result[0] : result;
  if (typeof first !== 'object' || first === null) return;
  for (const [name, value] of Object.entries(first)) {
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const known = heard.get(name) ?? [];
    if (known.length < mostRemembered && !known.includes(value)) heard.set(name, [...known, value]);
  }
}
