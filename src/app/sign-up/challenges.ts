// Proof of work for sign-ups. A challenge is not stored: it carries its difficulty, when it expires, and our signature. Each
// network gets harder ones the more it asks for, because challenges can be collected before they are used.
import { randomBytes } from 'node:crypto';
import type { Static } from 'typebox';
import type { SignUpChallenge } from '#contract/shapes/sign-up.ts';
import { widerNetwork } from '#lib/addresses.ts';
import { invalid } from '#lib/api-error.ts';
import { BoundedMap } from '#lib/bounded-map.ts';
import { sameSecret, sha256, sha256Hex } from '#lib/secrets.ts';
import { timeText } from '#lib/time.ts';
import type { App, Visitor } from '../app.ts';
import { requireSignUp } from './settings.ts';

const validMs = 10 * 60_000;
/** Challenges of a network count until it has asked for none for this long. */
const countedMs = 3_600_000;
/** A network of many people must still be able to sign up: at most 16 times the work. */
const maxMoreBits = 4;
/** This number of challenges has the usual difficulty. */
const usualChallenges = 4;
const maxNetworks = 100_000;

const issued = new BoundedMap<string, { readonly count: number; readonly at: number }>(maxNetworks);

export async function signUpChallenge({ app, address }: Visitor): Promise<Static<typeof SignUpChallenge>> {
  const settings = await requireSignUp(app, app.store.queries);
  const now = app.clock.now();
  const subject = `${app.instanceId} ${widerNetwork(address)}`;
  const last = issued.get(subject);
  const count = last === undefined || Math.abs(now - last.at) > countedMs ? 1 : last.count + 1;
  issued.set(subject, { count, at: now });
  const difficulty = settings.difficulty + moreBits(count);
  const expires = now + validMs;
  return {
    challenge: createChallenge(app, difficulty, expires),
    difficulty: String(difficulty),
    expires: timeText(expires),
  };
}

function moreBits(count: number): number {
  return Math.min(maxMoreBits, Math.max(0, Math.floor(Math.log2(count / usualChallenges))));
}

export function createChallenge(app: Pick<App, 'secrets'>, difficulty: number, expires: number): string {
  const content = `${difficulty}.${expires.toString(36)}.${randomBytes(8).toString('base64url')}`;
  return `${content}.${signatureOf(app, content).toString('base64url')}`;
}

/** Returns what identifies the proof, for the check that it is used once. Throws if the proof is worth nothing. */
export function requireSolution(
  app: Pick<App, 'secrets' | 'clock'>,
  { challenge, solution }: { readonly challenge: string; readonly solution: string },
): { readonly digest: string; readonly expires_at: number } {
  const [difficulty = '', expires = '', random = '', signature = ''] = challenge.split('.');
  const content = `${difficulty}.${expires}.${random}`;
  const expires_at = Number.parseInt(expires, 36);
  if (!sameSecret(Buffer.from(signature, 'base64url'), signatureOf(app, content)) || expires_at <= app.clock.now())
    throw expiredChallenge();
  if (Math.clz32(sha256(`${challenge}:${solution}`).readUInt32BE(0)) < Number(difficulty))
    throw invalid({ solution: 'does not solve the challenge' });
  // Not of the challenge: its signature can be written in several ways.
  return { digest: sha256Hex(content), expires_at };
}

export function expiredChallenge(): Error {
  return invalid({ challenge: 'has expired or was already used. Get a new one' });
}

function signatureOf({ secrets }: Pick<App, 'secrets'>, content: string): Buffer {
  return Buffer.from(secrets.digest(`sign-up challenge ${content}`), 'hex').subarray(0, 16);
}
