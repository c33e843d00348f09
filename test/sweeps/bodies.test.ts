// What is no request of ours at all: wrong methods, wrong types, bodies too large or not readable. Over every route.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { effectOf } from '#contract/endpoint.ts';
import { fullExample, leastExample } from '#test/support/examples.ts';
import { ask, call, keyFor, refusal, routes, type Route, type Told } from '#test/support/routes.ts';
import { openTestYard, type TestYard } from '#test/support/yard.ts';

const withBody = routes.filter(({ method }) => method !== 'GET');
const urls = new Set(routes.map(({ url }) => url));
const everyMethod = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'] as const;

function isRefusal(answer: Told, route: Route, status: number, code: string): void {
  assert.equal(answer.status, status, `${route.label}: ${answer.text}`);
  assert.deepEqual(Object.keys(answer.body), ['success', 'results', 'result'], route.label);
  assert.equal(answer.body.success, false);
  assert.equal(answer.body.results, 0);
  if (route.operation.face !== 'legacy') assert.equal(refusal(answer).code, code, route.label);
  else assert.equal(typeof answer.body.result, 'string', route.label);
}

describe('every route', () => {
  let yard: TestYard;
  before(async () => {
    yard = await openTestYard();
  });
  after(() => yard[Symbol.asyncDispose]());

  async function sent(route: Route, type: string, body: string | Buffer): Promise<Told> {
    const options = call(route, fullExample(route.endpoint), 'form', { key: keyFor(yard, route) });
    return ask(yard.http, { ...options, payload: body, headers: { ...options.headers, 'content-type': type } });
  }

  test('says 405 and which methods it has to one that it has not', async () => {
    for (const url of urls) {
      const here = routes.filter((route) => route.url === url);
      const methods = new Set<string>(here.map(({ method }) => method));
      for (const method of everyMethod.filter((name) => !methods.has(name))) {
        const answer = await ask(yard.http, { method: method as 'GET', url: url.replaceAll(/:\w+/g, '1') });
        isRefusal(answer, here[0]!, 405, 'method_not_allowed');
        const allow = String(answer.headers['allow']).split(', ');
        assert.deepEqual(allow.filter((name) => name !== 'HEAD').sort(), [...methods].sort(), `${method} ${url}`);
        const get = here.find((route) => route.method === 'GET');
        assert.equal(allow.includes('HEAD'), get !== undefined && effectOf(get.endpoint) === 'none', url);
      }
    }
  });

  test('that answers GET answers HEAD with the same status and nothing more, unless it acts', async () => {
    for (const route of routes.filter(({ method }) => method === 'GET')) {
      const options = call(route, fullExample(route.endpoint), 'query', { key: keyFor(yard, route) });
      if (effectOf(route.endpoint) !== 'none') {
        assert.equal((await yard.http.inject({ ...options, method: 'HEAD' })).statusCode, 405, route.label);
        continue;
      }
      const got = await ask(yard.http, options);
      const head = await ask(yard.http, { ...options, method: 'HEAD' });
      assert.deepEqual([head.status, head.text], [got.status, ''], route.label);
    }
  });

  test('of the legacy interface that has only GET answers POST alike', async () => {
    const legacy = routes.filter(({ operation, method }) => operation.face === 'legacy' && method === 'GET');
    let alike = 0;
    for (const route of legacy) {
      const post = routes.find(({ url, method }) => url === route.url && method === 'POST')!;
      assert.ok(post, `${route.label} has no POST`);
      if (post.operation.name !== route.operation.name) continue;
      alike++;
      for (const input of [fullExample(route.endpoint), leastExample(route.endpoint)]) {
        const { key } = yard.lab.customer;
        if (route.inPath.some((name) => !(name in input))) continue;
        const got = await ask(yard.http, call(route, input, 'query', { key }));
        for (const encoding of ['form', 'json', 'query'] as const) {
          const posted = await ask(yard.http, call(post, input, encoding, { key }));
          assert.deepEqual([posted.status, posted.text], [got.status, got.text], route.label);
        }
      }
    }
    assert.ok(alike >= 8, String(alike));
  });

  test('says 415 to a body of another type', async () => {
    for (const route of withBody) {
      for (const type of [
        'text/plain',
        'application/xml',
        'multipart/form-data; boundary=x',
        'application/jsonp',
        'nonsense',
      ])
        isRefusal(await sent(route, type, 'a=1'), route, 415, 'unsupported_media_type');
    }
  });

  test('says 413 to 2 MB', async () => {
    const large = `{"firstname":"${'a'.repeat(2_000_000)}"}`;
    for (const route of withBody) isRefusal(await sent(route, 'application/json', large), route, 413, 'body_too_large');
  });

  test('says 400 to what cannot be read', async () => {
    for (const route of withBody) {
      for (const body of ['{', '{"a":1,}', "{'a':1}", '[]', '[{"id":1}]', '"text"', '1', 'null', '{"a":NaN}', 'id=1'])
        isRefusal(await sent(route, 'application/json', body), route, 400, 'malformed_request');
      for (const type of ['application/json', 'application/x-www-form-urlencoded'])
        isRefusal(await sent(route, type, Buffer.from([0x7b, 0xff, 0xfe])), route, 400, 'malformed_request');
    }
  });

  test('takes an empty body of either type for no parameters', async () => {
    for (const route of withBody) {
      for (const type of ['application/json', 'application/json; charset=utf-8', 'application/x-www-form-urlencoded']) {
        const input = Object.fromEntries(
          Object.entries(fullExample(route.endpoint)).filter(([name]) => route.inPath.includes(name)),
        );
        const options = call(route, input, 'form', { key: keyFor(yard, route) });
        const answer = await ask(yard.http, {
          ...options,
          payload: '',
          headers: { ...options.headers, 'content-type': type },
        });
        assert.notEqual(refusal(answer).code, 'malformed_request', `${route.label} ${type}: ${answer.text}`);
        assert.ok(answer.status !== 415 && answer.status !== 500, route.label);
      }
    }
  });

  test('survives what is nested without end, under a known name and an unknown one', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    for (const route of withBody) {
      const [name = 'x'] = Object.keys(route.endpoint.params);
      for (const body of [`{"${name}":${deep}}`, `{"${name}":${deep},"${name}":1}`, `{"x":${deep}}`]) {
        const answer = await sent(route, 'application/json', body);
        assert.ok(answer.status < 500 || answer.status === 501, `${route.label}: ${answer.text}`);
      }
    }
  });

  test('does not say back a hundred thousand made-up names', async () => {
    const body = Array.from({ length: 100_000 }, (_, index) => `a${index}=`).join('&');
    for (const route of withBody.filter(({ operation }) => operation.face !== 'legacy')) {
      const answer = await sent(route, 'application/x-www-form-urlencoded', body);
      assert.equal(answer.status, 400, route.label);
      assert.ok(answer.text.length < 10_000, `${route.label}: ${answer.text.length}`);
    }
  });

  test('tells its refusals as RFC 9457 to who asks for it', async () => {
    for (const route of routes) {
      for (const accept of ['application/problem+json', 'application/json, application/problem+json;q=0.9']) {
        const { method } = route;
        const options = call(route, fullExample(route.endpoint), method === 'GET' ? 'query' : 'form', {
          key: 'hy_nonsense',
          headers: { accept },
        });
        if (route.endpoint.access === 'public') continue;
        const answer = await ask(yard.http, options);
        assert.match(String(answer.headers['content-type']), /^application\/problem\+json/, route.label);
        assert.deepEqual(answer.body, {
          type: 'urn:hostyard:error:unauthenticated',
          title: 'A valid API key is required.',
          status: 401,
          detail: 'A valid API key is required.',
          code: 'unauthenticated',
        });
      }
    }
  });

  test('carries a request id of its own on every answer', async () => {
    const seen = new Set<unknown>();
    const targets = [
      ...routes.map((route) => call(route, fullExample(route.endpoint), 'query', { key: keyFor(yard, route) })),
      { url: '/nowhere' },
      { url: '/v2/nowhere' },
      { url: '/v2/account/%zz' },
      { url: `/client/contact/${'1'.repeat(5000)}` },
      { url: '/healthz' },
      { url: '/metrics' },
    ];
    for (const target of targets) {
      const { headers } = await ask(yard.http, target);
      assert.match(String(headers['x-request-id']), /^[0-9a-z-]{16,40}$/, JSON.stringify(target));
      seen.add(headers['x-request-id']);
    }
    assert.equal(seen.size, targets.length);
  });
});
