// Limits the connections of an address, so that nobody takes all files that this process can open.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Closes the connections of an address above `limit`, unless it is exempt. */
export function limitConnections(server: Server, limit: number, isExempt = (_address: string): boolean => false): void {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    const count = open.get(remoteAddress) ?? 0;
    if (count >= limit && !isExempt(remoteAddress)) return void socket.destroy();
    open.set(remoteAddress, count + 1);
    socket.once('close', () => {
      const left = open.get(remoteAddress)! - 1;
      if (left > 0) open.set(remoteAddress, left);
      else open.delete(remoteAddress);
    });
  });
}
