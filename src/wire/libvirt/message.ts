// The envelope of libvirt's protocol: a length, six numbers, and what the procedure says of the rest. Bytes arrive in pieces
// of any size; `messageSplitter` puts the messages together again.
import { LibvirtError } from './error.ts';

export const program = { remote: 0x20008086, qemu: 0x20008087, keepalive: 0x6b656570 } as const;
export const protocolVersion = 1;
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
/** libvirt's own limit for any message. */
export const longestMessage = 32 * 2 ** 20;
/** What every daemon takes as one piece of a stream. */
export const longestStreamPiece = 256 * 1000;

export function encodeMessage(message: Message): Buffer {
  const { payload } = message;
  const bytes = Buffer.allocUnsafe(lengthBytes + headerBytes + payload.length);
  const numbers = [bytes.length, message.program, protocolVersion, message.procedure];
  for (const [index, value] of [...numbers, message.type, message.serial, message.status].entries())
    bytes.writeUInt32BE(value, index * 4);
  payload.copy(bytes, lengthBytes + headerBytes);
  return bytes;
}

/** Give it what arrives; it gives back the messages that are whole. */
export function messageSplitter(): (chunk: Buffer) => Message[] {
  let pieces: Buffer[] = [];
  let gathered = 0;
  let wanted = lengthBytes;
  return (chunk) => {
    pieces.push(chunk);
    gathered += chunk.length;
    if (gathered < wanted) return [];
    let bytes = pieces.length === 1 ? chunk : Buffer.concat(pieces);
    const messages: Message[] = [];
    for (;;) {
      wanted = bytes.length < lengthBytes ? lengthBytes : lengthOf(bytes);
      if (bytes.length < wanted) break;
      messages.push(decodeMessage(bytes.subarray(0, wanted)));
      bytes = bytes.subarray(wanted);
    }
    pieces = [bytes];
    gathered = bytes.length;
    return messages;
  };
}

function lengthOf(bytes: Buffer): number {
  const length = bytes.readUInt32BE();
  if (length < lengthBytes + headerBytes || length > longestMessage)
    throw new LibvirtError('badAnswer', `a message of ${length} bytes`);
  return length;
}

function decodeMessage(bytes: Buffer): Message {
  const number = (index: number): number => bytes.readUInt32BE(index * 4);
  if (number(2) !== protocolVersion) throw new LibvirtError('badAnswer', `version ${number(2)} of the protocol`);
  return {
    program: number(1),
    procedure: number(3),
    type: number(4),
    serial: number(5),
    status: number(6),
    payload: bytes.subarray(lengthBytes + headerBytes),
  };
}
