// The response of a passkey to a challenge: at sign-in, and as a proof within a session.
import type { Static } from 'typebox';
import type { SignInCredential } from '#contract/shapes/passkey.ts';
import { passkeyFind, type Passkey } from '#store/account/passkeys.ts';
import type { Queries } from '#store/store.ts';
import type { takeChallenge } from './passkey-challenges.ts';
import { passkeyError, verifyPasskey, type RelyingParty } from './passkey-proofs.ts';

export interface PasskeyAnswer {
  readonly credential: Static<typeof SignInCredential>;
  readonly party: RelyingParty;
  readonly challenge: Awaited<ReturnType<typeof takeChallenge>>;
}

/** Returns the passkey, and the counter that it reports. The caller records the counter, which fails for a clone. */
export async function verifyAnswer(
  queries: Queries,
  { credential, party, challenge }: PasskeyAnswer,
  code: 'state_conflict' | 'unauthenticated',
): Promise<{ passkey: Passkey; counter: number }> {
  const passkey = await passkeyFind(queries, credential.id);
  const isAcceptable =
    challenge?.account_id === null &&
    passkey?.rp_id === party.id &&
    passkey.user_handle === credential.response.userHandle;
  if (!isAcceptable) throw passkeyError(code);
  return { passkey, counter: await verifyPasskey(credential, passkey, party, challenge.challenge, code) };
}
