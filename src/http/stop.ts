// Stopping without losing a request. Closing at once would cut kept-alive connections just as their client sends the next
// request, so: listen no more, answer what still comes with `Connection: close`, and only then close what is idle.
import { Server } from 'node:net';
import type { FastifyInstance } from 'fastify';

const graceMs = 1000;
const longestMs = 8000;

export async function stopServer(server: FastifyInstance): Promise<void> {
  server.stopping = true;
  const raw = server.server;
  // The plain TCP server's close: the HTTP server's own would also cut idle connections now.
  const closed = new Promise<void>((resolve) => Server.prototype.close.call(raw, () => resolve()));
  const idle = setTimeout(() => raw.closeIdleConnections(), graceMs);
  const hard = setTimeout(() => raw.closeAllConnections(), longestMs);
  await closed;
  clearTimeout(idle);
  clearTimeout(hard);
  await server.close();
}
