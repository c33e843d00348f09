// Consoles in a browser: a WebSocket, opened with a ticket. Of a server it carries the serial line: binary frames are bytes
// of it, both ways; the text frame `break` sends a break. Of a virtual machine it carries RFB, as noVNC speaks it, or the
// text console of one that has no screen.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { createWebSocketStream, WebSocket, WebSocketServer, type RawData } from 'ws';
import {
  consoleClose,
  consoleIsOfMachine,
  consoleRedeem,
  consoleSocketPath,
  consoleStillAllowed,
  consoleView,
  type OpenConsole,
} from '#app/devices/consoles.ts';
import { browserView } from '#app/machines/screen-views.ts';
import type { Yard } from '#app/yard.ts';
import { Fault } from '#kernel/fault.ts';
import { clientAddress } from '../client-address.ts';

/** A viewer that does not keep up is cut off rather than buffered without end. */
const longestQueueBytes = 1024 * 1024;
const largestFrameBytes = 64 * 1024;
/** At once, on one node: more than a team has eyes for. */
const viewersPerService = 10;
const checkEveryMs = 5000;
/** How long a viewer may take to say goodbye when the server stops. */
const farewellMs = 2000;
const goingAway = 1001;
const policyViolation = 1008;
const tooSlow = 1013;

/** Other upgrades, such as curl's to HTTP/2, are ordinary requests to a server that does not take them up. */
export function isWebSocket(request: IncomingMessage): boolean {
  return request.headers.upgrade?.toLowerCase() === 'websocket';
}

export function consoleSocket(server: FastifyInstance, yard: Yard, trustedProxies: readonly string[]): void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: largestFrameBytes, perMessageDeflate: false });
  const viewers = new Map<WebSocket, number>();
  const isCrowded = (service: number): boolean =>
    [...viewers.values()].filter((viewed) => viewed === service).length >= viewersPerService;

  server.server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    // From here on the connection is ours, and so are its failures.
    stream.on('error', () => stream.destroy());
    const [path, query] = (request.url ?? '').split('?', 2);
    if (path !== consoleSocketPath) return refuse(stream, 404, 'Not Found');
    if (yard.stopping.aborted) return refuse(stream, 503, 'Service Unavailable');
    const ticket = new URLSearchParams(query).get('ticket') ?? '';
    consoleRedeem(yard, ticket, clientAddress(request, trustedProxies)).then(
      (open) => {
        if (isCrowded(open.service_id)) {
          // A row that stays lapses by itself.
          consoleClose(yard, open).catch(() => {});
          return refuse(stream, 429, 'Too Many Requests');
        }
        return sockets.handleUpgrade(request, stream, head, (socket) => {
          viewers.set(socket, open.service_id);
          socket.on('close', () => viewers.delete(socket));
          void serve(yard, socket, open);
        });
      },
      (error: unknown) => {
        if (error instanceof Fault) return refuse(stream, 401, 'Unauthorized');
        yard.log.error({ err: error }, 'a ticket could not be looked at');
        return refuse(stream, 503, 'Service Unavailable');
      },
    );
  });
  yard.stopping.addEventListener('abort', () => {
    for (const socket of sockets.clients) socket.close(goingAway, 'The server is stopping.');
    setTimeout(() => {
      for (const socket of sockets.clients) socket.terminate();
    }, farewellMs).unref();
  });
}

function refuse(stream: Duplex, status: number, text: string): void {
  stream.end(`HTTP/1.1 ${status} ${text}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

async function serve(yard: Yard, socket: WebSocket, open: OpenConsole): Promise<void> {
  socket.on('error', () => socket.terminate());
  // Nothing is read until there is somewhere to put it, here and below: what a viewer types waits in his own machine.
  socket.pause();
  try {
    const show = (await consoleIsOfMachine(yard, open)) ? showMachine : showLine;
    await show(yard, socket, open);
  } catch (error) {
    if (!(error instanceof Fault)) yard.log.error({ err: error }, 'a console could not be opened');
    socket.close(goingAway, error instanceof Fault ? error.message.slice(0, 120) : 'The console could not be opened.');
  } finally {
    socket.resume();
  }
}

/** RFB with nobody asked for a password, the ticket having been asked for; of a container its text console. */
async function showMachine(yard: Yard, socket: WebSocket, open: OpenConsole): Promise<void> {
  const viewer = createWebSocketStream(socket);
  viewer.on('error', () => {});
  const stopWatching = watch(yard, socket, open);
  try {
    await browserView(yard, open.service_id, viewer, (reason) => socket.close(goingAway, reason));
  } finally {
    stopWatching();
    // A row that stays lapses by itself.
    consoleClose(yard, open).catch(() => {});
  }
}

async function showLine(yard: Yard, socket: WebSocket, open: OpenConsole): Promise<void> {
  const view = await consoleView(yard, open, {
    onData: (data) => {
      if (socket.bufferedAmount > longestQueueBytes) socket.close(tooSlow, 'Too slow.');
      else socket.send(data);
    },
    onEnd: (reason) => socket.close(goingAway, reason),
  });
  // A line that says nothing is there all the same: another node may have had it until now.
  socket.send(Buffer.alloc(0));
  const carry = (work: Promise<void>): void => {
    socket.pause();
    work.catch(() => socket.close(goingAway, 'The line is gone.')).finally(() => socket.resume());
  };
  socket.on('message', (data: RawData, isBinary) => {
    if (isBinary) carry(view.write(bytesOf(data)));
    else if (bytesOf(data).toString() === 'break') carry(view.sendBreak());
  });
  const stopWatching = watch(yard, socket, open);
  const end = (): void => {
    stopWatching();
    view.close();
    // A row that stays lapses by itself.
    consoleClose(yard, open).catch(() => {});
  };
  if (socket.readyState === WebSocket.OPEN) socket.on('close', end);
  else end();
}

/** A viewer who is gone without a word, and one who may no longer look. */
function watch(yard: Yard, socket: WebSocket, open: OpenConsole): () => void {
  let isThere = true;
  socket.on('pong', () => (isThere = true));
  const timer = setInterval(() => {
    if (!isThere && !socket.isPaused) return socket.terminate();
    isThere = false;
    socket.ping();
    consoleStillAllowed(yard, open).then(
      (allowed) => {
        if (!allowed) socket.close(policyViolation, 'The console is over.');
      },
      // A database that is away for a while ends nobody's console.
      () => {},
    );
    return undefined;
  }, checkEveryMs).unref();
  socket.on('close', () => clearInterval(timer));
  return () => clearInterval(timer);
}

function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
