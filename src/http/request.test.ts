// Endpoints of both kinds at once: what only reads by its parameter, and a GET that acts.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fastify, type FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { endpoint, type Endpoint } from '#contract/endpoint.ts';
import * as p from '#contract/parameters.ts';
import { Fault } from '#kernel/fault.ts';
import { request } from '#test/support/request.ts';
import { openTestYard, type TestYard } from '#test/support/yard.ts';
import { queryPairs } from './body.ts';
import { budgets } from './limits.ts';
import { requestSteps } from './request.ts';

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
  let yard: TestYard;
  let http: FastifyInstance;
  let calls = 0;

  before(async () => {
    yard = await openTestYard();
    http = fastify({ routerOptions: { querystringParser: (text) => queryPairs(text) as never } });
    http.decorateRequest('keyId', undefined);
    http.decorateRequest('caller', undefined);
    http.setErrorHandler((error, _, reply) => {
      if (!(error instanceof Fault)) throw error;
      return reply.code(error.status).send({ code: error.code });
    });
    const spend = budgets(() => performance.now());
    for (const [name, declaration] of Object.entries<Endpoint>({ both, acting })) {
      const steps = requestSteps(
        yard.parts,
        spend,
        { face: 'legacy', name, endpoint: declaration },
        `/${name}`,
        () => ++calls,
      );
      http.route({ method: declaration.method, url: declaration.path, ...steps });
    }
  });
  after(async () => {
    await http?.close();
    await yard?.[Symbol.asyncDispose]();
  });

  async function keyWith(...scopes: string[]): Promise<string> {
    const options = { key: yard.lab.customer.key, params: { name: 'test', scopes } };
    const { body } = await request<{ result: { key: string } }>(yard, 'POST', '/v2/account/key', options);
    return body.result.key;
  }
  const audited = async (operation: string): Promise<string[]> => {
    const rows = await yard.parts.store.queries.selectFrom('audit').select(['operation', 'outcome']).execute();
    return rows.filter((row) => row.operation === `legacy.${operation}`).map(({ outcome }) => outcome);
  };
  async function told(method: 'GET' | 'POST', url: string, key: string, idempotencyKey?: string) {
    const again = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    const answer = await http.inject({ method, url, headers: { 'x-api-key': key, ...again } });
    const { code, result } = answer.json<{ code?: string; result?: number }>();
    return [answer.statusCode, code ?? result];
  }
  async function setStatus(status: 'Active' | 'Suspended'): Promise<void> {
    await yard.parts.store.queries
      .updateTable('accounts')
      .set({ status })
      .where('id', '=', 1 as never)
      .execute();
    yard.parts.authentication.forget();
  }

  test('that reads by its parameter asks for the scope of reading then, and for its own else', async () => {
    const reader = await keyWith('device:read');
    const switcher = await keyWith('device:power');
    const neither = await keyWith('billing:read');
    for (const url of ['/lamp', '/lamp?action=look']) {
      for (const key of [reader, switcher]) assert.equal((await told('POST', url, key))[0], 200, url);
      assert.deepEqual(await told('POST', url, neither), [403, 'scope_missing']);
    }
    assert.deepEqual(await told('POST', '/lamp?action=switch', reader), [403, 'scope_missing']);
    assert.equal((await told('POST', '/lamp?action=switch', switcher))[0], 200);
    assert.deepEqual(await told('POST', '/lamp?action=nonsense', neither), [403, 'scope_missing']);
    assert.deepEqual(await told('POST', '/lamp?action=nonsense', reader), [400, 'invalid_parameter']);
  });

  test('that reads by its parameter is then neither audited nor kept for its Idempotency-Key', async () => {
    const { key } = yard.lab.customer;
    const before = await audited('both');
    const [first, second] = [await told('POST', '/lamp', key, 'one'), await told('POST', '/lamp', key, 'one')];
    assert.notDeepEqual(first, second);
    assert.deepEqual(await audited('both'), before);
    const [third, fourth] = [
      await told('POST', '/lamp?action=switch', key, 'two'),
      await told('POST', '/lamp?action=switch', key, 'two'),
    ];
    assert.deepEqual(third, fourth);
    assert.deepEqual(await audited('both'), [...before, 'begun', 'success']);
  });

  test('that reads by its parameter does so while the account is suspended', async () => {
    const { key } = yard.lab.customer;
    await setStatus('Suspended');
    try {
      assert.equal((await told('POST', '/lamp?action=look', key))[0], 200);
      assert.deepEqual(await told('POST', '/lamp?action=switch', key), [403, 'account_suspended']);
      assert.deepEqual(await told('GET', '/bell', key), [403, 'account_suspended']);
    } finally {
      await setStatus('Active');
    }
  });

  test('that acts on a GET is audited, and repeats its answer for an Idempotency-Key', async () => {
    const { key } = yard.lab.customer;
    assert.deepEqual(await told('GET', '/bell', key, 'three'), await told('GET', '/bell', key, 'three'));
    assert.deepEqual(await audited('acting'), ['begun', 'success']);
  });
});
