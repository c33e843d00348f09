// SHA-512 crypt(5) hashes, which installers put into /etc/shadow. Passwords of our own users are hashed differently
// (app/account/passwords.ts). The numbers in brackets are the steps of Drepper's "Unix crypt using SHA-256 and SHA-512".
import { createHash, randomInt, timingSafeEqual } from 'node:crypto';

const alphabet = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const digestBytes = 64;
const saltLength = 16;
const defaultRounds = 5000;
const minRounds = 1000;
const maxRounds = 999_999_999;
/** The order in which the digest's bytes are encoded, in groups of three; the last byte is on its own. */
const byteOrder = Array.from({ length: 21 }, (_, index) => {
  const triple = [index, index + 21, index + 42];
  const rotation = index % 3;
  return [...triple.slice(rotation), ...triple.slice(0, rotation)] as [number, number, number];
});

/** Returns `$6$salt$digest` with a random salt. */
export function cryptHash(password: string): string {
  const salt = Array.from({ length: saltLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return cryptHashWith(password, `$6$${salt}`);
}

/** Returns true if this is the password's hash; false for any other kind of hash. */
export function cryptMatches(password: string, hash: string): boolean {
  if (!hash.startsWith('$6$')) return false;
  const [expected, actual] = [cryptHashWith(password, hash), hash].map((text) => Buffer.from(text)) as [Buffer, Buffer];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/** Hashes with the salt and number of rounds of another hash, or of a hash's prefix. */
export function cryptHashWith(password: string, setting: string): string {
  const match = /^\$6\$(?:rounds=([0-9]{1,10})\$)?([^$]{0,256})/.exec(setting);
  if (match === null) throw new Error('not a SHA-512 crypt setting');
  const [, roundsText, saltText = ''] = match;
  const rounds = Math.min(maxRounds, Math.max(minRounds, Number(roundsText ?? defaultRounds)));
  const salt = Buffer.from(saltText).subarray(0, saltLength);
  const digest = digestOf(Buffer.from(password), salt, rounds);
  const roundsPrefix = roundsText === undefined ? '' : `rounds=${rounds}$`;
  return `$6$${roundsPrefix}${salt.toString()}$${encodeDigest(digest)}`;
}

function digestOf(password: Buffer, salt: Buffer, rounds: number): Buffer {
  const inner = sha512(password, salt, password); // [4-8]
  const outer = [password, salt, repeatTo(inner, password.length)]; // [1-3, 9-10]
  for (let bits = password.length; bits > 0; bits >>>= 1) outer.push((bits & 1) === 1 ? inner : password); // [11]
  let digest = sha512(...outer); // [12]
  const passwordBytes = repeatTo(sha512(...Array<Buffer>(password.length).fill(password)), password.length); // [13-16]
  const saltBytes = repeatTo(sha512(...Array<Buffer>(16 + digest[0]!).fill(salt)), salt.length); // [17-20]
  for (let round = 0; round < rounds; round++) {
    const isOdd = round % 2 === 1; // [21]
    const parts = [isOdd ? passwordBytes : digest];
    if (round % 3 !== 0) parts.push(saltBytes);
    if (round % 7 !== 0) parts.push(passwordBytes);
    parts.push(isOdd ? digest : passwordBytes);
    digest = sha512(...parts);
  }
  return digest;
}

function sha512(...parts: readonly Buffer[]): Buffer {
  const digest = createHash('sha512');
  for (const part of parts) digest.update(part);
  return digest.digest();
}

function repeatTo(bytes: Buffer, length: number): Buffer {
  return Buffer.alloc(length, bytes);
}

function encodeDigest(digest: Buffer): string {
  const letters = (value: number, count: number): string =>
    Array.from({ length: count }, (_, place) => alphabet[(value >>> (6 * place)) & 63]).join('');
  const triples = byteOrder.map(([high, middle, low]) =>
    letters((digest[high]! << 16) | (digest[middle]! << 8) | digest[low]!, 4),
  );
  return [...triples, letters(digest[digestBytes - 1]!, 2)].join('');
}
