// The TOTP second factor of a customer: enrolled, confirmed with a first code, and removed.
import type { Static } from 'typebox';
import type { Enrolment } from '#contract/shapes/operator.ts';
import { conflict } from '#lib/api-error.ts';
import type { Person } from '#store/account/people.ts';
import { recoveryCodesRemove } from '#store/account/recovery-codes.ts';
import * as store from '#store/account/totps.ts';
import type { Context } from '../app.ts';
import { requireFactorLeft } from '../sign-on/domains.ts';
import { createTotpSecret, useCode } from './one-time-codes.ts';
import { getSignedInPerson, signInChange } from './signed-in.ts';

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
  const confirm = (step: number): Promise<void> => store.totpConfirm(queries, person, app.clock.now(), step);
  await useCode(context, totpSealContext(person), person, code, confirm);
  context.emit('account.factor.added', { ...signInChange(context), factor: 'authenticator', name: '' });
}

export async function totpEnd(context: Context): Promise<void> {
  const person = await getSignedInPerson(context);
  if (person.totp_secret === null) throw conflict('No authenticator app is set up.');
  await store.totpRemove(context.queries, person);
  await recoveryCodesRemove(context.queries, person);
  await requireFactorLeft(context);
  context.emit('account.factor.removed', { ...signInChange(context), factor: 'authenticator', name: '' });
}
