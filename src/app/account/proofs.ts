// Proof that a call comes from the person, and not from someone who got hold of their session: the password, a code, or
// the response of a passkey. Endpoints declare that they need it, and it is checked before their handler runs.
import type { Static } from 'typebox';
import type { PasswordCheck, Secret } from '#contract/parameters.ts';
import type { SignInCredential } from '#contract/shapes/passkey.ts';
import { conflict, invalid } from '#lib/api-error.ts';
import { passkeyUse } from '#store/account/passkeys.ts';
import { customerHolder, type SignInHolder } from '#store/account/people.ts';
import { totpSpendStep } from '#store/account/totps.ts';
import { operatorSpendStep } from '#store/operator/operators.ts';
import { getSignedInOperator, operatorHolder, operatorTotpContext } from '../operator/signed-in.ts';
import type { Context } from '../app.ts';
import { useCode, wrongCodeMessage, type SecondFactor } from './one-time-codes.ts';
import { verifyAnswer } from './passkey-answers.ts';
import { isRegistrant, takeChallenge } from './passkey-challenges.ts';
import { passkeyError, relyingParty } from './passkey-proofs.ts';
import { requireCorrectPassword } from './password-checks.ts';
import { getSignedInPerson } from './signed-in.ts';
import { totpSealContext } from './totp.ts';

export interface Proof {
  readonly password?: PasswordCheck;
  readonly code?: Secret;
  readonly passkey?: Static<typeof SignInCredential>;
}

/** The person who proves their identity: a customer or an operator. */
interface Prover extends SecondFactor {
  readonly password_hash: string | null;
  readonly holder: SignInHolder;
  readonly sealContext: string;
  spendStep(step: number): Promise<boolean>;
}

export async function requireProof(context: Context, { password, code, passkey }: Proof): Promise<void> {
  const prover = await getProver(context);
  if (passkey !== undefined) return usePasskey(context, prover.holder, passkey);
  if (code !== undefined) {
    // A secret that is not confirmed yet proves nothing.
    if (prover.totp_since === null) throw conflict(wrongCodeMessage);
    return useCode(context, prover.sealContext, prover, code, (step) => prover.spendStep(step));
  }
  if (password === undefined) throw invalid({ password: 'or another proof of your identity is required' });
  requireCorrectPassword(password, prover);
}

async function getProver(context: Context): Promise<Prover> {
  const { queries, caller } = context;
  if (caller.operator !== undefined) {
    const operator = await getSignedInOperator(context);
    return {
      ...operator,
      holder: operatorHolder(operator.id),
      sealContext: operatorTotpContext(operator.id),
      spendStep: (step) => operatorSpendStep(queries, operator.id, step),
    };
  }
  const person = await getSignedInPerson(context);
  return {
    ...person,
    holder: customerHolder(person),
    sealContext: totpSealContext(person),
    spendStep: (step) => totpSpendStep(queries, person, step),
  };
}

async function usePasskey(
  { queries, app, caller }: Context,
  holder: SignInHolder,
  credential: Static<typeof SignInCredential>,
): Promise<void> {
  const party = relyingParty(caller.origin);
  const now = app.clock.now();
  const challenge = await takeChallenge(queries, credential.response.clientDataJSON, now);
  const { passkey, counter } = await verifyAnswer(queries, { credential, party, challenge }, 'state_conflict');
  if (!isRegistrant(passkey, holder) || !(await passkeyUse(queries, passkey.id, counter, now)))
    throw passkeyError('state_conflict');
}
