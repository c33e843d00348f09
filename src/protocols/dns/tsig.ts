// Transaction signatures (RFC 8945): an HMAC with a shared key over a message, its time and the message it replies to.
// They let a secondary transfer zones from any address, and authenticate the zones.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { TsigRecord } from './message.ts';
import { wireLength } from './name.ts';
import { dnsClasses, rrTypes } from './types.ts';
import { Writer } from './writer.ts';

const tsigFudgeSeconds = 300;
export const tsigErrors = { NONE: 0, BADSIG: 16, BADKEY: 17, BADTIME: 18, BADTRUNC: 22 } as const;

/** Truncated further, a MAC proves nothing (section 5.2.2.1). */
const minMacBytes = 10;
const hashNames = { 'hmac-sha256': 'sha256', 'hmac-sha1': 'sha1', 'hmac-sha512': 'sha512' } as const;
export type TsigAlgorithm = keyof typeof hashNames;

export interface TsigKey {
  /** Canonical form. */
  readonly name: string;
  readonly algorithm: TsigAlgorithm;
  readonly secret: Uint8Array;
}

export interface SignSettings {
  readonly timeSeconds: number;
  /** The MAC of the request, or of the previous message in a transfer. */
  readonly priorMac?: Uint8Array;
  /** All messages of a transfer except the first sign only the time (section 5.3.1). */
  readonly follows?: boolean;
  readonly fudgeSeconds?: number;
  /** The error of a request whose signature was right, but not its time or length (section 5.3.2). */
  readonly error?: number;
  /** Set if the request's time was wrong: includes our time beside the request's (section 5.2.3). */
  readonly badTimeNowSeconds?: number;
}

export interface SignedMessage {
  readonly bytes: Buffer;
  readonly mac: Buffer;
}

/** Adds a TSIG record to a message. */
export function signMessage(message: Buffer, key: TsigKey, settings: SignSettings): SignedMessage {
  const { badTimeNowSeconds } = settings;
  const variables = {
    key: key.name,
    algorithm: key.algorithm,
    timeSeconds: settings.timeSeconds,
    fudgeSeconds: settings.fudgeSeconds ?? tsigFudgeSeconds,
    error: settings.error ?? tsigErrors.NONE,
    other: badTimeNowSeconds === undefined ? Buffer.alloc(0) : timeBytes(badTimeNowSeconds),
  };
  const mac = computeMac(key, message, variables, settings);
  return { bytes: appendTsig(message, { ...variables, mac, originalId: message.readUInt16BE(0) }), mac };
}

/** Creates the unsigned reply to a request with a wrong key or signature (section 5.2). */
export function createTsigError(message: Buffer, request: TsigRecord, error: number): Buffer {
  return appendTsig(message, { ...request, error, mac: Buffer.alloc(0), other: Buffer.alloc(0) });
}

/**
 * Verifies a received message and returns one of `tsigErrors`. Time is checked last, so that only a valid signer
 * learns about it.
 */
export function verifyMessage(
  message: Buffer,
  tsig: TsigRecord,
  key: TsigKey | undefined,
  settings: Pick<SignSettings, 'priorMac' | 'follows'> & { readonly nowSeconds: number },
): number {
  if (!key || key.name !== tsig.key || key.algorithm !== tsig.algorithm) return tsigErrors.BADKEY;
  const signed = Buffer.from(message.subarray(0, tsig.at));
  signed.writeUInt16BE(tsig.originalId, 0);
  signed.writeUInt16BE(signed.readUInt16BE(10) - 1, 10);
  const mac = computeMac(key, signed, tsig, settings);
  const received = tsig.mac.length;
  if (received > mac.length || received < Math.max(mac.length / 2, minMacBytes)) return tsigErrors.BADSIG;
  if (!timingSafeEqual(mac.subarray(0, received), tsig.mac)) return tsigErrors.BADSIG;
  if (received < mac.length) return tsigErrors.BADTRUNC;
  // A sender could otherwise choose to be replayed for hours.
  const fudgeSeconds = Math.min(tsig.fudgeSeconds, tsigFudgeSeconds);
  const isOutsideFudge = Math.abs(settings.nowSeconds - tsig.timeSeconds) > fudgeSeconds;
  return isOutsideFudge ? tsigErrors.BADTIME : tsigErrors.NONE;
}

/** Returns the length of a signature, which a secret should have too (RFC 2104). */
export function hashBytes(algorithm: TsigAlgorithm): number {
  return createHmac(hashNames[algorithm], '').digest().length;
}

/** Returns how many bytes a signature adds to a message. */
export function tsigBytes(key: TsigKey): number {
  return wireLength(key.name) + 10 + wireLength(key.algorithm) + 16 + hashBytes(key.algorithm);
}

type Variables = Omit<TsigRecord, 'at' | 'mac' | 'originalId'>;

function computeMac(
  key: TsigKey,
  message: Buffer,
  variables: Variables,
  { priorMac, follows }: Pick<SignSettings, 'priorMac' | 'follows'>,
): Buffer {
  const hmac = createHmac(hashNames[key.algorithm], key.secret);
  if (priorMac) hmac.update(Buffer.of(priorMac.length >> 8, priorMac.length & 0xff)).update(priorMac);
  hmac.update(message);
  const out = new Writer(128);
  if (!follows) {
    out.name(variables.key);
    out.u16(dnsClasses.ANY);
    out.u32(0);
    out.name(variables.algorithm);
  }
  out.u48(variables.timeSeconds);
  out.u16(variables.fudgeSeconds);
  if (!follows) {
    out.u16(variables.error);
    out.u16(variables.other.length);
    out.bytes(variables.other);
  }
  return hmac.update(out.finish()).digest();
}

function appendTsig(message: Buffer, tsig: Omit<TsigRecord, 'at'>): Buffer {
  const out = new Writer(message.length + 256);
  out.bytes(message);
  out.name(tsig.key);
  out.u16(rrTypes.TSIG);
  out.u16(dnsClasses.ANY);
  out.u32(0);
  const lengthAt = out.at;
  out.u16(0);
  out.name(tsig.algorithm);
  out.u48(tsig.timeSeconds);
  out.u16(tsig.fudgeSeconds);
  out.u16(tsig.mac.length);
  out.bytes(tsig.mac);
  out.u16(tsig.originalId);
  out.u16(tsig.error);
  out.u16(tsig.other.length);
  out.bytes(tsig.other);
  out.patchU16(lengthAt, out.at - lengthAt - 2);
  out.patchU16(10, message.readUInt16BE(10) + 1);
  return out.finish();
}

function timeBytes(timeSeconds: number): Buffer {
  const bytes = Buffer.alloc(6);
  bytes.writeUIntBE(timeSeconds, 0, 6);
  return bytes;
}
