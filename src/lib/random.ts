// Random passwords and identifiers.
import { randomBytes, randomInt } from 'node:crypto';

/** Letters and digits that are hard to confuse when read aloud or retyped. */
const readable = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
/** The alphabet of RFC 4648, in lower case. */
export const base32 = 'abcdefghijklmnopqrstuvwxyz234567';

export function randomPassword(length: number): string {
  return Array.from({ length }, () => readable[randomInt(readable.length)]).join('');
}

/** Returns text with this many bits of randomness, five per letter. */
export function randomBase32(bits: number): string {
  const bytes = randomBytes(Math.ceil(bits / 5));
  return Array.from(bytes, (byte) => base32[byte & 31]).join('');
}
