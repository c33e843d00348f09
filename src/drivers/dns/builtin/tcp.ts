// The TCP listener (RFC 7766): length-prefixed messages, many per connection, answered in order. A connection must send
// a complete message, or read its replies, within the idle timeout; trickling bytes do not reset it.
import { once } from 'node:events';
import { type Server, type Socket, createServer } from 'node:net';
import { encodeFrame, readFrames } from '#protocols/dns/frames.ts';
import { unmapAddress } from './access.ts';
import { ConnectionSlots, type Slot, type SlotLimits } from './connection-slots.ts';
import { type Counters, count } from './counters.ts';
import { type Freshness, isFresh } from './freshness.ts';
import { PeerAddress } from './peer-address.ts';
import type { PlainAnswers } from './plain-answers.ts';
import type { Replies, Respond } from './respond.ts';

export interface TcpLimits extends SlotLimits {
  readonly idleTimeoutMs: number;
}

export interface TcpSettings {
  readonly plain: PlainAnswers;
  readonly respond: Respond;
  readonly freshness: Freshness | undefined;
  readonly reusePort: boolean;
  readonly limits: TcpLimits;
  readonly counters: Counters;
  readonly onError: (error: unknown) => void;
}

export async function listenTcp(
  address: string,
  port: number,
  { plain, respond, freshness, reusePort, limits, counters, onError }: TcpSettings,
): Promise<Server & { closeConnections(): void }> {
  const connections = new Set<Socket>();
  const slots = new ConnectionSlots(limits);
  const out = Buffer.alloc(0xffff);
  const server = createServer((socket) => {
    const peer = unmapAddress(socket.remoteAddress ?? '');
    const slot = slots.acquire(peer, () => {
      count(counters, 'evictedConnections');
      socket.destroy();
    });
    if (slot === undefined) {
      count(counters, 'refusedConnections');
      socket.destroy();
      return;
    }
    connections.add(socket);
    // Resets by the peer are expected.
    socket.on('error', () => {});
    socket.on('close', () => {
      connections.delete(socket);
      slot.release();
    });
    const peerAddress = new PeerAddress();
    peerAddress.readText(peer);
    const answer = async (message: Buffer): Promise<Replies> => {
      if (!isFresh(freshness)) await freshness!.catchUp();
      const length = plain.answerTcp(message, peerAddress, out);
      // A copy, because another connection may be answered before this reply is written.
      return length > 0
        ? [Buffer.from(out.subarray(0, length))]
        : respond(message, { address: peer, transport: 'tcp' });
    };
    serve(socket, answer, slot, limits.idleTimeoutMs).catch((error: unknown) => {
      if (!socket.destroyed) onError(error);
      socket.destroy();
    });
  });
  server.listen({ port, host: address, reusePort });
  await once(server, 'listening');
  server.on('error', onError);
  return Object.assign(server, {
    closeConnections() {
      for (const socket of connections) socket.destroy();
    },
  });
}

async function serve(
  socket: Socket,
  answer: (message: Buffer) => Promise<Replies>,
  slot: Slot,
  idleTimeoutMs: number,
): Promise<void> {
  const deadline = setTimeout(() => socket.destroy(), idleTimeoutMs);
  socket.on('close', () => clearTimeout(deadline));
  for await (const message of readFrames(socket)) {
    deadline.refresh();
    slot.setBusy(true);
    for await (const reply of await answer(message)) {
      if (socket.destroyed) return;
      if (!socket.write(encodeFrame(reply))) {
        // Whoever reads slowly keeps nobody out.
        slot.setBusy(false);
        await waitForDrain(socket);
        slot.setBusy(true);
      }
      deadline.refresh();
    }
    slot.setBusy(false);
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
