// The TCP listener (RFC 7766): length-prefixed messages, many per connection, answered in order. A connection must send
// a complete message, or read its replies, within the idle timeout; trickling bytes do not reset it.
import { once } from 'node:events';
import { type Server, type Socket, createServer } from 'node:net';
import { encodeFrame, readFrames } from '#protocols/dns/frames.ts';
import { unmapAddress } from './access.ts';
import type { Respond } from './respond.ts';

export interface TcpLimits {
  readonly idleTimeoutMs: number;
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
}

export async function listenTcp(
  address: string,
  port: number,
  respond: Respond,
  limits: TcpLimits,
  onError: (error: unknown) => void,
): Promise<Server & { closeConnections(): void }> {
  const connections = new Set<Socket>();
  const perAddress = new Map<string, number>();
  const server = createServer((socket) => {
    const peer = unmapAddress(socket.remoteAddress ?? '');
    const count = perAddress.get(peer) ?? 0;
    if (count >= limits.maxConnectionsPerAddress) {
      socket.destroy();
      return;
    }
    perAddress.set(peer, count + 1);
    connections.add(socket);
    // Resets by the peer are expected.
    socket.on('error', () => {});
    socket.on('close', () => {
      connections.delete(socket);
      const remaining = perAddress.get(peer)! - 1;
      if (remaining > 0) perAddress.set(peer, remaining);
      else perAddress.delete(peer);
    });
    serve(socket, peer, respond, limits.idleTimeoutMs).catch((error: unknown) => {
      if (!socket.destroyed) onError(error);
      socket.destroy();
    });
  });
  server.maxConnections = limits.maxConnections;
  server.listen(port, address);
  await once(server, 'listening');
  server.on('error', onError);
  return Object.assign(server, {
    closeConnections() {
      for (const socket of connections) socket.destroy();
    },
  });
}

async function serve(socket: Socket, address: string, respond: Respond, idleTimeoutMs: number): Promise<void> {
  const deadline = setTimeout(() => socket.destroy(), idleTimeoutMs);
  socket.on('close', () => clearTimeout(deadline));
  for await (const message of readFrames(socket)) {
    deadline.refresh();
    for (const reply of await respond(message, { address, transport: 'tcp' })) {
      if (socket.destroyed) return;
      if (!socket.write(encodeFrame(reply))) await waitForDrain(socket);
      deadline.refresh();
    }
  }
}

async function waitForDrain(socket: Socket): Promise<void> {
  const stop = new AbortController();
  const closed = () => stop.abort();
  socket.once('close', closed);
  try {
    if (!socket.destroyed) await once(socket, 'drain', { signal: stop.signal });
  } finally {
    socket.off('close', closed);
  }
}
