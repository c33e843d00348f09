// The UDP listener: one socket, one reply per datagram. Node reports the first datagram; those that have arrived after it are then
// received and answered in batches.
import { type Socket, createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { unmapAddress } from './access.ts';
import { DatagramBatches, loadSystemCalls } from './datagram-batches.ts';
import { type Freshness, isFresh } from './freshness.ts';
import { PeerAddress } from './peer-address.ts';
import { noReply, otherAnswer, otherLimitedAnswer, type PlainAnswers } from './plain-answers.ts';
import { maxUdpBytes } from './reply-writer.ts';
import type { Respond } from './respond.ts';

/** Bursts of queries wait in the kernel instead of being lost; the kernel may grant less. */
const receiveBufferBytes = 4 * 1024 * 1024;
/** Batches per event, so that other events get their turn. */
const maxRounds = 4;
/** While answers wait, more queries would only fill memory: their resolvers have given up. */
const maxPendingQueries = 10_000;

export interface UdpSettings {
  readonly plain: PlainAnswers;
  readonly respond: Respond;
  readonly freshness: Freshness | undefined;
  /** Lets several threads listen on the same port. */
  readonly reusePort: boolean;
  readonly onError: (error: unknown) => void;
}

export async function listenUdp(
  address: string,
  port: number,
  { plain, respond, freshness, reusePort, onError }: UdpSettings,
): Promise<Socket> {
  const socketType = isIPv6(address) ? 'udp6' : 'udp4';
  const socket = createSocket({
    type: socketType,
    recvBufferSize: receiveBufferBytes,
    reusePort,
    // Peers are known by address, so there is nothing to look up, nor to wait for.
    lookup: (host, _options, callback) => callback(null, host, isIPv6(host) ? 6 : 4),
  });
  const peer = new PeerAddress();
  const out = Buffer.alloc(maxUdpBytes);
  let batches: DatagramBatches | undefined;
  let pending = 0;
  let isClosed = false;
  socket.once('close', () => {
    isClosed = true;
    batches = undefined;
  });
  socket.on('message', (datagram, { address: peerAddress, port: peerPort }) => {
    handle(datagram, peerAddress, peerPort);
    if (batches !== undefined) for (let round = 0; round < maxRounds && handleBatch(batches); round++);
  });
  const listening = once(socket, 'listening');
  socket.bind(port, address);
  await listening;
  // Send errors are reported per datagram and are the resolver's problem; others are ours.
  socket.on('error', onError);
  batches = await openBatches(socket);
  return socket;

  function handle(datagram: Buffer, peerAddress: string, peerPort: number): void {
    if (isFresh(freshness)) answer(datagram, peerAddress, peerPort);
    else wait(() => freshness!.catchUp().then(() => answer(datagram, peerAddress, peerPort)));
  }

  function answer(datagram: Buffer, peerAddress: string, peerPort: number): void {
    peer.readText(peerAddress);
    const length = plain.answerUdp(datagram, 0, datagram.length, peer, nowMs(), out, 0);
    if (length > 0) send(Buffer.from(out.subarray(0, length)), peerAddress, peerPort);
    else if (length !== noReply) answerSlowly(datagram, peerAddress, peerPort, length);
  }

  /** Returns true if there may be more datagrams. */
  function handleBatch(batch: DatagramBatches): boolean {
    const count = batch.receive();
    const now = nowMs();
    const mayAnswer = isFresh(freshness);
    for (let index = 0; index < count; index++) {
      const start = batch.requestStart(index);
      const end = batch.requestEnd(index);
      batch.readPeer(index, peer);
      let result = otherAnswer;
      if (mayAnswer) result = plain.answerUdp(batch.bytes, start, end, peer, now, batch.bytes, batch.replyStart);
      if (result > 0) batch.addReply(index, result);
      if (result >= noReply) continue;
      const datagram = Buffer.from(batch.bytes.slice(start, end));
      if (mayAnswer) answerSlowly(datagram, peerText(), batch.peerPort(index), result);
      else handle(datagram, peerText(), batch.peerPort(index));
    }
    batch.send();
    return batch.isFull(count);
  }

  /** As a socket prints it, so that replies can be sent to it. */
  function peerText(): string {
    return socketType === 'udp6' && peer.length === 4 ? `::ffff:${peer.toString()}` : peer.toString();
  }

  function answerSlowly(datagram: Buffer, peerAddress: string, peerPort: number, result: number): void {
    const isLimited = result === otherLimitedAnswer;
    wait(async () => {
      const replies = await respond(datagram, { address: unmapAddress(peerAddress), transport: 'udp', isLimited });
      for await (const reply of replies) send(reply, peerAddress, peerPort);
    });
  }

  function send(reply: Buffer, peerAddress: string, peerPort: number): void {
    // Nothing can be sent to port 0, and Node throws.
    if (!isClosed && peerPort !== 0) socket.send(reply, peerPort, peerAddress, ignoreResult);
  }

  function wait(work: () => Promise<void>): void {
    if (pending >= maxPendingQueries) return;
    pending++;
    work()
      .catch(onError)
      .finally(() => pending--);
  }
}

/** Of all threads alike, because they share the buckets of the limit. */
function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

async function openBatches(socket: Socket): Promise<DatagramBatches | undefined> {
  const calls = await loadSystemCalls();
  const fd = findDescriptor(socket);
  if (calls === undefined || fd === undefined) return undefined;
  const batches = new DatagramBatches(calls, fd);
  socket.once('close', () => batches.free());
  return batches;
}

/** Node does not document where the descriptor is; if it is not found, datagrams come one by one. */
function findDescriptor(socket: Socket): number | undefined {
  const states = Object.getOwnPropertySymbols(socket).map((symbol) => Reflect.get(socket, symbol) as unknown);
  for (const state of states) {
    const fd = (state as { handle?: { fd?: unknown } } | undefined)?.handle?.fd;
    if (typeof fd === 'number' && fd >= 0) return fd;
  }
  return undefined;
}

function ignoreResult(): void {}
