// Limits the requests that a connection sends without waiting for the responses to earlier ones. Each is in memory until its
// turn, and nothing else limits how many a stranger sends.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { CloseConnections } from './connection-limit.ts';

/** Far more than clients send that do this at all. */
const maxUnanswered = 100;

/**
 * Returns false, and ends the connection, if it has too many requests without a response. Node reads all requests that have
 * arrived before it ends, which takes up to a quarter of a second, so the others of the address end unread.
 */
export type AddToPipeline = (request: IncomingMessage, response: ServerResponse) => boolean;

export function createPipelines(close: CloseConnections): AddToPipeline {
  const unanswered = new WeakMap<object, number>();
  return ({ socket }, response) => {
    const count = (unanswered.get(socket) ?? 0) + 1;
    if (count > maxUnanswered) {
      // Node still emits the requests that it had read, often more than a thousand.
      if (!socket.destroyed) {
        omitStackTraces(socket);
        close(socket);
      }
      return false;
    }
    unanswered.set(socket, count);
    response.once('close', () => unanswered.set(socket, unanswered.get(socket)! - 1));
    return true;
  };
}

/** When a connection closes, Node creates an error for each of its requests. Their stack traces would be most of the work. */
function omitStackTraces(socket: Socket): void {
  const { stackTraceLimit } = Error;
  socket.prependOnceListener('close', () => (Error.stackTraceLimit = 0));
  socket.once('close', () => (Error.stackTraceLimit = stackTraceLimit));
}
