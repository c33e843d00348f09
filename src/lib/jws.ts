// Signs documents as compact JSON Web Signatures with Ed25519 (RFC 7515, RFC 8037), which any JOSE library can verify.
import { createPublicKey, hash, sign, type KeyObject } from 'node:crypto';

/** The public half of a signing key, as callers get it. `kid` is its thumbprint (RFC 7638). */
export interface PublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
}

/** Exporting a key takes as long as signing with it. */
const publicJwks = new WeakMap<KeyObject, PublicJwk>();

export function publicJwk(key: KeyObject): PublicJwk {
  let jwk = publicJwks.get(key);
  if (jwk === undefined) {
    const { x } = createPublicKey(key).export({ format: 'jwk' });
    const kid = hash('sha256', JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }), 'base64url');
    jwk = { kty: 'OKP', crv: 'Ed25519', x: x!, kid };
    publicJwks.set(key, jwk);
  }
  return jwk;
}

export function signJws(payload: object, key: KeyObject): string {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const text = `${encode({ alg: 'EdDSA', kid: publicJwk(key).kid })}.${encode(payload)}`;
  return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`;
}
