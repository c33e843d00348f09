// Passwords as crypt(5) keeps them, SHA-512: what an installer puts into /etc/shadow. Our own people's passwords are
// hashed otherwise (app/account/passwords.ts); this is for systems that know nothing better. The steps are those of Drepper's
// "Unix crypt using SHA-256 and SHA-512", whose numbers stand in brackets.
import { createHash, randomInt, timingSafeEqual } from 'node:crypto';

const alphabet = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const digestBytes = 64;
const saltLength = 16;
const defaultRounds = 5000;
const leastRounds = 1000;
const mostRounds = 999_999_999;
/** In which order the digest's bytes are written, three by three; the last stands alone. */
const writtenOrder = Array.from({ length: 21 }, (_, index) => {
  const triple = [index, index + 21, index + 42];
  const turn = index % 3;
  return [...triple.slice(turn), ...triple.slice(0, turn)] as [number, number, number];
});

/** `$6$salt$digest`, with a salt of its own each time. */
export function cryptHash(password: string): string {
  const salt = Array.from({ length: saltLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return cryptHashWith(password, `$6$${salt}`);
}

/** Whether it is this password's hash; false too for a hash of another kind. */
export function cryptMatches(password: string, hash: string): boolean {
  if (!hash.startsWith('$6$')) return false;
  const [own, given] = [cryptHashWith(password, hash), hash].map((text) => Buffer.from(text)) as [Buffer, Buffer];
  return own.length === given.length && timingSafeEqual(own, given);
}

/** The hash under the salt and the number of rounds that another hash, or the beginning of one, names. */
export function cryptHashWith(password: string, setting: string): string {
  const match = /^\$6\$(?:rounds=([0-9]{1,10})\$)?([^$]{0,256})/.exec(setting);
  if (match === null) throw new Error('not a SHA-512 crypt setting');
  const [, roundsText, saltText = ''] = match;
  const rounds = Math.min(mostRounds, Math.max(leastRounds, Number(roundsText ?? defaultRounds)));
  const salt = Buffer.from(saltText).subarray(0, saltLength);
  const digest = digestOf(Buffer.from(password), salt, rounds);
  const named = roundsText === undefined ? '' : `rounds=${rounds}$`;
  return `$6$${named}${salt.toString()}$${written(digest)}`;
}

function digestOf(password: Buffer, salt: Buffer, rounds: number): Buffer {
  const inner = sha512(password, salt, password); // [4-8]
  const outer = [password, salt, repeated(inner, password.length)]; // [1-3, 9-10]
  for (let bits = password.length; bits > 0; bits >>>= 1) outer.push((bits & 1) === 1 ? inner : password); // [11]
  let digest = sha512(...outer); // [12]
  const passwordBytes = repeated(sha512(...Array<Buffer>(password.length).fill(password)), password.length); // [13-16]
  const saltBytes = repeated(sha512(...Array<Buffer>(16 + digest[0]!).fill(salt)), salt.length); // [17-20]
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

function repeated(bytes: Buffer, length: number): Buffer {
  return Buffer.alloc(length, bytes);
}

function written(digest: Buffer): string {
  const letters = (value: number, count: number): string =>
    Array.from({ length: count }, (_, place) => alphabet[(value >>> (6 * place)) & 63]).join('');
  const triples = writtenOrder.map(([high, middle, low]) =>
    letters((digest[high]! << 16) | (digest[middle]! << 8) | digest[low]!, 4),
  );
  return [...triples, letters(digest[digestBytes - 1]!, 2)].join('');
}
