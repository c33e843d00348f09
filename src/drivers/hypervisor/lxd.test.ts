import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { Check } from 'typebox/schema';
import { parseJson, openHypervisorHttp } from './http.ts';
import { lxdApi, type LxdApi } from './lxd/api.ts';
import { inSystem, setHostname, setPassword } from './lxd/guest.ts';
import { createMachines } from './lxd/machines.ts';
import { LxdSettings } from './lxd.ts';
import { Instance } from './lxd/instances.ts';

const testTimeout = (): AbortSignal => AbortSignal.timeout(60_000);
const withCode = (code: string, message = /./) => ({ name: 'ApiError', code, message });

async function daemon(listener: RequestListener): Promise<{ api: LxdApi } & AsyncDisposable> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const http = openHypervisorHttp({ scheme: 'http', options: { host: '127.0.0.1', port } });
  const dispose = async (): Promise<void> => {
    http[Symbol.dispose]();
    server.closeAllConnections();
    server.close();
  };
  return { api: lxdApi(http), [Symbol.asyncDispose]: dispose };
}
const respondWith =
  (status: number, body: unknown): RequestListener =>
  (_request, response) =>
    void response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
/** The types of Node do not have it yet. */
const abortTimeouts = 'AbortSignal.timeout' as 'setTimeout';
const emptyEnvelope = { type: 'sync', operation: '', error: '', metadata: {} };

describe('the LXD driver with a faulty daemon', () => {
  it('rejects malformed and failed responses without revealing their text', async () => {
    for (const body of [
      '<html>',
      [],
      { type: 'sync', metadata: { name: 7 } },
      { type: 'error', error: 'secret path' },
    ]) {
      await using faulty = await daemon(respondWith(500, body));
      const publicMessage = /^(?!.*secret)/;
      await assert.rejects(
        faulty.api.get('/1.0/instances/x', Instance, testTimeout()),
        withCode('node_error', publicMessage),
      );
    }
  });

  it('accepts that something does not exist', async () => {
    await using faulty = await daemon(respondWith(404, { type: 'error', error: 'not found' }));
    assert.equal(await faulty.api.find('/1.0/instances/x', Instance, testTimeout()), undefined);
    await assert.rejects(faulty.api.get('/1.0/instances/x', Instance, testTimeout()), withCode('not_found'));
  });

  it('reports silence as unreachable, and an unanswered change as unknown', async () => {
    let received = new AbortController();
    await using faulty = await daemon(() => received.abort());
    const question = faulty.api.get('/1.0', Instance, received.signal);
    await assert.rejects(question, withCode('node_unreachable', /did not respond/));
    received = new AbortController();
    const change = faulty.api.change('PUT', '/1.0/instances/x/state', received.signal, { action: 'start' });
    await assert.rejects(change, withCode('node_unreachable', /unknown whether/));
  });

  it('waits half a minute for a response, however long the caller would', async ({ mock }) => {
    mock.timers.enable({ apis: [abortTimeouts] });
    await using faulty = await daemon(() => mock.timers.tick(30_000));
    const { signal } = new AbortController();
    await assert.rejects(faulty.api.get('/1.0', Instance, signal), withCode('node_unreachable', /did not respond/));
    const unknown = withCode('node_unreachable', /unknown whether/);
    await assert.rejects(faulty.api.change('POST', '/1.0/instances', signal, {}), unknown);
    await assert.rejects(faulty.api.start('PUT', '/1.0/instances/x/state', signal, {}), unknown);
    await assert.rejects(faulty.api.send({ method: 'POST', path: '/1.0/instances/x/files' }, signal), unknown);
  });

  it('waits longer for operations, and for changes that the daemon performs before it responds', async ({ mock }) => {
    mock.timers.enable({ apis: [abortTimeouts] });
    let waits = 0;
    await using slow = await daemon((request, response) => {
      const isWait = request.url!.includes('/wait');
      const isStart = request.url === '/1.0/instances';
      if (!isStart) mock.timers.tick(isWait ? 59_000 : 300_000);
      const metadata = { status_code: ++waits < 10 ? 103 : 200, err: '', metadata: 'result' };
      const started = { type: 'async', operation: '/1.0/operations/1' };
      respondWith(200, { ...emptyEnvelope, ...(isWait && { metadata }), ...(isStart && started) })(request, response);
    });
    const { signal } = new AbortController();
    assert.equal(await slow.api.change('POST', '/1.0/instances', signal, {}), 'result');
    const volume = '/1.0/storage-pools/machines/volumes/custom';
    await slow.api.change('PATCH', '/1.0/instances/x', signal, {});
    await slow.api.change('PUT', '/1.0/profiles/x', signal, {});
    await slow.api.change('POST', `${volume}?target=n1`, signal, {});
    await slow.api.change('DELETE', `${volume}/vol-1`, signal);
    const backup = slow.api.change('DELETE', `${volume}/vol-1/backups/b1`, signal);
    await assert.rejects(backup, withCode('node_unreachable', /unknown whether/));
  });

  it('lists no machines of a lost cluster member, does not call them off, and keeps working', async () => {
    const instance = (name: string, status_code: number) => ({
      name,
      status_code,
      profiles: [],
      config: {},
      devices: {},
      expanded_config: {},
      expanded_devices: {},
    });
    await using faulty = await daemon((request, response) => {
      const instances = [instance('vm-1', 112), instance('vm-2', 103)];
      const metadata = { '/1.0/instances?recursion=1': instances, '/1.0/networks?recursion=1': [] }[request.url!];
      if (metadata !== undefined) respondWith(200, { ...emptyEnvelope, metadata })(request, response);
      else if (request.url === '/1.0/instances/vm-1')
        respondWith(200, { ...emptyEnvelope, metadata: instance('vm-1', 112) })(request, response);
      else respondWith(404, { type: 'error', error: 'not found' })(request, response);
    });
    const machines = createMachines(faulty.api, { pool: 'machines', nic: undefined });
    assert.deepEqual(await machines.list(testTimeout()), [{ name: 'vm-2', power: 'on', isFiltered: true }]);
    await assert.rejects(machines.find('vm-1', testTimeout()), withCode('node_error'));
  });

  it("recognizes a full disk from an operation's error", async () => {
    await using faulty = await daemon((request, response) => {
      const isWait = request.url!.includes('/wait');
      const failed = { status_code: 400, err: 'write: no space left on device' };
      const body = isWait
        ? { ...emptyEnvelope, metadata: failed }
        : { ...emptyEnvelope, type: 'async', operation: '/1.0/operations/1' };
      respondWith(200, body)(request, response);
    });
    await assert.rejects(faulty.api.change('POST', '/1.0/instances', testTimeout(), {}), withCode('nothing_free'));
  });

  it('retries while an instance is busy, and waits for its operation', async () => {
    let attempts = 0;
    let waited = 0;
    await using faulty = await daemon((request, response) => {
      if (request.url!.includes('/wait')) {
        const status_code = ++waited < 3 ? 103 : 200;
        respondWith(200, { ...emptyEnvelope, metadata: { status_code, err: '', metadata: 'result' } })(
          request,
          response,
        );
      } else if (++attempts < 3) {
        respondWith(500, { type: 'error', error: 'Instance is busy running a "stop" operation' })(request, response);
      } else {
        respondWith(202, { ...emptyEnvelope, type: 'async', operation: '/1.0/operations/1' })(request, response);
      }
    });
    assert.equal(await faulty.api.change('DELETE', '/1.0/instances/x', testTimeout()), 'result');
    assert.deepEqual([attempts, waited], [3, 3]);
  });

  it('opens a new connection if a reused one was closed', async () => {
    const usedSockets = new WeakSet<object>();
    await using faulty = await daemon((request, response) => {
      if (usedSockets.has(request.socket)) request.socket.destroy();
      else respondWith(200, emptyEnvelope)(request, response);
      usedSockets.add(request.socket);
    });
    for (let time = 0; time < 3; time++) {
      const response = await faulty.api.send({ method: 'GET', path: '/1.0' }, testTimeout());
      assert.deepEqual(parseJson(response), emptyEnvelope);
    }
  });
});

describe('LXD settings', () => {
  it('have a socket or a URL, and a pool', () => {
    const pem = '-----BEGIN CERTIFICATE-----';
    assert.ok(Check(LxdSettings, { pool: 'machines' }));
    assert.ok(Check(LxdSettings, { socket: '/var/lib/incus/unix.socket', pool: 'machines', nic: { parent: 'br0' } }));
    assert.ok(Check(LxdSettings, { url: 'https://[2001:db8::1]:8443', certificate: pem, key: pem, pool: 'machines' }));
    assert.ok(!Check(LxdSettings, { url: 'http://lxd1:8443', pool: 'machines' }));
    assert.ok(!Check(LxdSettings, {}));
  });
});

describe('the LXD driver with a hostile system', () => {
  it('does not read what a customer made too large, and calls a system that hangs no error of the hypervisor', async () => {
    const texts: Readonly<Record<string, string>> = { '/etc/hosts': '\n'.repeat(2 ** 24), '/etc/shadow': '' };
    const instance = {
      name: 'vm-1',
      status_code: 102,
      profiles: [],
      config: {},
      devices: {},
      expanded_config: {},
      expanded_devices: {},
    };
    await using hostile = await daemon((request, response) => {
      const path = new URL(request.url!, 'http://lxd').searchParams.get('path') ?? '';
      // A pipe that nobody writes to.
      if (path === '/etc/shadow') return;
      response.setHeader('x-lxd-type', 'file');
      respondWith(200, texts[path] ?? emptyEnvelope)(request, response);
    });
    const tooLarge = setHostname(hostile.api, instance, 'a.example.com', testTimeout());
    await assert.rejects(tooLarge, withCode('state_conflict', /too large/));
    const hanging = inSystem(AbortSignal.timeout(100), (limit) => setPassword(hostile.api, 'vm-1', 'password', limit));
    await assert.rejects(hanging, withCode('state_conflict', /does not respond/));
  });
});
