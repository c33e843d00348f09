// Sign-in with a passkey, without email address, password or code. The browser offers the passkeys that it has for
// this host.
import type { Static } from 'typebox';
import type { PasskeyRequestOptions, SignInCredential } from '#contract/shapes/passkey.ts';
import type { Session } from '#contract/shapes/session.ts';
import { passkeyUse } from '#store/account/passkeys.ts';
import { signInOf } from '#store/account/sign-ins.ts';
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
  const { app, origin } = visitor;
  const party = relyingParty(origin);
  const now = app.clock.now();
  // In its own transaction and before any check, so that no challenge can be used twice, whatever the outcome.
  const challenge = await app.store.transaction((queries) =>
    takeChallenge(queries, credential.response.clientDataJSON, now),
  );
  const answer = { credential, party, challenge };
  const { passkey, counter } = await verifyAnswer(app.store.queries, answer, 'unauthenticated');
  if ((await signInOf(app.store.queries, passkey)) === undefined) throw passkeyError('unauthenticated');
  return openSession(visitor, passkey, {
    operation: 'v2.challengeAnswer',
    spend: async (queries) => {
      if (!(await passkeyUse(queries, passkey.id, counter, now))) throw passkeyError('unauthenticated');
    },
  });
}
