// Codes that change every 30 seconds (RFC 6238, with HMAC-SHA-1 and six digits, which every app on a phone knows).
import { createHmac } from 'node:crypto';
import { randomBase32 } from './random.ts';
import { sameSecret } from './secrets.ts';

const stepMs = 30_000;
const secretBits = 160;
const base32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** A new secret, in the letters that a person can type into an app. */
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

/** The time step to which the code belongs: the present one, or a neighbour for clocks that differ. Undefined where it is wrong. */
export function totpMatch(secret: Buffer, code: string, now: number): number | undefined {
  const present = totpStep(now);
  const fits = (step: number) => step >= 0 && sameSecret(Buffer.from(totpCode(secret, step)), Buffer.from(code));
  return [present, present - 1, present + 1].find(fits);
}

export function totpBytes(secret: string): Buffer {
  const bits = [...secret].map((letter) => base32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** What an app reads, as a link or as a square of dots. */
export function totpUrl(name: string, secret: string): string {
  const query = new URLSearchParams({ secret: secret.toUpperCase(), issuer: 'Hostyard' });
  return `otpauth://totp/Hostyard:${encodeURIComponent(name)}?${query}`;
}
