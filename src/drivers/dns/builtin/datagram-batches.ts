// Receives and sends many datagrams with one system call each (recvmmsg, sendmmsg), which Node's sockets cannot. Everything is in one
// block of native memory, laid out once; only on 64-bit Linux, and only if the library that makes system calls can be loaded.
import type { PeerAddress } from './peer-address.ts';
import { readU16 } from './image/sets.ts';

const batchSize = 64;
/** A datagram of any size, and a little more, so that their beginnings do not compete for the same lines of the processor's cache. */
const requestStride = 65_536 + 576;
const replyStride = 1280;
const nameStride = 32;

/** `struct mmsghdr` on 64-bit Linux. */
const header = { bytes: 64, name: 0, nameBytes: 8, vector: 16, vectorLength: 24, received: 56 };
/** `struct iovec`. */
const vector = { bytes: 16, length: 8 };
/** `struct sockaddr_in` and `sockaddr_in6`. */
const socketAddress = { port: 2, ipv4: 4, ipv6: 8 };
const ipv6Family = 10;
const dontWait = 0x40;

const sections = {
  received: batchSize * header.bytes,
  sent: batchSize * header.bytes,
  requestVectors: batchSize * vector.bytes,
  replyVectors: batchSize * vector.bytes,
  names: batchSize * nameStride,
  requests: batchSize * requestStride,
  replies: batchSize * replyStride,
};
type Section = keyof typeof sections;

const starts = {} as Record<Section, number>;
let totalBytes = 0;
for (const [section, bytes] of Object.entries(sections)) {
  starts[section as Section] = totalBytes;
  totalBytes += bytes;
}

type MessageCall = (fd: number, headers: bigint, count: number, flags: number, timeout?: null) => number;

interface SystemCalls {
  readonly recvmmsg: MessageCall;
  readonly sendmmsg: MessageCall;
  allocate(bytes: number): { readonly address: bigint; readonly memory: ArrayBuffer };
  free(address: bigint): void;
}

/** Returns undefined if batches are not possible; Node's sockets do all the work then. */
export async function loadSystemCalls(): Promise<SystemCalls | undefined> {
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) return undefined;
  try {
    const { default: koffi } = await import('koffi');
    const libc = koffi.load(null);
    return {
      recvmmsg: libc.func('int recvmmsg(int fd, void *headers, unsigned int count, int flags, void *timeout)'),
      sendmmsg: libc.func('int sendmmsg(int fd, void *headers, unsigned int count, int flags)'),
      allocate(bytes) {
        const address = koffi.alloc('uint8_t', bytes) as bigint;
        return { address, memory: koffi.view(address, bytes) };
      },
      free: (address) => koffi.free(address),
    };
  } catch {
    return undefined;
  }
}

export class DatagramBatches {
  /** The memory that requests and replies are in. */
  readonly bytes: Uint8Array;
  readonly #calls: SystemCalls;
  readonly #fd: number;
  readonly #address: bigint;
  readonly #words: Uint32Array;
  #replies = 0;

  constructor(calls: SystemCalls, fd: number) {
    this.#calls = calls;
    this.#fd = fd;
    const { address, memory } = calls.allocate(totalBytes);
    this.#address = address;
    this.bytes = new Uint8Array(memory).fill(0, 0, starts.requests);
    this.#words = new Uint32Array(memory);
    const pointers = new BigUint64Array(memory);
    const point = (at: number, section: Section, offset: number): void => {
      pointers[at / 8] = address + BigInt(starts[section] + offset);
    };
    for (let index = 0; index < batchSize; index++) {
      for (const [headers, vectors, data, stride] of [
        ['received', 'requestVectors', 'requests', requestStride],
        ['sent', 'replyVectors', 'replies', replyStride],
      ] as const) {
        const at = starts[headers] + index * header.bytes;
        point(at + header.name, 'names', index * nameStride);
        point(at + header.vector, vectors, index * vector.bytes);
        pointers[(at + header.vectorLength) / 8] = 1n;
        const vectorAt = starts[vectors] + index * vector.bytes;
        point(vectorAt, data, index * stride);
        pointers[(vectorAt + vector.length) / 8] = BigInt(requestStride);
      }
    }
  }

  /** Receives what is there, up to a batch, and returns how many. */
  receive(): number {
    const words = this.#words;
    for (let index = 0; index < batchSize; index++)
      words[(starts.received + index * header.bytes + header.nameBytes) / 4] = nameStride;
    this.#replies = 0;
    return this.#calls.recvmmsg(this.#fd, this.#address + BigInt(starts.received), batchSize, dontWait, null);
  }

  /** True if there may be more to receive than the last batch of this size. */
  isFull(count: number): boolean {
    return count === batchSize;
  }

  requestStart(index: number): number {
    return starts.requests + index * requestStride;
  }

  requestEnd(index: number): number {
    return this.requestStart(index) + this.#words[(starts.received + index * header.bytes + header.received) / 4]!;
  }

  readPeer(index: number, peer: PeerAddress): void {
    const at = starts.names + index * nameStride;
    // The family is in the processor's byte order.
    if (this.bytes[at] === ipv6Family) peer.readBytes(this.bytes, at + socketAddress.ipv6, 16);
    else peer.readBytes(this.bytes, at + socketAddress.ipv4, 4);
  }

  peerPort(index: number): number {
    return readU16(this.bytes, starts.names + index * nameStride + socketAddress.port);
  }

  /** The place of the next reply. */
  get replyStart(): number {
    return starts.replies + this.#replies * replyStride;
  }

  /** Adds the reply at `replyStart` to what `send` sends, for the peer of this request. */
  addReply(index: number, length: number): void {
    const words = this.#words;
    const received = (starts.received + index * header.bytes) / 4;
    const sent = (starts.sent + this.#replies * header.bytes) / 4;
    for (let word = 0; word < header.vector / 4; word++) words[sent + word] = words[received + word]!;
    words[(starts.replyVectors + this.#replies * vector.bytes + vector.length) / 4] = length;
    this.#replies++;
  }

  /** Sends all replies. One that cannot be sent is lost, like any datagram. */
  send(): void {
    for (let sent = 0; sent < this.#replies;) {
      const first = this.#address + BigInt(starts.sent + sent * header.bytes);
      const count = this.#calls.sendmmsg(this.#fd, first, this.#replies - sent, dontWait);
      sent += count > 0 ? count : 1;
    }
    this.#replies = 0;
  }

  /** Nothing may be used after this. */
  free(): void {
    this.#calls.free(this.#address);
  }
}
