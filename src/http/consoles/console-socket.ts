// Consoles in a browser: a WebSocket, opened with a ticket. For a server it carries the serial line: binary frames are
// its bytes in both directions, and the text frame `break` sends a break. For a virtual machine it carries RFB, as
// noVNC speaks it, or the text console of a container if the viewer does not ask for the subprotocol of noVNC.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { createWebSocketStream, WebSocket, WebSocketServer, type RawData } from 'ws';
import {
  closeConsole,
  isMachineConsole,
  redeemConsoleTicket,
  consoleSocketPath,
  isConsoleAllowed,
  viewSerialLine,
  type OpenConsole,
} from '#app/devices/consoles.ts';
import { viewInBrowser } from '#app/machines/vnc-views.ts';
import type { App } from '#app/app.ts';
import { budgetNetwork } from '#lib/addresses.ts';
import { ApiError } from '#lib/api-error.ts';
import { createFailureBudget } from '../failure-budget.ts';
import { findClientAddress } from '../client-address.ts';
import { rejectUpgrade } from './reject-upgrade.ts';

/** A viewer that cannot keep up is disconnected, rather than buffered without limit. */
const maxQueueBytes = 1024 * 1024;
const maxFrameBytes = 64 * 1024;
/** At the same time on one instance: more than a team needs. */
const viewersPerService = 10;
const checkEveryMs = 5000;
/** How long viewers get to disconnect; until then they can still send. */
const closeTimeoutMs = 2000;
const goingAway = 1001;
const policyViolation = 1008;
const tooSlow = 1013;
/** The subprotocol of noVNC. */
const rfbProtocol = 'binary';

/** Other upgrades, such as curl's to HTTP/2, are handled as ordinary requests. */
export function isWebSocket(request: IncomingMessage): boolean {
  return request.headers.upgrade?.toLowerCase() === 'websocket';
}

export function addConsoleSocket(server: FastifyInstance, app: App, trustedProxies: readonly string[]): void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxFrameBytes, perMessageDeflate: false });
  const viewers = new Map<WebSocket, number>();
  const budget = createFailureBudget();
  const redeem = async (ticket: string, address: string): Promise<OpenConsole> => {
    const network = budgetNetwork(address);
    budget.require(network);
    try {
      return await redeemConsoleTicket(app, ticket, address);
    } catch (error) {
      if (error instanceof ApiError) budget.count(network);
      throw error;
    }
  };
  const isCrowded = (service: number): boolean =>
    [...viewers.values()].filter((viewed) => viewed === service).length >= viewersPerService;

  server.server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    // From here on we own the connection and must handle its errors.
    stream.on('error', () => stream.destroy());
    const [path, query] = (request.url ?? '').split('?', 2);
    if (path !== consoleSocketPath) return rejectUpgrade(stream, 404, 'Not Found');
    if (app.stopping.aborted) return rejectUpgrade(stream, 503, 'Service Unavailable');
    const ticket = new URLSearchParams(query).get('ticket') ?? '';
    redeem(ticket, findClientAddress(request, trustedProxies)).then(
      (open) => {
        if (isCrowded(open.service_id)) {
          // On failure the row expires anyway.
          closeConsole(app, open).catch(() => {});
          return rejectUpgrade(stream, 429, 'Too Many Requests');
        }
        return sockets.handleUpgrade(request, stream, head, (socket) => {
          viewers.set(socket, open.service_id);
          socket.on('close', () => viewers.delete(socket));
          void serveConsole(app, socket, open);
        });
      },
      (error: unknown) => {
        if (error instanceof ApiError)
          return error.status === 429
            ? rejectUpgrade(stream, 429, 'Too Many Requests')
            : rejectUpgrade(stream, 401, 'Unauthorized');
        app.log.error({ err: error }, 'cannot verify a console ticket');
        return rejectUpgrade(stream, 503, 'Service Unavailable');
      },
    );
  });
  app.stopping.addEventListener('abort', () => {
    for (const socket of sockets.clients) closeSocket(socket, goingAway, 'The server is stopping.');
  });
}

function closeSocket(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState !== WebSocket.OPEN) return;
  socket.close(code, reason);
  setTimeout(() => socket.terminate(), closeTimeoutMs).unref();
}

async function serveConsole(app: App, socket: WebSocket, open: OpenConsole): Promise<void> {
  socket.on('error', () => socket.terminate());
  // Nothing is read until it can be delivered, here and below, so that input waits on the client's side.
  socket.pause();
  try {
    const show = (await isMachineConsole(app, open)) ? showMachine : showSerialLine;
    await show(app, socket, open);
  } catch (error) {
    if (!(error instanceof ApiError)) app.log.error({ err: error }, 'cannot open a console');
    closeSocket(
      socket,
      goingAway,
      error instanceof ApiError ? error.message.slice(0, 120) : 'The console could not be opened. Try again.',
    );
  } finally {
    socket.resume();
  }
}

/** Without a password, because the ticket has authenticated the viewer. */
async function showMachine(app: App, socket: WebSocket, open: OpenConsole): Promise<void> {
  const viewer = createWebSocketStream(socket);
  viewer.on('error', () => {});
  const stopWatching = watchViewer(app, socket, open);
  try {
    await viewInBrowser(app, open.service_id, viewer, {
      insistsOnRfb: socket.protocol === rfbProtocol,
      end: (reason) => closeSocket(socket, goingAway, reason),
    });
  } finally {
    stopWatching();
    // On failure the row expires anyway.
    closeConsole(app, open).catch(() => {});
  }
}

async function showSerialLine(app: App, socket: WebSocket, open: OpenConsole): Promise<void> {
  const view = await viewSerialLine(app, open, {
    onData: (data) => {
      if (socket.bufferedAmount > maxQueueBytes) closeSocket(socket, tooSlow, 'The connection is too slow.');
      else socket.send(data);
    },
    onEnd: (reason) => closeSocket(socket, goingAway, reason),
  });
  // An empty frame tells the viewer that the line is open, even if it is silent: another instance may have had it until
  // now.
  socket.send(Buffer.alloc(0));
  const forward = (work: Promise<void>): void => {
    socket.pause();
    work
      .catch(() => closeSocket(socket, goingAway, 'The connection to the serial line was lost.'))
      .finally(() => socket.resume());
  };
  socket.on('message', (data: RawData, isBinary) => {
    if (isBinary) forward(view.write(bytesOf(data)));
    else if (bytesOf(data).toString() === 'break') forward(view.sendBreak());
  });
  const stopWatching = watchViewer(app, socket, open);
  const end = (): void => {
    stopWatching();
    view.close();
    // On failure the row expires anyway.
    closeConsole(app, open).catch(() => {});
  };
  if (socket.readyState === WebSocket.OPEN) socket.on('close', end);
  else end();
}

/** Disconnects viewers that have vanished and those that are no longer allowed. */
function watchViewer(app: App, socket: WebSocket, open: OpenConsole): () => void {
  let isAlive = true;
  socket.on('pong', () => (isAlive = true));
  const timer = setInterval(() => {
    if (!isAlive && !socket.isPaused) return socket.terminate();
    isAlive = false;
    socket.ping();
    isConsoleAllowed(app, open).then(
      (allowed) => {
        if (!allowed) closeSocket(socket, policyViolation, 'The console session has ended.');
      },
      // A temporarily unavailable database ends no console.
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
