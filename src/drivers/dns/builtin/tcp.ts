// The TCP side (RFC 7766): messages with their length in front, many on one connection, answered in order. A connection has
// to bring a whole message, or take what it asked for, within the idle time; a slow trickle of bytes does not count.
import { once } from 'node:events';
import { type Server, type Socket, createServer } from 'node:net';
import { frame, framesOf } from '#wire/dns/frames.ts';
import { plainAddress } from './access.ts';
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
  onFault: (error: unknown) => void,
): Promise<Server & { closeConnections(): void }> {
  const connections = new Set<Socket>();
  const perAddress = new Map<string, number>();
  const server = createServer((socket) => {
    const peer = plainAddress(socket.remoteAddress ?? '');
    const count = perAddress.get(peer) ?? 0;
    if (count >= limits.maxConnectionsPerAddress) {
      socket.destroy();
      return;
    }
    perAddress.set(peer, count + 1);
    connections.add(socket);
    // A peer that resets its connection is no fault of ours.
    socket.on('error', () => {});
    socket.on('close', () => {
      connections.delete(socket);
      const left = perAddress.get(peer)! - 1;
      if (left > 0) perAddress.set(peer, left);
      else perAddress.delete(peer);
    });
    serve(socket, peer, respond, limits.idleTimeoutMs).catch((error: unknown) => {
      if (!socket.destroyed) onFault(error);
      socket.destroy();
    });
  });
  server.maxConnections = limits.maxConnections;
  server.listen(port, address);
  await once(server, 'listening');
  server.on('error', onFault);
  return Object.assign(server, {
    closeConnections() {
      for (const socket of connections) socket.destroy();
    },
  });
}

async function serve(socket: Socket, address: string, respond: Respond, idleTimeoutMs: number): Promise<void> {
  const deadline = setTimeout(() => socket.destroy(), idleTimeoutMs);
  socket.on('close', () => clearTimeout(deadline));
  for await (const message of framesOf(socket)) {
    deadline.refresh();
    for (const reply of await respond(message, { address, transport: 'tcp' })) {
      if (socket.destroyed) return;
      if (!socket.write(frame(reply))) await drained(socket);
      deadline.refresh();
    }
  }
}

async function drained(socket: Socket): Promise<void> {
  const stop = new AbortController();
  const closed = () => stop.abort();
  socket.once('close', closed);
  try {
    if (!socket.destroyed) await once(socket, 'drain', { signal: stop.signal });
  } finally {
    socket.off('close', closed);
  }
}
