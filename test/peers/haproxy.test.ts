// The shipped configuration of HAProxy, in front of instances that die at the worst moment: it repeats only what is safe
// to repeat, and what it answers itself has the documented form. test/long/balancer.test.ts does it with real instances.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, describe, test } from 'node:test';
import { Agent, fetch, type RequestInit, type Response } from 'undici';
import { errorResponse } from '#http/responses.ts';
import { ApiError } from '#lib/api-error.ts';
import { startHaproxy } from '#test/support/haproxy.ts';
import { needs } from '#test/support/needs.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until } from '#test/support/until.ts';

interface Instance {
  readonly address: string;
  /** Requests that arrived, without health checks. */
  readonly received: string[];
  isReady: boolean;
  respond: (request: IncomingMessage, response: ServerResponse) => void;
}

describe('HAProxy in front of two instances', needs('haproxy'), () => {
  const owned = suiteResources();
  const instances: Instance[] = [];
  let url: string;

  async function startInstance(): Promise<void> {
    const server = createServer((request, response) => {
      if (request.url === '/readyz') return void response.writeHead(instance.isReady ? 200 : 503).end();
      instance.received.push(`${request.method} ${request.url}`);
      request.resume().on('end', () => instance.respond(request, response));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const instance: Instance = { address, received: [], isReady: true, respond: (_, response) => void response.end() };
    instances.push(instance);
    owned.defer(() => {
      server.closeAllConnections();
      server.close();
    });
  }
  before(async () => {
    await startInstance();
    await startInstance();
    ({ url } = owned.use(await startHaproxy([instances[0]!.address, instances[1]!.address])));
    await until(async () => (await fetch(url)).status === 200);
  });

  /** Both die when they have a request. Returns the response, or undefined without one, and how often it was sent. */
  async function sendToDying(path: string, init: RequestInit, dispatcher = new Agent()) {
    const attempts = (): number => instances.flatMap(({ received }) => received).length;
    const before = attempts();
    for (const instance of instances) instance.respond = ({ socket }) => void socket.destroy();
    const response = await fetch(`${url}${path}`, { ...init, dispatcher }).catch(() => undefined);
    return { response, attempts: attempts() - before };
  }
  async function expectUnavailable(
    response: Response | undefined,
    api: 'v2' | 'legacy',
    asProblem = false,
  ): Promise<void> {
    const expected = errorResponse(asProblem ? 'problem' : api, new ApiError('overloaded'));
    assert.ok(response);
    assert.equal(response.status, 503);
    assert.deepEqual(await response.json(), JSON.parse(expected.body as string));
    assert.equal(response.headers.get('content-type'), expected.type);
    assert.equal(response.headers.get('retry-after'), '1');
  }

  test('a change without a key is sent once, even if the instance dies with it', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const { response, attempts } = await sendToDying('/v2/account/contact', { method, body: '{}' });
      assert.equal(attempts, 1, method);
      await expectUnavailable(response, 'v2');
    }
  });

  test('a change on a connection that was used before is sent once, and gets no response', async () => {
    const dispatcher = new Agent({ connections: 1 });
    for (const instance of instances) instance.respond = (_, response) => void response.end();
    await (await fetch(`${url}/v2/account`, { dispatcher })).arrayBuffer();
    const sent = await sendToDying('/v2/account/contact', { method: 'POST', body: '{}' }, dispatcher);
    assert.deepEqual(sent, { response: undefined, attempts: 1 });
  });

  test('a read, and a change with a key, are repeated', async () => {
    const headers = { 'idempotency-key': 'once' };
    for (const init of [{}, { method: 'POST', body: '{}', headers }]) {
      const { response, attempts } = await sendToDying('/account/list', init);
      assert.equal(attempts, 3);
      await expectUnavailable(response, 'legacy');
    }
  });

  test('errors of an instance arrive unchanged', async () => {
    for (const status of [502, 503, 504]) {
      for (const instance of instances)
        instance.respond = (_, response) =>
          void response.writeHead(status, { 'x-request-id': 'r', 'content-type': 'text/plain' }).end('its own');
      const response = await fetch(`${url}/v2/account`, { headers: { accept: 'application/problem+json' } });
      assert.deepEqual(
        [response.status, await response.text(), response.headers.get('content-type')],
        [status, 'its own', 'text/plain'],
      );
    }
  });

  test('without a ready instance, callers get the documented error in the form of their API', async () => {
    for (const instance of instances) {
      instance.isReady = false;
      instance.respond = (_, response) => void response.end();
    }
    await until(async () => (await fetch(`${url}/v2/account`)).status === 503);
    await expectUnavailable(await fetch(`${url}/v2/account`), 'v2');
    await expectUnavailable(await fetch(`${url}/operator/account`, { method: 'POST' }), 'v2');
    await expectUnavailable(await fetch(`${url}/account/list`), 'legacy');
    await expectUnavailable(await fetch(`${url}/v2x`), 'legacy');
    const headers = { accept: 'application/problem+json' };
    await expectUnavailable(await fetch(`${url}/account/list`, { headers }), 'legacy', true);
  });
});
