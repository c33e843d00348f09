// One UDP socket for all BMCs (and a second one if there are BMCs with IPv6). Datagrams are dispatched by the sender's
// address and port, and by session id.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIP, SocketAddress } from 'node:net';
import { IpmiError } from './error.ts';
import { decodePacket, payloadType, type Packet } from './packet.ts';
import type { CipherSuite } from './suite.ts';

// Responses of hundreds of BMCs may arrive within one turn of the event loop, so the kernel must buffer them.
const receiveBufferBytes = 4 * 1024 * 1024;

export type Receiver = (packet: Packet) => void;

/** A BMC's address, as seen from the socket. */
export interface Peer {
  /** The cipher suites to try, once known; remembered as long as the transport lives. */
  suites: readonly CipherSuite[] | undefined;
  /** Whether it ignores a session from the port of an earlier one; remembered likewise. */
  needsOwnPorts: boolean;
  send(datagram: Buffer): void;
  /** Receives packets from this peer for the console's session id; 0 is for packets outside a session. */
  receive(sessionId: number, receiver: Receiver): () => void;
}

export interface IpmiTransport extends AsyncDisposable {
  peer(address: string, port: number): Peer;
  close(): Promise<void>;
}

const noSession = 0;
const handshakeResponses = new Set<number>([payloadType.openSessionResponse, payloadType.rakp2, payloadType.rakp4]);

/** The console's session id is in the header within a session, and in the payload during the handshake. */
function consoleSessionId(packet: Packet): number {
  if (packet.format !== 'rmcpPlus') return noSession;
  if (!handshakeResponses.has(packet.payloadType)) return packet.sessionId;
  return packet.payload.length >= 8 ? packet.payload.readUInt32LE(4) : noSession;
}

export async function openIpmiTransport(): Promise<IpmiTransport> {
  const receivers = new Map<string, Map<number, Set<Receiver>>>();
  let isClosed = false;

  const deliver = (datagram: Buffer, from: RemoteInfo): void => {
    const bySession = receivers.get(`${from.address} ${from.port}`);
    if (bySession === undefined) return;
    const packet = decodePacket(datagram);
    if (packet === undefined) return;
    for (const receiver of bySession.get(consoleSessionId(packet)) ?? []) receiver(packet);
  };

  const open = (type: 'udp4' | 'udp6'): Socket => {
    const socket = createSocket({
      type,
      recvBufferSize: receiveBufferBytes,
      // Addresses are literal; the default lookup would delay every datagram.
      lookup: (address, _options, callback) => callback(null, address, type === 'udp4' ? 4 : 6),
    });
    // A rejected or unroutable datagram counts as lost: the pending exchange times out.
    socket.on('error', () => {});
    socket.on('message', deliver);
    return socket;
  };

  const udp4 = open('udp4');
  let udp6: Socket | undefined;
  const listening = once(udp4, 'listening');
  udp4.bind(0);
  await listening;

  const peers = new Map<string, Peer>();

  const peer = (text: string, port: number): Peer => {
    const family = isIP(text);
    if (family === 0) throw new IpmiError('unsupported', 'the address of a BMC must be an IP address');
    // The canonical form that the socket reports for senders.
    const { address } = new SocketAddress({ address: text, family: family === 4 ? 'ipv4' : 'ipv6' });
    const key = `${address} ${port}`;
    const existing = peers.get(key) ?? newPeer(family === 4 ? udp4 : (udp6 ??= open('udp6')), address, port);
    peers.set(key, existing);
    return existing;
  };

  const newPeer = (socket: Socket, address: string, port: number): Peer => {
    const key = `${address} ${port}`;
    return {
      suites: undefined,
      needsOwnPorts: false,
      send: (datagram) => {
        if (!isClosed) socket.send(datagram, port, address);
      },
      receive: (sessionId, receiver) => {
        const bySession = receivers.get(key) ?? new Map<number, Set<Receiver>>();
        receivers.set(key, bySession);
        const sessionReceivers = bySession.get(sessionId) ?? new Set<Receiver>();
        bySession.set(sessionId, sessionReceivers);
        sessionReceivers.add(receiver);
        return () => {
          sessionReceivers.delete(receiver);
          if (sessionReceivers.size === 0 && bySession.get(sessionId) === sessionReceivers) bySession.delete(sessionId);
          if (bySession.size === 0 && receivers.get(key) === bySession) receivers.delete(key);
        };
      },
    };
  };

  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    receivers.clear();
    const sockets = udp6 === undefined ? [udp4] : [udp4, udp6];
    await Promise.all(
      sockets.map((socket) => {
        const closed = once(socket, 'close');
        socket.close();
        return closed;
      }),
    );
  };

  return { peer, close, [Symbol.asyncDispose]: close };
}
