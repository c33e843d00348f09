// Limits the requests that a connection sends without waiting for the responses to earlier ones. Each is in memory until its
// turn, and nothing else limits how many a stranger sends.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Far more than clients send that do this at all. */
const maxUnanswered = 100;

/** Returns false, and ends the connection, if it has too many requests without a response. */
export type AddToPipeline = (request: IncomingMessage, response: ServerResponse) => boolean;

export function createPipelines(): AddToPipeline {
  const unanswered = new WeakMap<object, number>();
  return ({ socket }, response) => {
    const count = (unanswered.get(socket) ?? 0) + 1;
    if (count > maxUnanswered) {
      socket.destroy();
      return false;
    }
    unanswered.set(socket, count);
    response.once('close', () => unanswered.set(socket, unanswered.get(socket)! - 1));
    return true;
  };
}
