// The second factor of a customer: enrolled, confirmed with a first code, and ended by who knows the password or has the app.
import type { Static } from 'typebox';
import type { Enrolment } from '#contract/shapes/operator.ts';
import { Fault, invalid } from '#kernel/fault.ts';
import type { Person } from '#store/account/people.ts';
import type { SignIn } from '#store/account/sign-ins.ts';
import * as store from '#store/account/totps.ts';
import type { Context } from '../yard.ts';
import { secretMade, stepOf } from './one-time-codes.ts';
import { checkPassword, guarded, signedIn } from './signed-in.ts';

const wrongCode = 'The code is not the one of this moment.';

/** Where the secret of this person is kept. */
export function totpPlace({ account_id, contact_id }: Person): string {
  return `totps secret ${account_id} ${contact_id ?? ''}`;
}

export async function totpEnrol(context: Context): Promise<Static<typeof Enrolment>> {
  const person = await signedIn(context);
  const { enrolment, sealed } = secretMade(context.yard, totpPlace(person), person.email);
  if (!(await store.totpPut(context.queries, person, sealed)))
    throw new Fault('state_conflict', { message: 'A second factor is confirmed already; end it first.' });
  return enrolment;
}

export async function totpConfirm(context: Context, code: string): Promise<void> {
  const { queries, yard } = context;
  const person = await signedIn(context);
  if (person.totp_since !== null || person.totp_secret === null)
    throw new Fault('state_conflict', { message: 'There is no secret that waits to be confirmed.' });
  let step: number | undefined;
  await guarded(yard, person, wrongCode, () => (step = stepOf(yard, totpPlace(person), person, code)) !== undefined);
  await store.totpConfirm(queries, person, yard.clock.now(), step!);
}

export interface Proof {
  readonly password?: string;
  readonly code?: string;
}

export async function totpEnd(context: Context, { password, code }: Proof): Promise<void> {
  const { queries, yard } = context;
  const person = await signedIn(context);
  if (person.totp_secret === null) throw new Fault('state_conflict', { message: 'There is no second factor to end.' });
  if (code !== undefined) await guarded(yard, person, wrongCode, () => spendCode(context, person, code));
  else if (password !== undefined) await checkPassword(yard, person, password);
  else throw invalid({ code: 'is required, or password' });
  await store.totpRemove(queries, person);
}

/** A code that somebody saw over a shoulder has been used already. */
async function spendCode({ queries, yard }: Context, person: SignIn, code: string): Promise<boolean> {
  const step = stepOf(yard, totpPlace(person), person, code);
  return step !== undefined && store.totpSpendStep(queries, person, step);
}
