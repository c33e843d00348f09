// Invalid requests to every route: wrong methods, wrong types, bodies that are too large or malformed.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { effectOf } from '#contract/endpoint.ts';
import { fullExample, requiredExample } from '#test/support/examples.ts';
import {
  acceptOf,
  callRoute,
  sendCall,
  call,
  keyFor,
  errorOf,
  routes,
  type Route,
  type RouteResponse,
} from '#test/support/routes.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { variantsAt } from '#test/support/long-run.ts';

const withBody = routes.filter(({ method }) => method !== 'GET');
const urls = new Set(routes.map(({ url }) => url));
const everyMethod = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'] as const;

function assertRejected(response: RouteResponse, route: Route, status: number, code: string): void {
  assert.equal(response.status, status, `${route.label}: ${response.text}`);
  assert.deepEqual(Object.keys(response.body), ['success', 'results', 'result'], route.label);
  assert.equal(response.body.success, false);
  assert.equal(response.body.results, 0);
  if (route.operation.api !== 'legacy') assert.equal(errorOf(response).code, code, route.label);
  else assert.equal(typeof response.body.result, 'string', route.label);
}

describe('every route', () => {
  let app: TestApp;
  before(async () => void (app = await openTestApp()));
  after(() => app[Symbol.asyncDispose]());

  async function sent(route: Route, type: string, body: string | Buffer): Promise<RouteResponse> {
    const options = call(route, fullExample(route.endpoint), 'form', { key: keyFor(app, route) });
    return sendCall(app.http, { ...options, payload: body, headers: { ...options.headers, 'content-type': type } });
  }

  test('responds 405 with its methods to any other', async () => {
    for (const url of urls) {
      const here = routes.filter((route) => route.url === url);
      const methods = new Set<string>(here.map(({ method }) => method));
      for (const method of everyMethod.filter((name) => !methods.has(name))) {
        const response = await sendCall(app.http, {
          method: method as 'GET',
          url: url.replaceAll(/:\w+/g, '1'),
          headers: acceptOf(here[0]!),
        });
        assertRejected(response, here[0]!, 405, 'method_not_allowed');
        const allow = String(response.headers['allow']).split(', ');
        assert.deepEqual(allow.filter((name) => name !== 'HEAD').sort(), [...methods].sort(), `${method} ${url}`);
        const get = here.find((route) => route.method === 'GET');
        assert.equal(allow.includes('HEAD'), get !== undefined && effectOf(get.endpoint) === 'none', url);
      }
    }
  });

  test('says that a path or method does not exist, whatever the type of the body', async () => {
    for (const [method, url, status] of [
      ['POST', '/v2/nothing', 404],
      ['PATCH', '/nothing', 404],
      ['PUT', '/v2/account', 405],
      ['DELETE', '/vps/list', 405],
    ] as const)
      for (const type of ['text/plain', 'application/json']) {
        const headers = { 'content-type': type };
        const response = await sendCall(app.http, { method, url, headers, payload: '{' });
        assert.deepEqual([response.status, response.body.success], [status, false], `${method} ${url} ${type}`);
      }
  });

  test('is found by the whole URL as by the path, with the same errors', async () => {
    const { port } = new URL(app.url);
    const send = async (method: string, path: string) => {
      const [response] = (await once(
        get({ port, method, path, headers: { 'x-api-key': app.lab.customer.key } }),
        'response',
      )) as [IncomingMessage];
      return [response.statusCode, response.headers.allow, await text(response)];
    };
    for (const [method, path] of [
      ['GET', '/v2/account/contact?id=x'],
      ['GET', '/v2/nothing'],
      ['PUT', '/v2/account'],
      ['GET', '/?a=1'],
      ['GET', '/client/contact/x'],
      ['DELETE', '/vps/list'],
    ] as const)
      assert.deepEqual(await send(method, `HTTP://localhost:1${path}`), await send(method, path), path);
    assert.deepEqual(await send('GET', 'http://localhost?a=1'), await send('GET', '/?a=1'));
  });

  test('with GET responds to HEAD with the same status and no body, unless it acts', async () => {
    for (const route of routes.filter(({ method }) => method === 'GET')) {
      const options = call(route, fullExample(route.endpoint), 'query', { key: keyFor(app, route) });
      if (effectOf(route.endpoint) !== 'none') {
        assert.equal((await app.http.inject({ ...options, method: 'HEAD' })).statusCode, 405, route.label);
        continue;
      }
      const response = await sendCall(app.http, options);
      const head = await sendCall(app.http, { ...options, method: 'HEAD' });
      assert.deepEqual([head.status, head.text], [response.status, ''], route.label);
    }
  });

  test('of the legacy API that has only GET accepts POST as well', async () => {
    const legacy = routes.filter(({ operation, method }) => operation.api === 'legacy' && method === 'GET');
    let alike = 0;
    for (const route of legacy) {
      const post = routes.find(({ url, method }) => url === route.url && method === 'POST')!;
      assert.ok(post, `${route.label} has no POST`);
      if (post.operation.name !== route.operation.name) continue;
      alike++;
      for (const input of [fullExample(route.endpoint), requiredExample(route.endpoint)]) {
        const { key } = app.lab.customer;
        if (route.inPath.some((name) => !(name in input))) continue;
        const response = await callRoute(app, route, input, 'query', { key });
        for (const encoding of ['form', 'json', 'query'] as const) {
          const posted = await callRoute(app, post, input, encoding, { key });
          assert.deepEqual([posted.status, posted.text], [response.status, response.text], route.label);
        }
      }
    }
    assert.ok(alike >= 8, String(alike));
  });

  test('responds 415 to a body of another type, except for DNS tools, which need not name it', async () => {
    const types = ['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'application/jsonp', 'nonsense'];
    for (const [index, route] of withBody.filter(({ operation }) => operation.api !== 'automation').entries())
      for (const type of variantsAt(index, types))
        assertRejected(await sent(route, type, 'a=1'), route, 415, 'unsupported_media_type');
  });

  test('says 413 to twice as much as it accepts', async () => {
    const byLimit = new Map<number, Buffer>();
    for (const route of withBody) {
      const limit = route.endpoint.maxBodyBytes ?? 1_000_000;
      const large = byLimit.get(limit) ?? Buffer.from(`{"firstname":"${'a'.repeat(2 * limit)}"}`);
      byLimit.set(limit, large);
      assertRejected(await sent(route, 'application/json', large), route, 413, 'body_too_large');
    }
  });

  test('responds 400 to malformed input', async () => {
    const bodies = ['{', '{"a":1,}', "{'a':1}", '[]', '[{"id":1}]', '"text"', '1', 'null', '{"a":NaN}', 'id=1'];
    for (const [index, route] of withBody.entries()) {
      for (const body of variantsAt(index, bodies))
        assertRejected(await sent(route, 'application/json', body), route, 400, 'malformed_request');
      for (const type of variantsAt(index, ['application/json', 'application/x-www-form-urlencoded']))
        assertRejected(await sent(route, type, Buffer.from([0x7b, 0xff, 0xfe])), route, 400, 'malformed_request');
    }
  });

  test('treats an empty body of either type as no parameters', async () => {
    const types = ['application/json', 'application/json; charset=utf-8', 'application/x-www-form-urlencoded'];
    for (const [index, route] of withBody.entries()) {
      for (const type of variantsAt(index, types)) {
        const input = Object.fromEntries(
          Object.entries(fullExample(route.endpoint)).filter(([name]) => route.inPath.includes(name)),
        );
        const options = call(route, input, 'form', { key: keyFor(app, route) });
        const response = await sendCall(app.http, {
          ...options,
          payload: '',
          headers: { ...options.headers, 'content-type': type },
        });
        assert.notEqual(errorOf(response).code, 'malformed_request', `${route.label} ${type}: ${response.text}`);
        assert.ok(response.status !== 415 && response.status !== 500, route.label);
      }
    }
  });

  test('survives endless nesting, under a known name and an unknown one', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    for (const [index, route] of withBody.entries()) {
      const [name = 'x'] = Object.keys(route.endpoint.params);
      const bodies = [`{"${name}":${deep}}`, `{"${name}":${deep},"${name}":1}`, `{"x":${deep}}`];
      for (const body of variantsAt(index, bodies)) {
        const response = await sent(route, 'application/json', body);
        assert.ok(response.status < 500 || response.status === 501, `${route.label}: ${response.text}`);
      }
    }
  });

  test('does not echo a thousand made-up names', async () => {
    const body = Array.from({ length: 1000 }, (_, index) => `a${index}=`).join('&');
    for (const route of withBody.filter(({ operation }) => operation.api !== 'legacy')) {
      const response = await sent(route, 'application/x-www-form-urlencoded', body);
      assert.equal(response.status, 400, route.label);
      assert.ok(response.text.length < 10_000, `${route.label}: ${response.text.length}`);
    }
  });

  test('returns errors as RFC 9457 on request', async () => {
    const accepted = ['application/problem+json', 'application/json, Application/Problem+JSON;q=0.9'];
    for (const [index, route] of routes.entries()) {
      for (const accept of variantsAt(index, accepted)) {
        const { method } = route;
        const options = call(route, fullExample(route.endpoint), method === 'GET' ? 'query' : 'form', {
          key: 'hy_nonsense',
          headers: { accept },
        });
        if (route.endpoint.access === 'public') continue;
        const response = await sendCall(app.http, options);
        assert.match(String(response.headers['content-type']), /^application\/problem\+json/, route.label);
        assert.deepEqual(response.body, {
          type: 'urn:hostyard:error:unauthenticated',
          title: 'A valid API key is required.',
          status: 401,
          detail: 'A valid API key is required.',
          code: 'unauthenticated',
        });
      }
    }
  });

  test('has its own request id in every response', async () => {
    const requestIds = new Set<unknown>();
    const targets = [
      // Without a valid key, because some of them take seconds.
      ...routes.map((route) => call(route, fullExample(route.endpoint), 'query', { key: 'hy_nonsense' })),
      { url: '/v2/account', headers: { 'x-api-key': app.lab.customer.key } },
      { url: '/nowhere' },
      { url: '/v2/nowhere' },
      { url: '/v2/account/%zz' },
      { url: `/client/contact/${'1'.repeat(5000)}` },
      { url: '/healthz' },
      { url: '/metrics' },
    ];
    for (const target of targets) {
      const { headers } = await sendCall(app.http, target);
      assert.match(String(headers['x-request-id']), /^[0-9a-z-]{16,40}$/, JSON.stringify(target));
      requestIds.add(headers['x-request-id']);
    }
    assert.equal(requestIds.size, targets.length);
  });
});
