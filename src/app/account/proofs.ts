// Proof that a call comes from the person, and not from somebody who got hold of their session: the password, a code, or
// the response of a passkey. Endpoints declare that they need it, and it is checked before their handler runs.
import type { Static } from 'typebox';
import type { PasswordCheck, Secret } from '#contract/parameters.ts';
import type { SignInCredential } from '#contract/shapes/passkey.ts';
import { conflict, invalid } from '#lib/api-error.ts';
import { passkeyUse } from '#store/account/passkeys.ts';
import type { SignIn } from '#store/account/sign-ins.ts';
import { totpSpendStep } from '#store/account/totps.ts';
import { getSignedInOperator } from '../operator/signed-in.ts';
import type { Context } from '../app.ts';
import { useCode, wrongCodeMessage } from './one-time-codes.ts';
import { verifyAnswer } from './passkey-answers.ts';
import { takeChallenge } from './passkey-challenges.ts';
import { passkeyError, relyingParty } from './passkey-proofs.ts';
import { requireCorrectPassword } from './password-checks.ts';
import { getSignedInPerson } from './signed-in.ts';
import { totpSealContext } from './totp.ts';

export interface Proof {
  readonly password?: PasswordCheck;
  readonly code?: Secret;
  readonly passkey?: Static<typeof SignInCredential>;
}

export async function requireProof(context: Context, { password, code, passkey }: Proof): Promise<void> {
  const { queries, caller } = context;
  const isOperator = caller.operator !== undefined;
  const person = isOperator ? undefined : await getSignedInPerson(context);
  if (person !== undefined && passkey !== undefined) return usePasskey(context, person, passkey);
  if (person !== undefined && code !== undefined) {
    // A secret that is not confirmed yet proves nothing.
    if (person.totp_since === null) throw conflict(wrongCodeMessage);
    return useCode(context, totpSealContext(person), person, code, (step) => totpSpendStep(queries, person, step));
  }
  if (password === undefined) throw invalid({ password: 'or another proof of who you are is required' });
  requireCorrectPassword(password, person ?? (await getSignedInOperator(context)));
}

async function usePasskey(
  { queries, app, caller }: Context,
  person: SignIn,
  credential: Static<typeof SignInCredential>,
): Promise<void> {
  const party = relyingParty(caller.origin);
  const now = app.clock.now();
  const challenge = await takeChallenge(queries, credential.response.clientDataJSON, now);
  const { passkey, counter } = await verifyAnswer(queries, { credential, party, challenge }, 'state_conflict');
  const isOwn = passkey.account_id === person.account_id && passkey.contact_id === person.contact_id;
  if (!isOwn || !(await passkeyUse(queries, passkey.id, counter, now))) throw passkeyError('state_conflict');
}
