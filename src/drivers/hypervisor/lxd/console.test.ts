// How a console is opened and hung up, seen from the daemon's end of both sockets. Real daemons are in test/peers; here one
// waits where a real one would have to be very slow.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { WebSocketServer, type WebSocket } from 'ws';
import { selfSignedCertificate } from '#kernel/certificate.ts';
import { openNodeHttp } from '../http.ts';
import { lxdApi } from './api.ts';
import { openConsole } from './console.ts';
import type { Instance } from './shapes.ts';

const patience = (): AbortSignal => AbortSignal.timeout(60_000);
const host = '127.0.0.1';
const { key, certificate } = selfSignedCertificate({ name: 'lxd', hosts: [host], notBefore: new Date(), days: 2 });
const trust = { ca: certificate };

interface Daemon extends AsyncDisposable {
  readonly port: number;
  /** The daemon's end of what was opened last. */
  ends(): { line: WebSocket; control: WebSocket };
}

/** It runs the instance itself, or knows the port of the member that does. */
async function startDaemon(name: string, memberPort?: number): Promise<Daemon> {
  const opened = new Map<string, WebSocket>();
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
  sockets.on('connection', (socket, request) => opened.set(new URL(request.url!, 'wss://lxd').search, socket));
  server.listen(0, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    ends: () => ({ line: opened.get('?secret=line')!, control: opened.get('?secret=control')! }),
    async [Symbol.asyncDispose]() {
      for (const socket of opened.values()) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function open({ port }: Daemon, location: string): Promise<Duplex> {
  using http = openNodeHttp({ scheme: 'https', options: { host, port, ...trust } });
  const instance = { name: 'vm-1--one', location } as Instance;
  const place = { base: `wss://${host}:${port}`, options: trust };
  return openConsole(lxdApi(http), place, instance, patience());
}

describe('hanging up', () => {
  it('closes the line first, and lets go of control when the daemon has answered', async () => {
    await using daemon = await startDaemon('none');
    const console = await open(daemon, 'none');
    const { line, control } = daemon.ends();
    line.pause();
    console.destroy();
    control.ping();
    await once(control, 'pong', { signal: patience() });
    const lineEnds = once(line, 'close', { signal: patience() });
    const controlEnds = once(control, 'close', { signal: patience() });
    line.resume();
    await controlEnds;
    const [code] = (await lineEnds) as [number];
    assert.equal(code, 1005, 'the line was torn, not closed');
  });

  it('is done however much the machine has still to say', async () => {
    await using daemon = await startDaemon('none');
    const console = await open(daemon, 'none');
    const { line, control } = daemon.ends();
    const ended = Promise.all([once(line, 'close', { signal: patience() }), once(control, 'close')]);
    // Far more than the connection holds, to somebody who reads nothing.
    for (let sent = 0; sent < 64; sent++) line.send(Buffer.alloc(2 ** 18));
    console.destroy();
    const [[code]] = (await ended) as [[number], unknown];
    assert.equal(code, 1005);
  });
});

describe('a console', () => {
  it('carries bytes both ways, and ends when the daemon says that the terminal has', async () => {
    await using daemon = await startDaemon('none');
    const console = await open(daemon, 'none');
    const { line } = daemon.ends();
    console.write('root\r');
    const [typed] = (await once(line, 'message', { signal: patience() })) as [Buffer];
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

  it('of a cluster is opened where the machine runs', async () => {
    await using other = await startDaemon('second');
    await using known = await startDaemon('first', other.port);
    for (const [location, expected] of [
      ['first', known],
      ['second', other],
    ] as const) {
      const console = await open(known, location);
      expected.ends().line.send(Buffer.from(location));
      const [greeting] = (await once(console, 'data', { signal: patience() })) as [Buffer];
      assert.equal(greeting.toString(), location);
      console.destroy();
    }
  });

  it('of a cluster is opened by the member that we know where the other is out of reach', async () => {
    let closedPort: number;
    {
      await using gone = await startDaemon('second');
      closedPort = gone.port;
    }
    await using known = await startDaemon('first', closedPort);
    const console = await open(known, 'second');
    known.ends().line.send(Buffer.from('by first'));
    const [greeting] = (await once(console, 'data', { signal: patience() })) as [Buffer];
    assert.equal(greeting.toString(), 'by first');
    console.destroy();
  });
});
