import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { request } from './request.ts';

interface Seen {
  method: string;
  url: string;
  key?: string;
  type?: string;
  content: string;
}

describe('a request', () => {
  let echo: Server;
  let server: { url: string };

  before(async () => {
    echo = createServer(async (incoming, outgoing) => {
      const { 'x-api-key': key, 'content-type': type, accept } = incoming.headers;
      const received = { method: incoming.method, url: incoming.url, key, type, content: await text(incoming) };
      outgoing.writeHead(incoming.url === '/moved' ? 302 : 200, {
        'content-type': accept === 'text/plain' ? 'text/plain' : 'application/problem+json; charset=utf-8',
        location: '/elsewhere',
      });
      outgoing.end(JSON.stringify(received));
    }).listen(0, '127.0.0.1');
    await once(echo, 'listening');
    server = { url: `http://127.0.0.1:${(echo.address() as AddressInfo).port}` };
  });

  after(() => {
    echo.closeAllConnections();
    echo.close();
  });

  test('puts the parameters of a GET into the query and its key into the header', async () => {
    const { body } = await request<Seen>(server, 'GET', '/v2/x?a=1', { key: 'hy_k', params: { b: 'ü &', c: 2 } });
    assert.deepEqual(body, { method: 'GET', url: '/v2/x?a=1&b=%C3%BC+%26&c=2', key: 'hy_k', content: '' });
  });

  test('puts the parameters of a POST into a JSON body', async () => {
    const { body } = await request<Seen>(server, 'POST', '/v2/x', { params: { a: ['1', null] } });
    assert.deepEqual(body, { method: 'POST', url: '/v2/x', type: 'application/json', content: '{"a":["1",null]}' });
  });

  test('sends a form like a legacy client', async () => {
    const { body } = await request<Seen>(server, 'POST', '/client/x', { form: { a: 'b c' } });
    assert.match(body.type ?? '', /^application\/x-www-form-urlencoded/);
    assert.equal(body.content, 'a=b+c');
  });

  test('returns text if the response is not JSON, nothing for HEAD, and follows no redirect', async () => {
    const plain = await request<string>(server, 'GET', '/x', { headers: { accept: 'text/plain' } });
    assert.equal(typeof plain.body, 'string');
    assert.equal((await request<string>(server, 'HEAD', '/x')).body, '');
    const moved = await request(server, 'GET', '/moved');
    assert.equal(moved.status, 302);
    assert.equal(moved.headers.get('location'), '/elsewhere');
  });
});
