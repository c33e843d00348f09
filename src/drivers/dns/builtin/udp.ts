// The UDP side: one socket, every datagram answered by itself.
import { type Socket, createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { plainAddress } from './access.ts';
import type { Respond } from './respond.ts';

/** A burst of queries waits in the kernel rather than being lost; the kernel may grant less. */
const RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024;
/** With a source that stalls, more questions would only fill the memory: their askers have given up by then. */
const MAX_UNDER_WAY = 10_000;

export async function listenUdp(
  address: string,
  port: number,
  respond: Respond,
  onFault: (error: unknown) => void,
): Promise<Socket> {
  const socket = createSocket({ type: isIPv6(address) ? 'udp6' : 'udp4', recvBufferSize: RECEIVE_BUFFER_BYTES });
  let underWay = 0;
  let closed = false;
  socket.once('close', () => void (closed = true));
  socket.on('message', (datagram, peer) => void answer(datagram, peer.address, peer.port));
  const listening = once(socket, 'listening');
  socket.bind(port, address);
  await listening;
  // An address that cannot be reached is the asker's trouble, reported per send; anything else is ours.
  socket.on('error', onFault);
  return socket;

  async function answer(datagram: Buffer, peerAddress: string, peerPort: number): Promise<void> {
    if (underWay >= MAX_UNDER_WAY) return;
    underWay++;
    try {
      for (const reply of await respond(datagram, { address: plainAddress(peerAddress), transport: 'udp' })) {
        socket.send(reply, peerPort, peerAddress, () => {});
      }
    } catch (error) {
      // An answer that was still being looked up when the socket closed has nowhere to go.
      if (!closed) onFault(error);
    } finally {
      underWay--;
    }
  }
}
