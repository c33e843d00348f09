// Signing in with a passkey: no address, no password, no code. The browser offers the passkeys that it has for this host.
import type { Static } from 'typebox';
import type { PasskeyRequestOptions, ShownCredential } from '#contract/shapes/passkey.ts';
import type { Session } from '#contract/shapes/session.ts';
import { passkeyFind, passkeyUse } from '#store/account/passkeys.ts';
import { signInOf } from '#store/account/sign-ins.ts';
import type { Visitor } from '../yard.ts';
import { openSession } from './open-session.ts';
import { challengeMade, challengeMs, challengeTaken } from './passkey-challenges.ts';
import { refusal, shownPasskey } from './passkey-proofs.ts';
import { relyingParty } from './relying-party.ts';

export async function challengeCreate({ yard, origin }: Visitor): Promise<Static<typeof PasskeyRequestOptions>> {
  const party = relyingParty(origin);
  const challenge = await yard.store.transaction((queries) => challengeMade(queries, yard.clock.now()));
  return { rpId: party.id, challenge, timeout: challengeMs, userVerification: 'required', allowCredentials: [] };
}

export async function challengeAnswer(
  visitor: Visitor,
  shown: Static<typeof ShownCredential>,
): Promise<Static<typeof Session>> {
  const { yard, origin } = visitor;
  const party = relyingParty(origin);
  const now = yard.clock.now();
  // On its own, before anything is looked at: whatever comes of it, nobody answers this challenge again.
  const taken = await yard.store.transaction((queries) => challengeTaken(queries, shown.response.clientDataJSON, now));
  const passkey = await passkeyFind(yard.store.queries, shown.id);
  const stands =
    taken?.account_id === null &&
    passkey?.rp_id === party.id &&
    passkey.user_handle === shown.response.userHandle &&
    (await signInOf(yard.store.queries, passkey)) !== undefined;
  if (!stands) throw refusal('unauthenticated');
  const counter = await shownPasskey(shown, passkey, party, taken.challenge);
  return openSession(visitor, passkey, {
    operation: 'v2.challengeAnswer',
    spend: async (queries) => {
      if (!(await passkeyUse(queries, passkey.id, counter, now))) throw refusal('unauthenticated');
    },
  });
}
