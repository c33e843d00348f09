// The TOTP second factor of a customer: enrolled, confirmed with a first code, and removed with the password or a code.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { Enrolment } from '#contract/shapes/operator.ts';
import type { sessionV2 } from '#contract/v2/session.ts';
import { conflict, invalid } from '#lib/api-error.ts';
import type { Person } from '#store/account/people.ts';
import type { SignIn } from '#store/account/sign-ins.ts';
import * as store from '#store/account/totps.ts';
import type { Context } from '../app.ts';
import { customerAttempts } from './attempts.ts';
import { codeStep, createTotpSecret, wrongCodeMessage } from './one-time-codes.ts';
import { requireCorrectPassword } from './password-checks.ts';
import { getSignedInPerson } from './signed-in.ts';

type Proof = InputOf<(typeof sessionV2)['totpEnd']>;

export function totpSealContext({ account_id, contact_id }: Person): string {
  return `totps secret ${account_id} ${contact_id ?? ''}`;
}

export async function totpEnrol(context: Context): Promise<Static<typeof Enrolment>> {
  const person = await getSignedInPerson(context);
  const { enrolment, sealed } = createTotpSecret(context.app, totpSealContext(person), person.email);
  if (!(await store.totpPut(context.queries, person, sealed)))
    throw conflict('An authenticator app is already set up. Remove it first.');
  return enrolment;
}

export async function totpConfirm(context: Context, code: string): Promise<void> {
  const { queries, app } = context;
  const person = await getSignedInPerson(context);
  if (person.totp_since !== null || person.totp_secret === null)
    throw conflict('No authenticator app is waiting for confirmation.');
  await useCode(context, person, code, (step) => store.totpConfirm(queries, person, app.clock.now(), step));
}

export async function totpEnd(context: Context, { password, code }: Proof): Promise<void> {
  const { queries } = context;
  const person = await getSignedInPerson(context);
  if (person.totp_secret === null) throw conflict('There is no authenticator app to remove.');
  if (code !== undefined) await useCode(context, person, code, (step) => store.totpSpendStep(queries, person, step));
  else if (password !== undefined) requireCorrectPassword(password, person);
  else throw invalid({ code: 'or password is required' });
  await store.totpRemove(queries, person);
}

/**
 * Counts the attempt and rejects a wrong code. `spend` records the time step of a correct one, and returns false if it
 * was used before: each code counts once, so that one read over a shoulder is worthless.
 */
async function useCode(
  { app }: Context,
  person: SignIn,
  code: string,
  spend: (step: number) => Promise<unknown>,
): Promise<void> {
  customerAttempts.begin(person.email, app.clock.now());
  const step = codeStep(app, totpSealContext(person), person, code);
  if (step === undefined || (await spend(step)) === false) throw conflict(wrongCodeMessage);
  customerAttempts.forgive(person.email);
}
