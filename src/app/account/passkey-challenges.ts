// Passkey challenges: random, valid for five minutes and for one response. Stored in the database, because another
// instance may receive the response.
import { randomBytes } from 'node:crypto';
import { sha256Hex } from '#lib/secrets.ts';
import * as store from '#store/account/passkeys.ts';
import type { SignInHolder } from '#store/account/people.ts';
import type { Queries } from '#store/store.ts';

export const challengeMs = 5 * 60_000;

/** Creates a challenge for a person who registers a passkey with this handle, or for anyone who signs in. */
export async function createChallenge(
  queries: Queries,
  now: number,
  registrant?: SignInHolder & { readonly user_handle: string },
): Promise<string> {
  const challenge = randomBytes(32).toString('base64url');
  await store.passkeyChallengesRemoveExpired(queries, now);
  await store.passkeyChallengeInsert(queries, {
    hash: sha256Hex(challenge),
    account_id: registrant?.account_id ?? null,
    contact_id: registrant?.contact_id ?? null,
    operator_id: registrant?.operator_id ?? null,
    user_handle: registrant?.user_handle ?? null,
    expires_at: now + challengeMs,
  });
  return challenge;
}

/** Returns and uses up the challenge that the browser responded to, or undefined if it is unknown or expired. */
export async function takeChallenge(queries: Queries, clientData: string, now: number) {
  const challenge = readChallenge(clientData);
  const row = challenge && (await store.passkeyChallengeTake(queries, sha256Hex(challenge)));
  return row && now < row.expires_at ? { ...row, challenge: challenge! } : undefined;
}

/** Returns true if the passkey, or the challenge for a new one, is this holder's. */
export function isRegistrant(row: store.Passkey | store.PasskeyChallenge, holder: SignInHolder): boolean {
  const { account_id, contact_id, operator_id } = row;
  return account_id === holder.account_id && contact_id === holder.contact_id && operator_id === holder.operator_id;
}

function readChallenge(clientData: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, 'base64url').toString()) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}
