// What the LXD driver makes of a daemon that is ill; a healthy one is in test/peers.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { Check } from 'typebox/schema';
import { Fault } from '#kernel/fault.ts';
import { jsonOf, openNodeHttp } from './http.ts';
import { lxdApi, type LxdApi } from './lxd/api.ts';
import { machinesOf } from './lxd/machines.ts';
import { LxdSettings } from './lxd.ts';
import { Instance } from './lxd/shapes.ts';

const patience = (): AbortSignal => AbortSignal.timeout(60_000);
const faultWith =
  (code: string, text = /./) =>
  (error: unknown) => {
    assert.ok(error instanceof Fault, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, text);
    return true;
  };

async function daemon(listener: RequestListener): Promise<{ api: LxdApi } & AsyncDisposable> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const http = openNodeHttp({ scheme: 'http', options: { host: '127.0.0.1', port } });
  const dispose = async (): Promise<void> => {
    http[Symbol.dispose]();
    server.closeAllConnections();
    server.close();
  };
  return { api: lxdApi(http), [Symbol.asyncDispose]: dispose };
}
const answer =
  (status: number, body: unknown): RequestListener =>
  (_request, response) =>
    void response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
const done = { type: 'sync', operation: '', error: '', metadata: {} };

describe('a daemon that is ill', () => {
  it('gives wrong answers: no JSON, another shape, an error of its own', async () => {
    for (const body of [
      '<html>',
      [],
      { type: 'sync', metadata: { name: 7 } },
      { type: 'error', error: 'secret path' },
    ]) {
      await using ill = await daemon(answer(500, body));
      await assert.rejects(ill.api.get('/1.0/instances/x', Instance, patience()), (error: Error) => {
        assert.doesNotMatch(error.message, /secret/);
        return faultWith('node_error')(error);
      });
    }
  });

  it('says that there is no such thing, which is an answer', async () => {
    await using ill = await daemon(answer(404, { type: 'error', error: 'not found' }));
    assert.equal(await ill.api.find('/1.0/instances/x', Instance, patience()), undefined);
    await assert.rejects(ill.api.get('/1.0/instances/x', Instance, patience()), faultWith('not_found'));
  });

  it('falls silent: over a question it is unreachable, over a change nobody knows', async () => {
    let heard = new AbortController();
    await using ill = await daemon(() => heard.abort());
    const question = ill.api.get('/1.0', Instance, heard.signal);
    await assert.rejects(question, faultWith('node_unreachable', /did not answer/));
    heard = new AbortController();
    const change = ill.api.change('PUT', '/1.0/instances/x/state', heard.signal, { action: 'start' });
    await assert.rejects(change, faultWith('node_unreachable', /not known whether/));
  });

  it('has lost a member: what ran there is not in the list, nor called off, and all else goes on', async () => {
    const instance = (name: string, status_code: number) => ({
      name,
      status_code,
      profiles: [],
      config: {},
      expanded_config: {},
      expanded_devices: {},
    });
    await using ill = await daemon((request, response) => {
      const metadata = { '/1.0/instances?recursion=1': [instance('vm-1', 112), instance('vm-2', 103)] }[request.url!];
      if (metadata !== undefined) answer(200, { ...done, metadata })(request, response);
      else if (request.url === '/1.0/instances/vm-1')
        answer(200, { ...done, metadata: instance('vm-1', 112) })(request, response);
      else answer(404, { type: 'error', error: 'not found' })(request, response);
    });
    const machines = machinesOf(ill.api, { pool: 'machines', nic: undefined });
    assert.deepEqual(await machines.list(patience()), [{ name: 'vm-2', power: 'on' }]);
    await assert.rejects(machines.find('vm-1', patience()), faultWith('node_error'));
  });

  it('has a full disk, by the word of an operation', async () => {
    await using ill = await daemon((request, response) => {
      const isWait = request.url!.includes('/wait');
      const failed = { status_code: 400, err: 'write: no space left on device' };
      const body = isWait ? { ...done, metadata: failed } : { ...done, type: 'async', operation: '/1.0/operations/1' };
      answer(200, body)(request, response);
    });
    await assert.rejects(ill.api.change('POST', '/1.0/instances', patience(), {}), faultWith('nothing_free'));
  });

  it('is asked again while an instance is busy, and waited for while its operation runs', async () => {
    let asked = 0;
    let waited = 0;
    await using ill = await daemon((request, response) => {
      if (request.url!.includes('/wait')) {
        const status_code = ++waited < 3 ? 103 : 200;
        answer(200, { ...done, metadata: { status_code, err: '', metadata: 'told' } })(request, response);
      } else if (++asked < 3) {
        answer(500, { type: 'error', error: 'Instance is busy running a "stop" operation' })(request, response);
      } else {
        answer(202, { ...done, type: 'async', operation: '/1.0/operations/1' })(request, response);
      }
    });
    assert.equal(await ill.api.change('DELETE', '/1.0/instances/x', patience()), 'told');
    assert.deepEqual([asked, waited], [3, 3]);
  });

  it('is asked over a new connection where the kept one was closed meanwhile', async () => {
    const used = new WeakSet<object>();
    await using ill = await daemon((request, response) => {
      if (used.has(request.socket)) request.socket.destroy();
      else answer(200, done)(request, response);
      used.add(request.socket);
    });
    for (let time = 0; time < 3; time++) {
      const told = await ill.api.send({ method: 'GET', path: '/1.0' }, patience());
      assert.deepEqual(jsonOf(told), done);
    }
  });
});

describe('the settings of an LXD node', () => {
  it('are a socket or an address, and a pool', () => {
    const pem = '-----BEGIN CERTIFICATE-----';
    assert.ok(Check(LxdSettings, { pool: 'machines' }));
    assert.ok(Check(LxdSettings, { socket: '/var/lib/incus/unix.socket', pool: 'machines', nic: { parent: 'br0' } }));
    assert.ok(Check(LxdSettings, { url: 'https://[2001:db8::1]:8443', certificate: pem, key: pem, pool: 'machines' }));
    assert.ok(!Check(LxdSettings, { url: 'http://lxd1:8443', pool: 'machines' }));
    assert.ok(!Check(LxdSettings, {}));
  });
});
