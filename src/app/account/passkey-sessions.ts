// Sign-in with a passkey, without email address or name, password or code. The browser offers the passkeys that it has
// for this host, and the passkey says whose it is.
import type { Static } from 'typebox';
import type { PasskeyRequestOptions, SignInCredential } from '#contract/shapes/passkey.ts';
import type { Session } from '#contract/shapes/session.ts';
import { passkeyUse } from '#store/account/passkeys.ts';
import { signInOf } from '#store/account/sign-ins.ts';
import type { Queries } from '#store/store.ts';
import type { Visitor } from '../app.ts';
import { openSession } from './open-session.ts';
import { verifyAnswer } from './passkey-answers.ts';
import { createChallenge, challengeMs, takeChallenge } from './passkey-challenges.ts';
import { passkeyError, relyingParty } from './passkey-proofs.ts';

export async function challengeCreate({ app, origin }: Visitor): Promise<Static<typeof PasskeyRequestOptions>> {
  const party = relyingParty(origin);
  const challenge = await app.store.transaction((queries) => createChallenge(queries, app.clock.now()));
  return { rpId: party.id, challenge, timeout: challengeMs, userVerification: 'required', allowCredentials: [] };
}

export async function challengeAnswer(
  visitor: Visitor,
  credential: Static<typeof SignInCredential>,
): Promise<Static<typeof Session>> {
  const { passkey, spend } = await answerWithPasskey(visitor, credential);
  const isCustomer = passkey.operator_id === null;
  if (!isCustomer || (await signInOf(visitor.app.store.queries, passkey)) === undefined)
    throw passkeyError('unauthenticated');
  return openSession(visitor, passkey, { operation: 'v2.challengeAnswer', spend });
}

/** Verifies the answer of a customer or an operator. `spend` records the use of the passkey. */
export async function answerWithPasskey({ app, origin }: Visitor, credential: Static<typeof SignInCredential>) {
  const party = relyingParty(origin);
  const now = app.clock.now();
  // In its own transaction and before any check, so that no challenge can be used twice, whatever the outcome.
  const challenge = await app.store.transaction((queries) =>
    takeChallenge(queries, credential.response.clientDataJSON, now),
  );
  const answer = { credential, party, challenge };
  const { passkey, counter } = await verifyAnswer(app.store.queries, answer, 'unauthenticated');
  const spend = async (queries: Queries): Promise<void> => {
    if (!(await passkeyUse(queries, passkey.id, counter, now))) throw passkeyError('unauthenticated');
  };
  return { passkey, spend };
}
