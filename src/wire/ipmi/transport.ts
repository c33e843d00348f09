// One UDP socket for the whole fleet (a second one only where there are BMCs on IPv6), and the post office behind it:
// a datagram goes to those who wait for its sender's address and port under its session id.

import { createSocket } from 'node:dgram';
import type { RemoteInfo, Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIP, SocketAddress } from 'node:net';
import { IpmiError } from './error.ts';
import { decodePacket, payloadType } from './packet.ts';
import type { Packet } from './packet.ts';
import type { CipherSuite } from './suite.ts';

// Answers of hundreds of BMCs arrive within one turn of the event loop: the kernel must hold them meanwhile.
const receiveBufferBytes = 4 * 1024 * 1024;

export type Receiver = (packet: Packet) => void;

/** A BMC's address, as seen from the socket. */
export interface Peer {
  /** The cipher suites to try, once they are known; remembered for as long as the transport lives. */
  suites: readonly CipherSuite[] | undefined;
  send(datagram: Buffer): void;
  /** Receives what comes from this peer under the console's session id; 0 is for what belongs to no session. */
  receive(sessionId: number, receiver: Receiver): () => void;
}

export interface IpmiTransport extends AsyncDisposable {
  peer(address: string, port: number): Peer;
  close(): Promise<void>;
}

const noSession = 0;
const handshakeAnswers = new Set<number>([payloadType.openSessionResponse, payloadType.rakp2, payloadType.rakp4]);

/** The console's session id: in the header inside a session, in the payload before it. */
function sessionIdOf(packet: Packet): number {
  if (packet.format !== 'rmcpPlus') return noSession;
  if (!handshakeAnswers.has(packet.payloadType)) return packet.sessionId;
  return packet.payload.length >= 8 ? packet.payload.readUInt32LE(4) : noSession;
}

export async function openIpmiTransport(): Promise<IpmiTransport> {
  const receivers = new Map<string, Map<number, Set<Receiver>>>();
  let isClosed = false;

  const deliver = (datagram: Buffer, from: RemoteInfo): void => {
    const atPeer = receivers.get(`${from.address} ${from.port}`);
    if (atPeer === undefined) return;
    const packet = decodePacket(datagram);
    if (packet === undefined) return;
    for (const receiver of atPeer.get(sessionIdOf(packet)) ?? []) receiver(packet);
  };

  const open = (type: 'udp4' | 'udp6'): Socket => {
    const socket = createSocket({
      type,
      recvBufferSize: receiveBufferBytes,
      // Addresses are literal; the default would queue every datagram behind a name lookup.
      lookup: (address, _options, callback) => callback(null, address, type === 'udp4' ? 4 : 6),
    });
    // A refused or unroutable datagram is as good as a lost one: the exchange that waits will time out.
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
    // One spelling for each address, the one that the socket gives to senders.
    const { address } = new SocketAddress({ address: text, family: family === 4 ? 'ipv4' : 'ipv6' });
    const key = `${address} ${port}`;
    const known = peers.get(key) ?? newPeer(family === 4 ? udp4 : (udp6 ??= open('udp6')), address, port);
    peers.set(key, known);
    return known;
  };

  const newPeer = (socket: Socket, address: string, port: number): Peer => {
    const key = `${address} ${port}`;
    return {
      suites: undefined,
      send: (datagram) => {
        if (!isClosed) socket.send(datagram, port, address);
      },
      receive: (sessionId, receiver) => {
        const atPeer = receivers.get(key) ?? new Map<number, Set<Receiver>>();
        receivers.set(key, atPeer);
        const atSession = atPeer.get(sessionId) ?? new Set<Receiver>();
        atPeer.set(sessionId, atSession);
        atSession.add(receiver);
        return () => {
          atSession.delete(receiver);
          if (atSession.size === 0 && atPeer.get(sessionId) === atSession) atPeer.delete(sessionId);
          if (atPeer.size === 0 && receivers.get(key) === atPeer) receivers.delete(key);
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
