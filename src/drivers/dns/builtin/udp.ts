// The UDP listener: one socket, one reply per datagram.
import { type Socket, createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { unmapAddress } from './access.ts';
import { type Counters, count } from './counters.ts';
import type { Respond } from './respond.ts';
import type { ResponseLimit } from './response-limit.ts';

/** Bursts of queries wait in the kernel instead of being lost; the kernel may grant less. */
const receiveBufferBytes = 4 * 1024 * 1024;
/** While the source stalls, more queries would only fill memory: their resolvers have given up. */
const maxPendingQueries = 10_000;

export interface UdpSettings {
  readonly respond: Respond;
  readonly limit: ResponseLimit;
  readonly counters: Counters;
  readonly onError: (error: unknown) => void;
}

export async function listenUdp(
  address: string,
  port: number,
  { respond, limit, counters, onError }: UdpSettings,
): Promise<Socket> {
  const socket = createSocket({ type: isIPv6(address) ? 'udp6' : 'udp4', recvBufferSize: receiveBufferBytes });
  let pending = 0;
  let closed = false;
  socket.once('close', () => void (closed = true));
  socket.on('message', (datagram, peer) => void handleDatagram(datagram, peer.address, peer.port));
  const listening = once(socket, 'listening');
  socket.bind(port, address);
  await listening;
  // Send errors are reported per datagram and are the resolver's problem; others are ours.
  socket.on('error', onError);
  return socket;

  async function handleDatagram(datagram: Buffer, peerAddress: string, peerPort: number): Promise<void> {
    if (pending >= maxPendingQueries) return;
    count(counters, 'udpQueries');
    const peer = unmapAddress(peerAddress);
    const verdict = limit(peer, performance.now());
    if (verdict !== 'answer') count(counters, verdict === 'drop' ? 'droppedByLimit' : 'truncatedByLimit');
    if (verdict === 'drop') return;
    pending++;
    try {
      const isLimited = verdict === 'truncate';
      for (const reply of await respond(datagram, { address: peer, transport: 'udp', isLimited })) {
        socket.send(reply, peerPort, peerAddress, () => {});
      }
    } catch (error) {
      // Replies that complete after the socket closed are discarded.
      if (!closed) onError(error);
    } finally {
      pending--;
    }
  }
}
