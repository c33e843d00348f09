// Keys of signed zones: ECDSA P-256 with SHA-256 (RFC 6605), and the records about them: DNSKEY, DS (RFC 4034), CDS and
// CDNSKEY (RFC 7344, RFC 8078).
import { createHash, createPrivateKey, generateKeyPair, sign, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { Writer } from '../writer.ts';

export const ecdsaP256 = 13;
const secureEntryPoint = 257;
const dnssecProtocol = 3;
const digestSha256 = 2;

export interface KeyPair {
  /** PKCS #8, DER. */
  readonly privateKey: Buffer;
  /** The data of the DNSKEY record. */
  readonly dnskey: Buffer;
}

export async function generateZoneKey(): Promise<KeyPair> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')]);
  return { privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }), dnskey: dnskeyData(point) };
}

function dnskeyData(point: Uint8Array): Buffer {
  const out = new Writer(4 + point.length);
  out.u16(secureEntryPoint);
  out.u8(dnssecProtocol);
  out.u8(ecdsaP256);
  out.bytes(point);
  return out.finish();
}

export function openPrivateKey(der: Buffer): KeyObject {
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

/** Signs in the thread pool, so that the caller's event loop does not wait. */
export function signWith(key: KeyObject, data: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, (error, signature) =>
      error ? reject(error) : resolve(signature),
    );
  });
}

/** Returns the number by which signatures refer to a key (RFC 4034 appendix B). */
export function keyTag(dnskey: Uint8Array): number {
  let sum = 0;
  dnskey.forEach((byte, index) => void (sum += index & 1 ? byte : byte << 8));
  return (sum + (sum >> 16)) & 0xffff;
}

/** Returns the data of the DS and CDS records of a key, with a SHA-256 digest. */
export function dsData(zone: string, dnskey: Uint8Array): Buffer {
  const owner = new Writer(64);
  owner.name(zone);
  const digest = createHash('sha256').update(owner.finish()).update(dnskey).digest();
  const out = new Writer(4 + digest.length);
  out.u16(keyTag(dnskey));
  out.u8(dnskey[3]!);
  out.u8(digestSha256);
  out.bytes(digest);
  return out.finish();
}

/** Ask the parent to remove all DS records (RFC 8078 section 4): algorithm 0. */
export const deletingCds = Buffer.from([0, 0, 0, 0, 0]);
export const deletingCdnskey = Buffer.from([0, 0, dnssecProtocol, 0, 0]);
