// The TOTP second factor of a customer: enrolled, confirmed with a first code, and removed with the password or a code.
import type { Static } from 'typebox';
import type { PasswordCheck } from '#contract/parameters.ts';
import type { Enrolment } from '#contract/shapes/operator.ts';
import { ApiError, invalid } from '#lib/api-error.ts';
import type { Person } from '#store/account/people.ts';
import type { SignIn } from '#store/account/sign-ins.ts';
import * as store from '#store/account/totps.ts';
import type { Context } from '../app.ts';
import { codeStep, createTotpSecret, wrongCodeMessage } from './one-time-codes.ts';
import { requireCorrectPassword } from './password-checks.ts';
import { getSignedInPerson, guardCodeAttempt } from './signed-in.ts';

export function totpSealContext({ account_id, contact_id }: Person): string {
  return `totps secret ${account_id} ${contact_id ?? ''}`;
}

export async function totpEnrol(context: Context): Promise<Static<typeof Enrolment>> {
  const person = await getSignedInPerson(context);
  const { enrolment, sealed } = createTotpSecret(context.app, totpSealContext(person), person.email);
  if (!(await store.totpPut(context.queries, person, sealed)))
    throw new ApiError('state_conflict', { message: 'An authenticator app is already set up. Remove it first.' });
  return enrolment;
}

export async function totpConfirm(context: Context, code: string): Promise<void> {
  const { queries, app } = context;
  const person = await getSignedInPerson(context);
  if (person.totp_since !== null || person.totp_secret === null)
    throw new ApiError('state_conflict', { message: 'No authenticator app is waiting for confirmation.' });
  let step: number | undefined;
  await guardCodeAttempt(app, person, wrongCodeMessage, () => {
    step = codeStep(app, totpSealContext(person), person, code);
    return step !== undefined;
  });
  await store.totpConfirm(queries, person, app.clock.now(), step!);
}

export interface Proof {
  readonly password?: PasswordCheck;
  readonly code?: string;
}

export async function totpEnd(context: Context, { password, code }: Proof): Promise<void> {
  const { queries, app } = context;
  const person = await getSignedInPerson(context);
  if (person.totp_secret === null)
    throw new ApiError('state_conflict', { message: 'There is no authenticator app to remove.' });
  if (code !== undefined) await guardCodeAttempt(app, person, wrongCodeMessage, () => spendCode(context, person, code));
  else if (password !== undefined) requireCorrectPassword(password, person);
  else throw invalid({ code: 'or password is required' });
  await store.totpRemove(queries, person);
}

/** Each code counts once, so that one read over a shoulder is worthless. */
async function spendCode({ queries, app }: Context, person: SignIn, code: string): Promise<boolean> {
  const step = codeStep(app, totpSealContext(person), person, code);
  return step !== undefined && store.totpSpendStep(queries, person, step);
}
