// Time-based one-time codes (RFC 6238) with HMAC-SHA-1, six digits and 30 seconds, which every authenticator app supports.
import { createHmac } from 'node:crypto';
import { base32, randomBase32 } from './random.ts';
import { sameSecret } from './secrets.ts';

const stepMs = 30_000;
const secretBits = 160;

/** Returns a new secret in base32, which a person can type into an app. */
export function totpSecret(): string {
  return randomBase32(secretBits);
}

export function totpStep(now: number): number {
  return Math.floor(now / stepMs);
}

export function totpCode(secret: Buffer, step: number, digits = 6): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const number = mac.readUInt32BE(mac.at(-1)! & 15) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/**
 * Returns the time step that the code belongs to, or undefined if it is wrong. Accepts the current step and its
 * neighbours, because clocks differ.
 */
export function totpMatch(secret: Buffer, code: string, now: number): number | undefined {
  const current = totpStep(now);
  const matches = (step: number) => step >= 0 && sameSecret(Buffer.from(totpCode(secret, step)), Buffer.from(code));
  return [current, current - 1, current + 1].find(matches);
}

export function totpBytes(secret: string): Buffer {
  const bits = [...secret].map((letter) => base32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Returns the link that authenticator apps read, directly or from a QR code. */
export function totpUrl(name: string, secret: string): string {
  const query = new URLSearchParams({ secret: secret.toUpperCase(), issuer: 'Hostyard' });
  return `otpauth://totp/Hostyard:${encodeURIComponent(name)}?${query}`;
}
