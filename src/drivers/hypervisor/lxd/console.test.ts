// The simulated daemon pauses where a real one would have to be very slow; real daemons are in test/peers.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { WebSocketServer, type WebSocket } from 'ws';
import { selfSignedCertificate } from '#lib/certificate.ts';
import { openHypervisorHttp } from '../http.ts';
import { lxdApi } from './api.ts';
import { openConsole } from './console.ts';
import type { Instance } from './instances.ts';

const testTimeout = (): AbortSignal => AbortSignal.timeout(60_000);
const host = '127.0.0.1';
const { key, certificate } = selfSignedCertificate({ name: 'lxd', hosts: [host], notBefore: new Date(), days: 2 });
const trust = { ca: certificate };

interface Daemon extends AsyncDisposable {
  readonly port: number;
  /** The daemon's end of the latest sockets. */
  ends(): { line: WebSocket; control: WebSocket };
}

/** The daemon runs the instance itself, or forwards to the member on `memberPort`. */
async function startDaemon(name: string, memberPort?: number): Promise<Daemon> {
  const openSockets = new Map<string, WebSocket>();
  const server: Server = createServer({ key, cert: certificate }, (request, response) => {
    const url = request.url!;
    const fds = { '0': 'line', control: 'control' };
    const metadata = url.endsWith('/console')
      ? { metadata: { fds } }
      : url.startsWith('/1.0/cluster/members/')
        ? { url: `https://${host}:${memberPort}` }
        : { environment: { server_name: name } };
    const operation = url.endsWith('/console') ? '/1.0/operations/1?project=default' : '';
    response.end(JSON.stringify({ type: operation === '' ? 'sync' : 'async', operation, error: '', metadata }));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket, request) => openSockets.set(new URL(request.url!, 'wss://lxd').search, socket));
  server.listen(0, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    ends: () => ({ line: openSockets.get('?secret=line')!, control: openSockets.get('?secret=control')! }),
    async [Symbol.asyncDispose]() {
      for (const socket of openSockets.values()) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function open({ port }: Daemon, location: string): Promise<Duplex> {
  using http = openHypervisorHttp({ scheme: 'https', options: { host, port, ...trust } });
  const instance = { name: 'vm-1--one', location } as Instance;
  const endpoint = { base: `wss://${host}:${port}`, options: trust };
  return openConsole(lxdApi(http), endpoint, instance, testTimeout());
}

describe('closing a console', () => {
  it("closes the line first, and the control socket after the daemon's handshake", async () => {
    await using daemon = await startDaemon('none');
    const console = await open(daemon, 'none');
    const { line, control } = daemon.ends();
    line.pause();
    console.destroy();
    control.ping();
    await once(control, 'pong', { signal: testTimeout() });
    const lineEnds = once(line, 'close', { signal: testTimeout() });
    const controlEnds = once(control, 'close', { signal: testTimeout() });
    line.resume();
    await controlEnds;
    const [code] = (await lineEnds) as [number];
    assert.equal(code, 1005, 'the line broke instead of closing');
  });

  it('completes, however much output is pending', async () => {
    await using daemon = await startDaemon('none');
    const console = await open(daemon, 'none');
    const { line, control } = daemon.ends();
    const ended = Promise.all([once(line, 'close', { signal: testTimeout() }), once(control, 'close')]);
    // Far more than the connection buffers, without a reader.
    for (let sent = 0; sent < 64; sent++) line.send(Buffer.alloc(2 ** 18));
    console.destroy();
    const [[code]] = (await ended) as [[number], unknown];
    assert.equal(code, 1005);
  });
});

describe('a console', () => {
  it('carries bytes both ways, and ends when the terminal does', async () => {
    await using daemon = await startDaemon('none');
    const console = await open(daemon, 'none');
    const { line } = daemon.ends();
    console.write('root\r');
    const [typed] = (await once(line, 'message', { signal: testTimeout() })) as [Buffer];
    assert.equal(typed.toString(), 'root\r');
    line.send(Buffer.from('login: '));
    line.send('');
    assert.equal(await text(console), 'login: ');
  });

  it('ends for its reader when the connection breaks', async () => {
    await using daemon = await startDaemon('none');
    const console = await open(daemon, 'none');
    daemon.ends().line.terminate();
    assert.equal(await text(console), '');
  });

  it('in a cluster is opened on the member that runs the machine', async () => {
    await using other = await startDaemon('second');
    await using known = await startDaemon('first', other.port);
    for (const [location, expected] of [
      ['first', known],
      ['second', other],
    ] as const) {
      const console = await open(known, location);
      expected.ends().line.send(Buffer.from(location));
      const [greeting] = (await once(console, 'data', { signal: testTimeout() })) as [Buffer];
      assert.equal(greeting.toString(), location);
      console.destroy();
    }
  });

  it('in a cluster falls back to the known member if the other is unreachable', async () => {
    let closedPort: number;
    {
      await using closedDaemon = await startDaemon('second');
      closedPort = closedDaemon.port;
    }
    await using known = await startDaemon('first', closedPort);
    const console = await open(known, 'second');
    known.ends().line.send(Buffer.from('by first'));
    const [greeting] = (await once(console, 'data', { signal: testTimeout() })) as [Buffer];
    assert.equal(greeting.toString(), 'by first');
    console.destroy();
  });
});
