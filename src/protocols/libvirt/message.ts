// Messages of libvirt's RPC protocol: a length, a header of six numbers and a payload. `messageSplitter` reassembles
// them from chunks of any size.
import { LibvirtError } from './error.ts';

export const program = { remote: 0x20008086, qemu: 0x20008087, keepalive: 0x6b656570 } as const;
const protocolVersion = 1;
export const messageType = { call: 0, reply: 1, event: 2, stream: 3 } as const;
export const messageStatus = { ok: 0, error: 1, continue: 2 } as const;
export const keepalive = { ping: 1, pong: 2 } as const;

export interface Message {
  readonly program: number;
  readonly procedure: number;
  readonly type: number;
  readonly serial: number;
  readonly status: number;
  readonly payload: Buffer;
}

const lengthBytes = 4;
const headerBytes = 24;
/** libvirt's limit for any message. */
const maxMessageBytes = 32 * 2 ** 20;
/** The largest stream chunk that every daemon accepts. */
export const maxStreamChunkBytes = 256 * 1000;

export function encodeMessage(message: Message): Buffer {
  const { payload } = message;
  const bytes = Buffer.allocUnsafe(lengthBytes + headerBytes + payload.length);
  const numbers = [bytes.length, message.program, protocolVersion, message.procedure];
  for (const [index, value] of [...numbers, message.type, message.serial, message.status].entries())
    bytes.writeUInt32BE(value, index * 4);
  payload.copy(bytes, lengthBytes + headerBytes);
  return bytes;
}

/** Returns a function that takes incoming chunks and returns the messages completed by each. */
export function messageSplitter(): (chunk: Buffer) => Message[] {
  let chunks: Buffer[] = [];
  let bufferedBytes = 0;
  let neededBytes = lengthBytes;
  return (chunk) => {
    chunks.push(chunk);
    bufferedBytes += chunk.length;
    if (bufferedBytes < neededBytes) return [];
    let bytes = chunks.length === 1 ? chunk : Buffer.concat(chunks);
    const messages: Message[] = [];
    for (;;) {
      neededBytes = bytes.length < lengthBytes ? lengthBytes : readLength(bytes);
      if (bytes.length < neededBytes) break;
      messages.push(decodeMessage(bytes.subarray(0, neededBytes)));
      bytes = bytes.subarray(neededBytes);
    }
    chunks = [bytes];
    bufferedBytes = bytes.length;
    return messages;
  };
}

function readLength(bytes: Buffer): number {
  const length = bytes.readUInt32BE();
  if (length < lengthBytes + headerBytes || length > maxMessageBytes)
    throw new LibvirtError('badResponse', `invalid message length ${length}`);
  return length;
}

function decodeMessage(bytes: Buffer): Message {
  const number = (index: number): number => bytes.readUInt32BE(index * 4);
  if (number(2) !== protocolVersion) throw new LibvirtError('badResponse', `unsupported protocol version ${number(2)}`);
  return {
    program: number(1),
    procedure: number(3),
    type: number(4),
    serial: number(5),
    status: number(6),
    payload: bytes.subarray(lengthBytes + headerBytes),
  };
}
