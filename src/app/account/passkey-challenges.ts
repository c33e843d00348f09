// Challenges for passkeys: random, good for five minutes, answered once. Kept in the database, since another node may get the answer.
import { randomBytes } from 'node:crypto';
import { sha256 } from '#kernel/secrets.ts';
import {
  passkeyChallengeInsert,
  passkeyChallengesRemoveExpired,
  passkeyChallengeTake,
  type PasskeyChallenge,
} from '#store/account/passkeys.ts';
import type { Person } from '#store/account/people.ts';
import type { Queries } from '#store/store.ts';

export const challengeMs = 5 * 60_000;

/** For a person who is to make a passkey with this handle, or for somebody unknown who is to sign in. */
export async function challengeMade(
  queries: Queries,
  now: number,
  maker?: Person & { readonly user_handle: string },
): Promise<string> {
  const challenge = randomBytes(32).toString('base64url');
  await passkeyChallengesRemoveExpired(queries, now);
  await passkeyChallengeInsert(queries, {
    hash: hashOf(challenge),
    account_id: maker?.account_id ?? null,
    contact_id: maker?.contact_id ?? null,
    user_handle: maker?.user_handle ?? null,
    expires_at: now + challengeMs,
  });
  return challenge;
}

export interface Taken extends PasskeyChallenge {
  readonly challenge: string;
}

/** The challenge that the browser answered, which nobody can answer again; undefined where it is none of ours or too old. */
export async function challengeTaken(queries: Queries, clientData: string, now: number): Promise<Taken | undefined> {
  const challenge = challengeIn(clientData);
  const row = challenge && (await passkeyChallengeTake(queries, hashOf(challenge)));
  return row && now < row.expires_at ? { ...row, challenge: challenge! } : undefined;
}

function challengeIn(clientData: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, 'base64url').toString()) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}

function hashOf(challenge: string): string {
  return sha256(challenge).toString('hex');
}
