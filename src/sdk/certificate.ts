// Verifies handover certificates without asking the server. Uses WebCrypto, which browsers offer only to pages served over TLS.
import type { CertificateDocument, CertificateKey } from './generated/v2.ts';

/** Returns the document of a signed certificate. Throws if the provider did not sign exactly this text with this key. */
export async function verifyCertificate(signed: string, key: CertificateKey): Promise<CertificateDocument> {
  const [header, payload, signature, ...rest] = signed.split('.');
  if (header === undefined || payload === undefined || signature === undefined || rest.length > 0)
    throw new TypeError('This is not a signed certificate.');
  const { alg, kid, crit } = parse(header) as Readonly<Record<string, unknown>>;
  if (alg !== 'EdDSA' || crit !== undefined) throw new TypeError('The certificate is not signed with Ed25519.');
  if (kid !== key.kid || kid !== (await thumbprint(key)))
    throw new TypeError('The certificate was signed with another key.');
  const publicKey = await crypto.subtle.importKey('jwk', { kty: 'OKP', crv: 'Ed25519', x: key.x }, 'Ed25519', false, [
    'verify',
  ]);
  const text = new TextEncoder().encode(`${header}.${payload}`);
  if (!(await crypto.subtle.verify('Ed25519', publicKey, decode(signature), text)))
    throw new TypeError('The signature is wrong: the certificate was changed after it was signed.');
  return parse(payload) as CertificateDocument;
}

function parse(part: string): object {
  const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(decode(part)));
  if (typeof value !== 'object' || value === null) throw new TypeError('This is not a signed certificate.');
  return value;
}

/** The last character of base64url has bits without a meaning. Accepts only one spelling, so that no character can change. */
function decode(part: string): Uint8Array<ArrayBuffer> {
  const bytes = /^[\w-]+$/.test(part)
    ? Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
    : new Uint8Array();
  if (encode(bytes) !== part) throw new TypeError('This is not a signed certificate.');
  return bytes;
}

function encode(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** RFC 7638. */
async function thumbprint({ crv, kty, x }: CertificateKey): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify({ crv, kty, x }));
  return encode(new Uint8Array(await crypto.subtle.digest('SHA-256', text)));
}
