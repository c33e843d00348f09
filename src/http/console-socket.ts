// The serial console in a browser: a WebSocket that carries the line, opened with a ticket. Binary frames are bytes of the
// line, both ways; the text frame `break` sends a break.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { WebSocket, WebSocketServer, type RawData } from 'ws';
import { consoleRedeem, consoleSocketPath, consoleStillAllowed, consoleView } from '#app/consoles.ts';
import type { Yard } from '#app/yard.ts';
import { Fault } from '#kernel/fault.ts';
import { clientAddress } from './client-address.ts';
import type { HttpSettings } from './server.ts';

/** A viewer that does not keep up is cut off rather than buffered without end. */
const longestQueueBytes = 1024 * 1024;
const largestFrameBytes = 64 * 1024;
const checkEveryMs = 5000;
const goingAway = 1001;
const policyViolation = 1008;
const tooSlow = 1013;

type Ticket = Awaited<ReturnType<typeof consoleRedeem>>;

export function consoleSocket(server: FastifyInstance, yard: Yard, settings: HttpSettings): void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: largestFrameBytes, perMessageDeflate: false });

  server.server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (url.pathname !== consoleSocketPath) return refuse(stream, 404, 'Not Found');
    const address = clientAddress(request, settings.trustedProxies);
    consoleRedeem(yard, url.searchParams.get('ticket') ?? '', address).then(
      (ticket) => sockets.handleUpgrade(request, stream, head, (socket) => void serve(yard, socket, ticket)),
      () => refuse(stream, 401, 'Unauthorized'),
    );
  });
  yard.stopping.addEventListener('abort', () => {
    for (const socket of sockets.clients) socket.close(goingAway, 'The server is stopping.');
  });
}

function refuse(stream: Duplex, status: number, text: string): void {
  stream.end(`HTTP/1.1 ${status} ${text}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

async function serve(yard: Yard, socket: WebSocket, ticket: Ticket): Promise<void> {
  const early: Buffer[] = [];
  let write = (data: Buffer): void => void early.push(data);
  let sendBreak = (): void => {};
  socket.on('message', (data: RawData, isBinary) => {
    if (isBinary) write(bytesOf(data));
    else if (bytesOf(data).toString() === 'break') sendBreak();
  });
  socket.on('error', () => socket.terminate());
  try {
    const view = await consoleView(yard, ticket, {
      onData: (data) => {
        if (socket.bufferedAmount > longestQueueBytes) socket.close(tooSlow, 'Too slow.');
        else socket.send(data);
      },
      onEnd: (reason) => socket.close(goingAway, reason),
    });
    const failed = (): void => socket.close(goingAway, 'The line is gone.');
    write = (data) => void view.write(data).catch(failed);
    sendBreak = () => void view.sendBreak().catch(failed);
    for (const data of early) write(data);
    const watch = setInterval(() => void check(yard, socket, ticket), checkEveryMs);
    const end = (): void => {
      clearInterval(watch);
      view.close();
    };
    if (socket.readyState === WebSocket.OPEN) socket.on('close', end);
    else end();
  } catch (error) {
    if (!(error instanceof Fault)) yard.log.error({ err: error }, 'a console could not be opened');
    socket.close(goingAway, error instanceof Fault ? error.message.slice(0, 120) : 'The console could not be opened.');
  }
}

async function check(yard: Yard, socket: WebSocket, ticket: Ticket): Promise<void> {
  socket.ping();
  if (!(await consoleStillAllowed(yard, ticket).catch(() => true)))
    socket.close(policyViolation, 'The key is revoked.');
}

function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
