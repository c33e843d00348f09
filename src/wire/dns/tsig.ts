// Transaction signatures (RFC 8945): an HMAC over a message, its time and the message it answers, under a shared key.
// They let a secondary fetch zones from any address, and prove the zones are ours.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { TsigRecord } from './message.ts';
import { wireLength } from './name.ts';
import { CLASS, TYPE } from './types.ts';
import { Writer } from './writer.ts';

export const TSIG_FUDGE_SECONDS = 300;
export const TSIG_ERROR = { NONE: 0, BADSIG: 16, BADKEY: 17, BADTIME: 18 } as const;

const HASHES = { 'hmac-sha256': 'sha256', 'hmac-sha1': 'sha1', 'hmac-sha512': 'sha512' } as const;
export type TsigAlgorithm = keyof typeof HASHES;

export interface TsigKey {
  /** A domain name in canonical form. */
  readonly name: string;
  readonly algorithm: TsigAlgorithm;
  readonly secret: Uint8Array;
}

export interface SignSettings {
  readonly timeSeconds: number;
  /** The MAC of the request, or of the message before in a transfer. */
  readonly priorMac?: Uint8Array;
  /** All messages of a transfer but the first sign only the time (section 5.3.1). */
  readonly follows?: boolean;
  /** Set where the request's time was wrong: our time goes beside the request's (section 5.2.3). */
  readonly badTimeNowSeconds?: number;
}

export interface Signed {
  readonly bytes: Buffer;
  readonly mac: Buffer;
}

/** Adds a TSIG record to a message that has none. */
export function signMessage(message: Buffer, key: TsigKey, settings: SignSettings): Signed {
  const { badTimeNowSeconds } = settings;
  const variables = {
    key: key.name,
    algorithm: key.algorithm,
    timeSeconds: settings.timeSeconds,
    fudgeSeconds: TSIG_FUDGE_SECONDS,
    error: badTimeNowSeconds === undefined ? TSIG_ERROR.NONE : TSIG_ERROR.BADTIME,
    other: badTimeNowSeconds === undefined ? Buffer.alloc(0) : timeBytes(badTimeNowSeconds),
  };
  const mac = computeMac(key, message, variables, settings);
  return { bytes: appendTsig(message, { ...variables, mac, originalId: message.readUInt16BE(0) }), mac };
}

/** The answer to a request whose key or signature is wrong: it says so, unsigned (section 5.2). */
export function refuseTsig(message: Buffer, request: TsigRecord, error: number): Buffer {
  return appendTsig(message, { ...request, error, mac: Buffer.alloc(0), other: Buffer.alloc(0) });
}

/** Checks a received message; answers one of TSIG_ERROR. The times are looked at last: only a true signer learns of them. */
export function verifyMessage(
  message: Buffer,
  tsig: TsigRecord,
  key: TsigKey | undefined,
  settings: Pick<SignSettings, 'priorMac' | 'follows'> & { readonly nowSeconds: number },
): number {
  if (!key || key.name !== tsig.key || key.algorithm !== tsig.algorithm) return TSIG_ERROR.BADKEY;
  const signed = Buffer.from(message.subarray(0, tsig.at));
  signed.writeUInt16BE(tsig.originalId, 0);
  signed.writeUInt16BE(signed.readUInt16BE(10) - 1, 10);
  const mac = computeMac(key, signed, tsig, settings);
  if (mac.length !== tsig.mac.length || !timingSafeEqual(mac, tsig.mac)) return TSIG_ERROR.BADSIG;
  const late = Math.abs(settings.nowSeconds - tsig.timeSeconds) > tsig.fudgeSeconds;
  return late ? TSIG_ERROR.BADTIME : TSIG_ERROR.NONE;
}

/** How many bytes a signature adds, for a message that must fit a datagram. */
export function tsigBytes(key: TsigKey): number {
  const macBytes = createHmac(HASHES[key.algorithm], '').digest().length;
  return wireLength(key.name) + 10 + wireLength(key.algorithm) + 16 + macBytes;
}

type Variables = Omit<TsigRecord, 'at' | 'mac' | 'originalId'>;

function computeMac(
  key: TsigKey,
  message: Buffer,
  variables: Variables,
  { priorMac, follows }: Pick<SignSettings, 'priorMac' | 'follows'>,
): Buffer {
  const hmac = createHmac(HASHES[key.algorithm], key.secret);
  if (priorMac) hmac.update(Buffer.of(priorMac.length >> 8, priorMac.length & 0xff)).update(priorMac);
  hmac.update(message);
  const out = new Writer(128);
  if (!follows) {
    out.name(variables.key);
    out.u16(CLASS.ANY);
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
  out.u16(TYPE.TSIG);
  out.u16(CLASS.ANY);
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
