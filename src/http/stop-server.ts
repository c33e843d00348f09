// Stops the server without losing a request. Closing at once would cut keep-alive connections just as a client sends
// its next request, so: stop listening, respond to late requests with `Connection: close`, and only then close idle
// connections.
import { Server } from 'node:net';
import type { FastifyInstance } from 'fastify';

const graceMs = 1000;
/** More than the longest device command. */
const marginMs = 500;

export async function stopServer(server: FastifyInstance, longestCommandMs: number): Promise<void> {
  server.stopping = true;
  const raw = server.server;
  // The close of the plain TCP server: that of the HTTP server would also cut idle connections now.
  const closed = new Promise<void>((resolve) => Server.prototype.close.call(raw, () => resolve()));
  const idle = setTimeout(() => raw.closeIdleConnections(), graceMs);
  const hard = setTimeout(() => raw.closeAllConnections(), longestCommandMs + marginMs);
  await closed;
  clearTimeout(idle);
  clearTimeout(hard);
  await server.close();
}
