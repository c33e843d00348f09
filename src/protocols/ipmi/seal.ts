// Protection of packets within a session: AES-CBC-128 over the payload, then an HMAC over everything from the
// authentication type to the trailer. Opening verifies the HMAC before anything else.
import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { rmcpPlusHeaderBytes, writeRmcpPlusHeader, type RmcpPlusPacket } from './packet.ts';
import type { SessionKeys } from './keys.ts';
import { fillRandom } from './random.ts';

const blockBytes = 16;
const rmcpHeaderBytes = 4;
const nextHeader = 0x07;
const algorithm = 'aes-128-cbc';
const zeroBlock = Buffer.alloc(blockBytes);

export interface PacketContent {
  payloadType: number;
  sessionId: number;
  sequence: number;
  payload: Buffer;
}

export function sealPacket(keys: SessionKeys, content: PacketContent): Buffer {
  const { integrityBytes, hash } = keys.suite;
  const padBytes = (blockBytes - ((content.payload.length + 1) % blockBytes)) % blockBytes;
  const payloadBytes = blockBytes + content.payload.length + padBytes + 1;
  // The integrity pad aligns everything under the HMAC to four bytes: twelve header bytes, the encrypted payload (a
  // multiple of sixteen), pad length and next header always leave two bytes to fill.
  const integrityPadBytes = 2;
  const trailerAt = rmcpPlusHeaderBytes + payloadBytes;
  const signedEnd = trailerAt + integrityPadBytes + 2;
  const datagram = Buffer.allocUnsafe(signedEnd + integrityBytes);
  writeRmcpPlusHeader(datagram, { ...content, isProtected: true, payloadBytes });

  const plain = Buffer.allocUnsafe(payloadBytes);
  // The cipher continues where the last packet ended. A random block first makes an initialisation vector of what it
  // encrypts to, which is as unpredictable.
  fillRandom(plain.subarray(0, blockBytes));
  plain.set(content.payload, blockBytes);
  const padAt = blockBytes + content.payload.length;
  for (let pad = 1; pad <= padBytes; pad++) plain[padAt + pad - 1] = pad;
  plain[payloadBytes - 1] = padBytes;
  keys.cipher ??= createCipheriv(algorithm, keys.confidentialityKey, zeroBlock).setAutoPadding(false);
  datagram.set(keys.cipher.update(plain), rmcpPlusHeaderBytes);

  datagram.fill(0xff, trailerAt, trailerAt + integrityPadBytes);
  datagram[signedEnd - 2] = integrityPadBytes;
  datagram[signedEnd - 1] = nextHeader;
  const code = createHmac(hash, keys.integrityKey).update(datagram.subarray(rmcpHeaderBytes, signedEnd)).digest();
  datagram.set(code.subarray(0, integrityBytes), signedEnd);
  return datagram;
}

/** Returns the payload if the packet is authentic. */
export function openPacket(keys: SessionKeys, packet: RmcpPlusPacket): Buffer | undefined {
  if (!packet.isProtected || !isAuthentic(keys, packet)) return undefined;
  const { payload } = packet;
  if (payload.length < 2 * blockBytes || payload.length % blockBytes !== 0) return undefined;
  keys.decipher ??= createDecipheriv(algorithm, keys.confidentialityKey, zeroBlock).setAutoPadding(false);
  // The initialisation vector is the first block, which decrypts to nothing of use.
  const plain = keys.decipher.update(payload).subarray(blockBytes);
  const padBytes = plain.readUInt8(plain.length - 1);
  if (padBytes >= blockBytes) return undefined;
  const end = plain.length - 1 - padBytes;
  for (let pad = 1; pad <= padBytes; pad++) if (plain[end + pad - 1] !== pad) return undefined;
  return plain.subarray(0, end);
}

function isAuthentic(keys: SessionKeys, packet: RmcpPlusPacket): boolean {
  const { datagram, payload } = packet;
  const { integrityBytes, hash } = keys.suite;
  const signedEnd = datagram.length - integrityBytes;
  const trailerAt = rmcpPlusHeaderBytes + payload.length;
  if (signedEnd < trailerAt + 2) return false;
  if (datagram[signedEnd - 1] !== nextHeader) return false;
  if (trailerAt + datagram.readUInt8(signedEnd - 2) + 2 !== signedEnd) return false;
  const code = createHmac(hash, keys.integrityKey).update(datagram.subarray(rmcpHeaderBytes, signedEnd)).digest();
  return timingSafeEqual(code.subarray(0, integrityBytes), datagram.subarray(signedEnd));
}
