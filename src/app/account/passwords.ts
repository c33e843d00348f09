// Hashes and verifies people's passwords with argon2id, the library's default, at OWASP's recommended cost (19 MiB, two
// passes). That takes tens of milliseconds, so it must not run inside a transaction: SQLite has one writer.
import { channel } from 'node:diagnostics_channel';
import { hash, verify } from '@node-rs/argon2';
import { randomPassword } from '#lib/random.ts';
import type { GeneratedPassword, PasswordHash } from '#contract/parameters.ts';

const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const generatedLength = 20;
/** Verified against if there is no such person, so that the response time reveals nothing. */
let unknownPersonHash: Promise<string> | undefined;

/** Receives a message whenever argon2 starts; a test asserts that no transaction is open then. */
export const passwordWork = channel('hostyard.password-work');

export function hashPassword(password: string): Promise<PasswordHash> {
  passwordWork.publish('hash');
  return hash(password, cost) as Promise<PasswordHash>;
}

export async function isPasswordCorrect(storedHash: string | null | undefined, password: string): Promise<boolean> {
  const compared = storedHash ?? (await (unknownPersonHash ??= hashPassword('password of an unknown person')));
  passwordWork.publish('verify');
  return (await verify(compared, password)) && typeof storedHash === 'string';
}

/** Generates a password that is shown once. */
export async function generatePassword(): Promise<GeneratedPassword> {
  const password = randomPassword(generatedLength);
  return { password, hash: await hashPassword(password) };
}
