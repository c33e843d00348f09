// The OWASP API Security Top 10 of 2023: what no other test shows, and that docs/explanation/owasp.md and
// docs/explanation/threat-model.md name only existing tests.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TSchema } from 'typebox';
import { effectOf } from '#contract/endpoint.ts';
import { createKeyRow } from '#app/account/keys.ts';
import { fullExample, requiredExample } from '#test/support/examples.ts';
import { request } from '#test/support/request.ts';
import { callRoute, keyFor, errorOf, routes } from '#test/support/routes.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import type { AccountId } from '#store/account-id.ts';

const root = join(import.meta.dirname, '..', '..');

describe('against the OWASP API Top 10,', () => {
  let app: TestApp;
  before(async () => void (app = await openTestApp()));
  after(() => app[Symbol.asyncDispose]());

  test('API3: an undeclared property changes nothing, if it is not rejected', async () => {
    const { queries } = app.parts.store;
    const key = app.lab.customer.key;
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
    const contact = { ...fullExample(create.endpoint), email: 'forged@example.com' };
    const created = await callRoute(app, create, { ...contact, ...forged }, 'json', { key });
    assert.equal(created.status, 200, created.text);
    const { contactid } = created.body.result as { contactid: string };
    const rows = () => queries.selectFrom('contacts').selectAll().where('id', '=', Number(contactid)).execute();
    const [before] = await rows();
    assert.equal(before!.account_id, Number(app.lab.customer.account));
    assert.equal(before!.subaccount, 0);
    assert.match(String(before!.password_hash), /^\$argon2id\$/);
    const update = routes.find(({ label }) => label === 'legacy POST /client/contactUpdate')!;
    const { password: _, ...rest } = contact as Record<string, unknown>;
    const input = { ...rest, id: contactid, ...forged };
    assert.equal((await callRoute(app, update, input, 'form', { key })).status, 200);
    assert.deepEqual(await rows(), [before]);
    for (const route of routes) {
      const { api } = route.operation;
      if (api === 'legacy' || api === 'automation' || effectOf(route.endpoint) === 'none') continue;
      const own = { ...requiredExample(route.endpoint), account_id: 2 };
      const encoding = route.method === 'GET' ? 'query' : 'json';
      const response = await callRoute(app, route, own, encoding, { key: keyFor(app, route) });
      assert.equal(response.status, 400, `${route.label}: ${response.text}`);
      assert.ok('account_id' in (errorOf(response).fields ?? {}), route.label);
    }
  });

  test('API4: everything that a caller can make longer has a maximum length', () => {
    const unbounded = (schema: TSchema, path: string): string[] => {
      const { type, items, properties, ...limits } = schema as Bounded;
      if (type === 'string') return isBounded(limits) ? [] : [path];
      if (type === 'integer') return limits.maximum === undefined ? [path] : [];
      if (type === 'array')
        return [...(limits.maxItems === undefined ? [path] : []), ...unbounded(items!, `${path}[]`)];
      return Object.entries(properties ?? {}).flatMap(([name, member]) => unbounded(member, `${path}.${name}`));
    };
    const unboundedPaths = routes.flatMap(({ label, endpoint }) =>
      Object.entries(endpoint.params).flatMap(([name, schema]) => unbounded(schema, `${label} ${name}`)),
    );
    assert.deepEqual(unboundedPaths, []);
  });

  test('API4: an account has at most a thousand keys and ten thousand contacts', async () => {
    const { queries } = app.parts.store;
    const { key } = app.lab.stranger;
    const account = Number(app.lab.stranger.account) as AccountId;
    const many = Array.from(
      { length: 999 },
      () => createKeyRow(account, 0, { name: 'many', scopes: [], expiresAt: null }).row,
    );
    await queries.insertInto('keys').values(many).execute();
    const make = () => request(app, 'POST', '/v2/account/key', { key, params: { name: 'one', scopes: ['dns:read'] } });
    assert.equal((await make()).status, 409);
    await queries.updateTable('keys').set({ revoked_at: 1 }).where('name', '=', 'many').execute();
    assert.equal((await make()).status, 200);

    const create = routes.find(({ label }) => label === 'v2 POST /v2/account/contact')!;
    const contactFields = fullExample(create.endpoint);
    assert.equal((await callRoute(app, create, contactFields, 'json', { key })).status, 200);
    const { id: _, ...contact } = await queries
      .selectFrom('contacts')
      .selectAll()
      .where('account_id', '=', account)
      .executeTakeFirstOrThrow();
    const copies = Array.from({ length: 1111 }, () => contact);
    for (let count = 0; count < 9; count++) await queries.insertInto('contacts').values(copies).execute();
    const rejection = await callRoute(app, create, { ...contactFields, email: 'b@example.com' }, 'json', { key });
    assert.equal(rejection.status, 409);
  });

  test('API8: no response allows another origin, names its software, or can be mistaken for another type', async () => {
    const { key } = app.lab.customer;
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
        const { headers, statusCode, body } = await app.http.inject({
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
    assert.equal((await app.http.inject({ url: '/metrics' })).statusCode, 401);
  });

  test("API8: no path leads out of the panel's folder", async () => {
    const ways = [
      '../package.json',
      '%2e%2e/package.json',
      '..%2fpackage.json',
      '..\\package.json',
      '%00',
      'assets/../../../package.json',
    ];
    for (const way of ways) {
      const { statusCode, body } = await app.http.inject({ url: `/panel/${way}` });
      assert.ok(statusCode < 500, way);
      assert.ok(!body.includes('"dependencies"'), way);
    }
  });

  test('API9: every route that responds is declared', () => {
    const declared = new Set(routes.map(({ url }) => url));
    /** For machines and browsers: not part of the API, and each with its own test. */
    const others = new Set(
      `/ /panel /panel* /healthz /readyz /metrics /hooks/detector/:name /hooks/payments/:name /hooks/payment-notices/:name
      /hooks/invoices/:name /mail/unsubscribe/:token /docs /docs/start.js /docs/storage.js /docs/scalar.js /docs/openapi-v2.json /docs/openapi-legacy.json /docs/openapi-operator.json`.split(
        /\s+/,
      ),
    );
    const servedRoutes = routesIn(app.http.printRoutes({ commonPrefix: false }));
    assert.deepEqual(
      servedRoutes.filter((url) => !declared.has(url) && !others.has(url)),
      [],
    );
    const missing = [...declared, ...others].filter((url) => !servedRoutes.includes(url));
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
/** Bounded by a length, a list of words, or a pattern without endless repetition. */
function isBounded({ maxLength, enum: words, const: word, pattern }: Partial<Bounded>): boolean {
  if (maxLength !== undefined || words !== undefined || word !== undefined) return true;
  return pattern !== undefined && !/[*+]|[0-9],\}/.test(pattern);
}

/** The URLs in Fastify's tree of routes. */
function routesIn(tree: string): string[] {
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent, part, methods] = /^([│ ]*)[├└]── (\S*)(?: \((.*)\))?$/.exec(line) ?? [];
    if (indent === undefined) return [];
    const depth = indent.length / 4;
    above.splice(depth, above.length, part!);
    return methods === undefined ? [] : [above.join('')];
  });
}

function explanation(name: string): string {
  return readFileSync(join(root, 'docs', 'explanation', name), 'utf8');
}

describe('docs/explanation/owasp.md', () => {
  test('covers all ten', () => {
    for (let number = 1; number <= 10; number++)
      assert.match(explanation('owasp.md'), new RegExp(`^## API${number}:`, 'm'));
  });
});

describe('docs/explanation/threat-model.md', () => {
  test('has tests for every trust boundary', () => {
    const [, boundaries = ''] = /^## Trust boundaries$([^]*?)^## /m.exec(explanation('threat-model.md')) ?? [];
    const sections = boundaries.split(/^### /m).slice(1);
    assert.ok(sections.length >= 10);
    for (const section of sections) assert.match(section, /^- `test\//m, section.split('\n')[0]);
  });
});

for (const name of ['owasp.md', 'threat-model.md'])
  describe(`docs/explanation/${name}`, () => {
    test('names only existing tests', () => {
      const lines = explanation(name)
        .split('\n')
        .filter((line) => line.startsWith('- `'));
      assert.ok(lines.length >= 30, `only ${lines.length} tests are named`);
      for (const line of lines) {
        const [, file, title] = /^- `([^`]+)`: (.+)$/.exec(line) ?? [];
        assert.ok(file !== undefined && title !== undefined, line);
        const text = readFileSync(join(root, file), 'utf8').replaceAll("\\'", "'");
        assert.ok(text.includes(title), `${file} has no test called "${title}"`);
      }
    });
  });
