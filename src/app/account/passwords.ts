// Hashes and verifies people's passwords with argon2id, the library's default, at OWASP's recommended cost (19 MiB, two
// passes). That takes tens of milliseconds, so it must not run inside a transaction: SQLite has one writer.
import { channel } from 'node:diagnostics_channel';
import { randomPassword } from '#lib/random.ts';
import type { GeneratedPassword, PasswordHash } from '#contract/parameters.ts';
import { createPasswordQueue, type Requester } from './password-queue.ts';

const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const generatedLength = 20;
/**
 * How many hashes a sign-in verifies in a turn, even if fewer people or nobody have the email address. Otherwise a tenant
 * who gives a contact another person's address could see from the response time whether another tenant has it.
 */
const signInHashes = 2;
const enqueue = createPasswordQueue();
/** Imported when it is needed first: its own allocator takes 3 MB. */
const loadArgon2 = () => import('@node-rs/argon2');
/** Verified against if there is no such person, so that the response time reveals nothing. */
let unknownPersonHash: Promise<string> | undefined;

/** Receives a message whenever argon2 starts; a test asserts that no transaction is open then. */
export const passwordWork = channel('hostyard.password-work');

export function hashPassword(password: string, requester?: Requester): Promise<PasswordHash> {
  return enqueue(() => runHash(password), requester);
}

export function isPasswordCorrect(
  storedHash: string | null | undefined,
  password: string,
  requester?: Requester,
): Promise<boolean> {
  return enqueue(() => runVerify(storedHash, password), requester);
}

/**
 * Returns the people whose password this is. Other requests have their turn after every two of them, because somebody with
 * many accounts can give them all the same address.
 */
export async function findByPassword<P extends { readonly password_hash: string | null }>(
  people: readonly P[],
  password: string,
  requester: Requester,
): Promise<P[]> {
  const matching: P[] = [];
  const verify = async (person: P | undefined): Promise<void> => {
    if (await runVerify(person?.password_hash, password)) matching.push(person!);
  };
  for (let first = 0; first === 0 || first < people.length; first += signInHashes)
    await enqueue(async () => {
      for (let index = first; index < first + signInHashes; index++) await verify(people[index]);
    }, requester);
  return matching;
}

/** Generates a password that is shown once. */
export async function generatePassword(requester?: Requester): Promise<GeneratedPassword> {
  const password = randomPassword(generatedLength);
  return { password, hash: await hashPassword(password, requester) };
}

async function runHash(password: string): Promise<PasswordHash> {
  const { hash } = await loadArgon2();
  passwordWork.publish('hash');
  return hash(password, cost) as Promise<PasswordHash>;
}

async function runVerify(storedHash: string | null | undefined, password: string): Promise<boolean> {
  const compared = storedHash ?? (await (unknownPersonHash ??= runHash('password of an unknown person')));
  const { verify } = await loadArgon2();
  passwordWork.publish('verify');
  return (await verify(compared, password)) && typeof storedHash === 'string';
}
