// Checks signatures of DNSSEC with nothing but the public key.
import { createPublicKey, verify } from 'node:crypto';

const pointAt = 4;
const coordinateBytes = 32;

export function isSignedBy(dnskey: Buffer, data: Uint8Array, signature: Uint8Array): boolean {
  const coordinate = (at: number) => dnskey.subarray(at, at + coordinateBytes).toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(pointAt), y: coordinate(pointAt + coordinateBytes) };
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  return verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, signature);
}

/** Returns when the signature of an RRSIG expires, in seconds. */
export function expirationOf(rrsig: Uint8Array): number {
  return Buffer.from(rrsig).readUInt32BE(8);
}
