// Limits the connections of an address, so that nobody takes all files that this process can open.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Closes a connection and, unless its address is exempt, all others of that address. */
export type CloseConnections = (socket: Socket) => void;

/** Closes the connections of an address above `limit`, unless it is exempt. */
export function limitConnections(
  server: Server,
  limit: number,
  isExempt = (_address: string): boolean => false,
): CloseConnections {
  const open = new Map<string, Set<Socket>>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    const ofAddress = open.get(remoteAddress) ?? new Set();
    if (ofAddress.size >= limit && !isExempt(remoteAddress)) return void socket.destroy();
    open.set(remoteAddress, ofAddress.add(socket));
    socket.once('close', () => {
      ofAddress.delete(socket);
      if (ofAddress.size === 0) open.delete(remoteAddress);
    });
  });
  return (socket) => {
    const { remoteAddress = '' } = socket;
    socket.destroy();
    if (!isExempt(remoteAddress)) for (const other of open.get(remoteAddress) ?? []) other.destroy();
  };
}
