// The OWASP API Security Top 10 of 2023: what no other test shows, and that docs/owasp.md names only tests that there are.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TSchema } from 'typebox';
import { effectOf } from '#contract/endpoint.ts';
import { newKey } from '#app/account/keys.ts';
import type { AccountId } from '#store/tables.ts';
import { fullExample, leastExample } from '#test/support/examples.ts';
import { request } from '#test/support/request.ts';
import { ask, call, keyFor, refusal, routes } from '#test/support/routes.ts';
import { openTestYard, type TestYard } from '#test/support/yard.ts';

const root = join(import.meta.dirname, '..', '..');

describe('against the OWASP API Top 10,', () => {
  let yard: TestYard;
  before(async () => void (yard = await openTestYard()));
  after(() => yard[Symbol.asyncDispose]());

  test('API3: a property that is not declared changes nothing, where it is not refused', async () => {
    const { queries } = yard.parts.store;
    const key = yard.lab.customer.key;
    const names = [
      'subaccount',
      'permissions',
      'account_id',
      'account',
      'password_hash',
      'status',
      'created_at',
      'isAdmin',
    ];
    const forged = Object.fromEntries(names.map((name) => [name, name === 'account_id' ? '2' : 'true']));
    const create = routes.find(({ label }) => label === 'legacy POST /client/contact')!;
    const person = { ...fullExample(create.endpoint), email: 'forged@example.com' };
    const made = await ask(yard.http, call(create, { ...person, ...forged }, 'json', { key }));
    assert.equal(made.status, 200, made.text);
    const { contactid } = made.body.result as { contactid: string };
    const rows = () => queries.selectFrom('contacts').selectAll().where('id', '=', Number(contactid)).execute();
    const [before] = await rows();
    assert.equal(before!.account_id, Number(yard.lab.customer.account));
    assert.equal(before!.subaccount, 0);
    assert.match(String(before!.password_hash), /^\$argon2id\$/);
    const update = routes.find(({ label }) => label === 'legacy POST /client/contactUpdate')!;
    const { password: _, ...rest } = person as Record<string, unknown>;
    const input = { ...rest, id: contactid, ...forged };
    assert.equal((await ask(yard.http, call(update, input, 'form', { key }))).status, 200);
    assert.deepEqual(await rows(), [before]);
    for (const route of routes) {
      const { face } = route.operation;
      if (face === 'legacy' || effectOf(route.endpoint) === 'none') continue;
      const own = { ...leastExample(route.endpoint), account_id: 2 };
      const encoding = route.method === 'GET' ? 'query' : 'json';
      const told = await ask(yard.http, call(route, own, encoding, { key: keyFor(yard, route) }));
      assert.equal(told.status, 400, `${route.label}: ${told.text}`);
      assert.ok('account_id' in (refusal(told).fields ?? {}), route.label);
    }
  });

  test('API4: whatever a caller can make longer has a largest length', () => {
    const unbounded = (schema: TSchema, place: string): string[] => {
      const { type, items, properties, ...limits } = schema as Bounded;
      if (type === 'string') return isBounded(limits) ? [] : [place];
      if (type === 'integer') return limits.maximum === undefined ? [place] : [];
      if (type === 'array')
        return [...(limits.maxItems === undefined ? [place] : []), ...unbounded(items!, `${place}[]`)];
      return Object.entries(properties ?? {}).flatMap(([name, member]) => unbounded(member, `${place}.${name}`));
    };
    const found = routes.flatMap(({ label, endpoint }) =>
      Object.entries(endpoint.params).flatMap(([name, schema]) => unbounded(schema, `${label} ${name}`)),
    );
    assert.deepEqual(found, []);
  });

  test('API4: an account has at most a thousand keys and ten thousand contacts', async () => {
    const { queries } = yard.parts.store;
    const { key } = yard.lab.stranger;
    const account = Number(yard.lab.stranger.account) as AccountId;
    const many = Array.from(
      { length: 999 },
      () => newKey(account, 0, { name: 'many', scopes: [], expiresAt: null }).row,
    );
    await queries.insertInto('keys').values(many).execute();
    const make = () => request(yard, 'POST', '/v2/account/key', { key, params: { name: 'one', scopes: ['dns:read'] } });
    assert.equal((await make()).status, 409);
    await queries.updateTable('keys').set({ revoked_at: 1 }).where('name', '=', 'many').execute();
    assert.equal((await make()).status, 200);

    const create = routes.find(({ label }) => label === 'v2 POST /v2/account/contact')!;
    const person = fullExample(create.endpoint);
    assert.equal((await ask(yard.http, call(create, person, 'json', { key }))).status, 200);
    const { id: _, ...contact } = await queries
      .selectFrom('contacts')
      .selectAll()
      .where('account_id', '=', account)
      .executeTakeFirstOrThrow();
    const copies = Array.from({ length: 1111 }, () => contact);
    for (let count = 0; count < 9; count++) await queries.insertInto('contacts').values(copies).execute();
    const refused = await ask(yard.http, call(create, { ...person, email: 'b@example.com' }, 'json', { key }));
    assert.equal(refused.status, 409);
  });

  test('API8: no answer invites another origin, names its software or can be taken for what it is not', async () => {
    const { key } = yard.lab.customer;
    const paths = [
      '/v2/account',
      '/v2/nothing',
      '/vps/list',
      '/operator/fleet',
      '/metrics',
      '/healthz',
      '/docs',
      '/panel',
      '/',
    ];
    for (const path of paths) {
      for (const method of ['GET', 'OPTIONS', 'TRACE', 'HEAD', 'PATCH'] as const) {
        const { headers, statusCode, body } = await yard.http.inject({
          method: method as 'GET',
          url: path,
          headers: {
            'x-api-key': key,
            origin: 'https://evil.example',
            'access-control-request-method': 'POST',
            'x-canary': 'echoed back',
          },
        });
        const what = `${method} ${path} ${statusCode}`;
        assert.ok(statusCode < 500, what);
        assert.deepEqual(
          Object.keys(headers).filter((name) => name.startsWith('access-control-')),
          [],
          what,
        );
        assert.equal(headers['x-content-type-options'], 'nosniff', what);
        assert.ok(!('server' in headers) && !('x-powered-by' in headers), what);
        assert.ok(!body.includes('echoed back'), what);
        if (method === 'TRACE' || method === 'OPTIONS' || method === 'PATCH') assert.ok(statusCode >= 400, what);
      }
    }
    assert.equal((await yard.http.inject({ url: '/metrics' })).statusCode, 401);
  });

  test('API8: no way leads out of the folder of the panel', async () => {
    const ways = [
      '../package.json',
      '%2e%2e/package.json',
      '..%2fpackage.json',
      '..\\package.json',
      '%00',
      'assets/../../../package.json',
    ];
    for (const way of ways) {
      const { statusCode, body } = await yard.http.inject({ url: `/panel/${way}` });
      assert.ok(statusCode < 500, way);
      assert.ok(!body.includes('"dependencies"'), way);
    }
  });

  test('API9: every route that is answered is declared', () => {
    const declared = new Set(routes.map(({ url }) => url));
    /** For machines and browsers: not of the API, and each with a test of its own. */
    const others = new Set(
      `/ /panel /panel* /healthz /readyz /metrics /hooks/detector/:name /hooks/payments/:name /docs /docs/start.js
      /docs/scalar.js /docs/openapi-v2.json /docs/openapi-legacy.json /docs/openapi-operator.json`.split(/\s+/),
    );
    const answered = answeredBy(yard.http.printRoutes({ commonPrefix: false }));
    assert.deepEqual(
      answered.filter((url) => !declared.has(url) && !others.has(url)),
      [],
    );
    const missing = [...declared, ...others].filter((url) => !answered.includes(url));
    assert.deepEqual(missing, []);
  });
});

interface Bounded extends TSchema {
  readonly type?: string;
  readonly items?: TSchema;
  readonly properties?: Record<string, TSchema>;
  readonly maxLength?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly enum?: string[];
  readonly const?: string;
  readonly pattern?: string;
}
/** By a length, a list of words, or a pattern in which nothing is repeated without end. */
function isBounded({ maxLength, enum: words, const: word, pattern }: Partial<Bounded>): boolean {
  if (maxLength !== undefined || words !== undefined || word !== undefined) return true;
  return pattern !== undefined && !/[*+]|[0-9],\}/.test(pattern);
}

/** The URLs of the tree that Fastify draws of its routes. */
function answeredBy(tree: string): string[] {
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent, part, methods] = /^([│ ]*)[├└]── (\S*)(?: \((.*)\))?$/.exec(line) ?? [];
    if (indent === undefined) return [];
    const depth = indent.length / 4;
    above.splice(depth, above.length, part!);
    return methods === undefined ? [] : [above.join('')];
  });
}

describe('docs/owasp.md', () => {
  const page = readFileSync(join(root, 'docs', 'owasp.md'), 'utf8');

  test('walks all ten', () => {
    for (let number = 1; number <= 10; number++) assert.match(page, new RegExp(`^## API${number}:`, 'm'));
  });

  test('names only tests that there are', () => {
    const lines = page.split('\n').filter((line) => line.startsWith('- `'));
    assert.ok(lines.length >= 30, `only ${lines.length} tests are named`);
    for (const line of lines) {
      const [, file, title] = /^- `([^`]+)`: (.+)$/.exec(line) ?? [];
      assert.ok(file !== undefined && title !== undefined, line);
      const text = readFileSync(join(root, file), 'utf8').replaceAll("\\'", "'");
      assert.ok(text.includes(title), `${file} has no test called "${title}"`);
    }
  });
});
