// IPMI LAN messages: a request or a response with its two checksums, the same inside and outside a session.
import { checksum } from './checksum.ts';

export interface RequestMessage {
  netFn: number;
  code: number;
  /** Six bits that match a response to its request. */
  sequence: number;
  data: Buffer;
}

export interface ResponseMessage extends RequestMessage {
  completionCode: number;
}

const bmcAddress = 0x20;
const consoleAddress = 0x81;

function encodeMessage(to: number, from: number, message: RequestMessage, completionCode: readonly number[]): Buffer {
  const bytes = Buffer.alloc(7 + completionCode.length + message.data.length);
  bytes[0] = to;
  bytes[1] = message.netFn << 2;
  bytes[2] = checksum(bytes, 0, 2);
  bytes[3] = from;
  bytes[4] = message.sequence << 2;
  bytes[5] = message.code;
  bytes.set(completionCode, 6);
  bytes.set(message.data, 6 + completionCode.length);
  bytes[bytes.length - 1] = checksum(bytes, 3, bytes.length - 1);
  return bytes;
}

export function encodeRequest(message: RequestMessage): Buffer {
  return encodeMessage(bmcAddress, consoleAddress, message, []);
}

export function encodeResponse(message: ResponseMessage): Buffer {
  return encodeMessage(consoleAddress, bmcAddress, message, [message.completionCode]);
}

/** The lowest bit of the network function is 1 in a response. */
function decodeMessage(bytes: Buffer, direction: 0 | 1, dataAt: number): RequestMessage | undefined {
  if (bytes.length <= dataAt) return undefined;
  const netFn = bytes.readUInt8(1) >> 2;
  if ((netFn & 1) !== direction) return undefined;
  return {
    netFn,
    sequence: bytes.readUInt8(4) >> 2,
    code: bytes.readUInt8(5),
    data: bytes.subarray(dataAt, bytes.length - 1),
  };
}

export function decodeRequest(bytes: Buffer): RequestMessage | undefined {
  return hasChecksums(bytes) ? decodeMessage(bytes, 0, 6) : undefined;
}

export function decodeResponse(bytes: Buffer): ResponseMessage | undefined {
  return hasChecksums(bytes) ? decodeSealedResponse(bytes) : undefined;
}

function hasChecksums(bytes: Buffer): boolean {
  return checksum(bytes, 0, 3) === 0 && checksum(bytes, 3) === 0;
}

/** Decodes a response from a session, whose integrity code is better than the checksums, which some BMCs get wrong. */
export function decodeSealedResponse(bytes: Buffer): ResponseMessage | undefined {
  const message = decodeMessage(bytes, 1, 7);
  return message && { ...message, completionCode: bytes.readUInt8(6) };
}
