// Endpoints that read or change depending on a parameter, and a GET that acts.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { fastify, type FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { endpoint, type Endpoint } from '#contract/endpoint.ts';
import * as p from '#contract/parameters.ts';
import { ApiError } from '#lib/api-error.ts';
import { request } from '#test/support/request.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { readQuery } from './body.ts';
import { createRateLimiter } from '#lib/rate-limits.ts';
import { createRequestSteps } from './request.ts';
import { createUnsentResponses } from './unsent-responses.ts';

const both = endpoint({
  method: 'POST',
  path: '/lamp',
  tag: 'device',
  access: 'device:power',
  effect: 'equipment',
  reading: { parameter: 'action', values: ['look', undefined], access: 'device:read' },
  summary: 'Look at a lamp or switch it',
  params: { action: p.optional(p.Choice('look', 'switch')) },
  result: Type.Integer(),
});
const acting = endpoint({
  method: 'GET',
  path: '/bell',
  tag: 'device',
  access: 'device:console',
  effect: 'equipment',
  summary: 'Ring the bell',
  params: {},
  result: Type.Integer(),
});

describe('an endpoint', () => {
  let app: TestApp;
  let http: FastifyInstance;
  let calls = 0;
  const unsent = createUnsentResponses(100);

  before(async () => {
    app = await openTestApp();
    http = fastify({ routerOptions: { querystringParser: (text) => readQuery(text) as never } });
    http.decorateRequest('keyId', undefined);
    http.decorateRequest('caller', undefined);
    http.setErrorHandler((error, _, reply) => {
      if (!(error instanceof ApiError)) throw error;
      return reply.code(error.status).send({ code: error.code });
    });
    const limits = { limiter: createRateLimiter(() => performance.now()), unsent };
    for (const [name, declaration] of Object.entries<Endpoint>({ both, acting })) {
      const steps = createRequestSteps(
        app.parts,
        limits,
        { api: 'legacy', name, endpoint: declaration },
        `/${name}`,
        () => ++calls,
      );
      http.route({ method: declaration.method, url: declaration.path, ...steps });
    }
  });
  after(async () => {
    await http?.close();
    await app?.[Symbol.asyncDispose]();
  });

  async function keyWith(...scopes: string[]): Promise<string> {
    const options = { key: app.lab.customer.key, params: { name: 'test', scopes } };
    const { body } = await request<{ result: { key: string } }>(app, 'POST', '/v2/account/key', options);
    return body.result.key;
  }
  const auditOutcomes = async (operation: string): Promise<string[]> => {
    const rows = await app.parts.store.queries.selectFrom('audit').select(['operation', 'outcome']).execute();
    return rows.filter((row) => row.operation === `legacy.${operation}`).map(({ outcome }) => outcome);
  };
  async function send(method: 'GET' | 'POST', url: string, key: string, idempotencyKey?: string) {
    const extraHeaders = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    const response = await http.inject({ method, url, headers: { 'x-api-key': key, ...extraHeaders } });
    const { code, result } = response.json<{ code?: string; result?: number }>();
    return [response.statusCode, code ?? result];
  }
  async function setStatus(status: 'Active' | 'Suspended'): Promise<void> {
    await app.parts.store.queries
      .updateTable('accounts')
      .set({ status })
      .where('id', '=', 1 as never)
      .execute();
    app.parts.authentication.forget();
  }

  test('that reads by its parameter needs the read scope then, and its own scope otherwise', async () => {
    const reader = await keyWith('device:read');
    const switcher = await keyWith('device:power');
    const neither = await keyWith('billing:read');
    for (const url of ['/lamp', '/lamp?action=look']) {
      for (const key of [reader, switcher]) assert.equal((await send('POST', url, key))[0], 200, url);
      assert.deepEqual(await send('POST', url, neither), [403, 'scope_missing']);
    }
    assert.deepEqual(await send('POST', '/lamp?action=switch', reader), [403, 'scope_missing']);
    assert.equal((await send('POST', '/lamp?action=switch', switcher))[0], 200);
    assert.deepEqual(await send('POST', '/lamp?action=nonsense', neither), [403, 'scope_missing']);
    assert.deepEqual(await send('POST', '/lamp?action=nonsense', reader), [400, 'invalid_parameter']);
  });

  test('that changes something does nothing for an account with too much that it has not read', async () => {
    const { key, account } = app.lab.customer;
    const unread = new EventEmitter();
    unsent.add(Number(account), 101, Object.assign(unread, { setTimeout: () => {}, destroy: () => {} }) as never);
    const before = calls;
    assert.deepEqual(await send('POST', '/lamp?action=switch', key), [429, 'rate_limited']);
    assert.equal(calls, before);
    unread.emit('close');
    assert.equal((await send('POST', '/lamp?action=switch', key))[0], 200);
  });

  test('that reads by its parameter is then neither audited nor saved for its Idempotency-Key', async () => {
    const { key } = app.lab.customer;
    const outcomes = await auditOutcomes('both');
    const [first, second] = [await send('POST', '/lamp', key, 'one'), await send('POST', '/lamp', key, 'one')];
    assert.notDeepEqual(first, second);
    assert.deepEqual(await auditOutcomes('both'), outcomes);
    const [third, fourth] = [
      await send('POST', '/lamp?action=switch', key, 'two'),
      await send('POST', '/lamp?action=switch', key, 'two'),
    ];
    assert.deepEqual(third, fourth);
    assert.deepEqual(await auditOutcomes('both'), [...outcomes, 'begun', 'success']);
  });

  test('that reads by its parameter does so while the account is suspended', async () => {
    const { key } = app.lab.customer;
    await setStatus('Suspended');
    try {
      assert.equal((await send('POST', '/lamp?action=look', key))[0], 200);
      assert.deepEqual(await send('POST', '/lamp?action=switch', key), [403, 'account_suspended']);
      assert.deepEqual(await send('GET', '/bell', key), [403, 'account_suspended']);
    } finally {
      await setStatus('Active');
    }
  });

  test('that acts on a GET is audited, and replays its response for an Idempotency-Key', async () => {
    const { key } = app.lab.customer;
    assert.deepEqual(await send('GET', '/bell', key, 'three'), await send('GET', '/bell', key, 'three'));
    assert.deepEqual(await auditOutcomes('acting'), ['begun', 'success']);
  });
});
