// Requests that nobody would send, made from the contract: every route of the three interfaces, its parameters left out, right,
// taken from what other answers said, or hostile, in every encoding, with the keys of everybody and of nobody. A seed tells the
// whole run: the same seed sends the same requests.
import assert from 'node:assert/strict';
import { Check } from 'typebox/schema';
import { errorKinds, type ErrorCode } from '#contract/errors.ts';
import { errorsOf } from '#contract/openapi-answers.ts';
import { example, type Example } from './examples.ts';
import { ask, call, encodingsOf, freeDevices, routes, type Route, type Told } from './routes.ts';
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
/** What equipment may be to blame for; in the lab it answers, but a call may ask for what is not there. */
const blamedOnEquipment = new Set<string>(
  (Object.keys(errorKinds) as ErrorCode[]).filter((code) => errorKinds[code].status > 500 && code !== 'not_built_yet'),
);

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

type Random = () => number;
/** Mulberry32: small, and the same everywhere. */
function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)]!;
}

/** Resolves to how often each status was answered; rejects at the first answer that is not as documented. */
export async function fuzz(yard: TestYard, { seed, requests }: FuzzOptions): Promise<Map<number, number>> {
  const random = randomOf(seed);
  const { customer, stranger, operator } = yard.lab;
  const usual = Array.from({ length: 12 }, () => customer.key);
  const keys = [...usual, stranger.key, stranger.key, operator.key, '', 'hy_x_y', `${customer.key}x`];
  /** Texts of answers, by the names that they had there: an id of one thing finds its way into the call for another. */
  const heard = new Map<string, unknown[]>();
  const statuses = new Map<number, number>();
  for (let count = 0; count < requests; count++) {
    const route = pick(random, routes);
    const input = inputOf(random, route, heard);
    const key = route.operation.face === 'operator' && random() < 0.7 ? operator.key : pick(random, keys);
    const headers = {
      ...(random() < 0.2 ? { accept: 'application/problem+json' } : {}),
      ...(random() < 0.1 ? { 'idempotency-key': `fuzz-${Math.floor(random() * 50)}` } : {}),
    };
    const encoding = pick(random, encodingsOf(route));
    const sent = call(route, input, encoding, { headers, ...(key === '' ? {} : { key }) });
    const told = await ask(yard.http, sent);
    statuses.set(told.status, (statuses.get(told.status) ?? 0) + 1);
    const what = (): string =>
      `seed ${seed}, request ${count}: ${JSON.stringify(sent)} answered ${told.status} ${told.text.slice(0, 500)}`;
    check(route, told, what);
    remember(heard, told.body.result);
    if (count % 50 === 0) await freeDevices(yard);
  }
  return statuses;
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
  if (random() < 0.05) input[pick(random, ['__proto__', 'unknown', 'service[]', 'id'])] = pick(random, hostile);
  return input;
}

function check({ endpoint, operation }: Route, told: Told, what: () => string): void {
  if (told.status >= 200 && told.status < 300) {
    if (endpoint.file !== undefined || told.status === 204) return;
    assert.equal(told.body.success, true, what());
    assert.ok(Check(endpoint.result, told.body.result), what());
    return;
  }
  assert.notEqual(told.status, 500, what());
  const { code, result } = told.body as { code?: string; result?: { code?: string } | string };
  // The legacy interface tells in words; as a problem it has the code, too.
  const named = code ?? (typeof result === 'string' ? undefined : result?.code);
  if (named === undefined) {
    assert.equal(operation.face, 'legacy', what());
    assert.equal(told.body.success, false, what());
    return;
  }
  const documented = new Set<string>([...errorsOf(endpoint), 'method_not_allowed', 'not_found']);
  assert.ok(documented.has(named) || blamedOnEquipment.has(named), what());
  assert.notEqual(named, 'internal_error', what());
  assert.notEqual(named, 'not_built_yet', what());
  assert.doesNotMatch(told.text, /\bat (?:async )?[\w.<>]+ \(|node_modules|\/src\//, what());
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
