// Random texts for people and machines to handle.
import { randomBytes, randomInt } from 'node:crypto';

/** Letters and digits that are not mistaken for each other when read aloud or retyped. */
const readable = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const base32 = 'abcdefghijklmnopqrstuvwxyz234567';

export function randomPassword(length: number): string {
  return Array.from({ length }, () => readable[randomInt(readable.length)]).join('');
}

/** `bits` of randomness, five to a letter. */
export function randomBase32(bits: number): string {
  const bytes = randomBytes(Math.ceil(bits / 5));
  return Array.from(bytes, (byte) => base32[byte & 31]).join('');
}
