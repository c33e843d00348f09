// Sign-in of people: the account's own address or a sub-account contact's, with its password and, where a second factor is
// confirmed, the code of an app. An address that nobody has, a wrong password and a wrong code get the same answer after the
// same time.
import type { Static } from 'typebox';
import type { Session } from '#contract/shapes/session.ts';
import type { PasswordHash } from '#contract/parameters.ts';
import { Fault } from '#kernel/fault.ts';
import { contactUpdate } from '#store/account/contacts.ts';
import { keysEndSessions, keyUpdate } from '#store/account/keys.ts';
import { accountChange } from '#store/operator/operator-accounts.ts';
import { signInFind } from '#store/account/sign-ins.ts';
import { totpSpendStep } from '#store/account/totps.ts';
import type { Context, Visitor } from '../yard.ts';
import { stepAtSignIn } from './one-time-codes.ts';
import { openSession } from './open-session.ts';
import { passwordFits } from './passwords.ts';
import { attempts, checkPassword, notASession, signedIn } from './signed-in.ts';
import { totpPlace } from './totp.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly code?: string;
}

export async function sessionCreate(visitor: Visitor, given: Credentials): Promise<Static<typeof Session>> {
  const { yard } = visitor;
  const email = given.email.toLowerCase();
  attempts.begin(email, yard.clock.now());
  const person = await signInFind(yard.store.queries, email);
  const fits = await passwordFits(person?.password_hash, given.password);
  const step = person === undefined ? undefined : stepAtSignIn(yard, totpPlace(person), person, given.code);
  if (!fits || person === undefined || step === undefined) throw wrong();
  const opened = await openSession(visitor, person, {
    operation: 'v2.sessionCreate',
    spend: async (queries) => {
      if (step !== 'none' && !(await totpSpendStep(queries, person, step))) throw wrong();
    },
  });
  attempts.forgive(email);
  return opened;
}

function wrong(): Fault {
  return new Fault('unauthenticated', { message: 'E-mail address, password or code is wrong.' });
}

export async function sessionDelete(context: Context): Promise<void> {
  const { caller, queries, yard } = context;
  if (caller.keyKind !== 'session') throw notASession();
  await keyUpdate(queries, caller.account, caller.key, { revoked_at: yard.clock.now() });
  context.afterCommit(() => yard.authentication.forget());
}

export async function passwordSet(context: Context, password: string, newHash: PasswordHash): Promise<void> {
  const { queries, yard, caller } = context;
  const person = await signedIn(context);
  await checkPassword(yard, person, password);
  const change = { password_hash: newHash };
  if (person.contact_id === null) await accountChange(queries, person.account_id, change);
  else await contactUpdate(queries, person.account_id, person.contact_id, change);
  await keysEndSessions(queries, person, yard.clock.now(), caller.key);
  context.afterCommit(() => yard.authentication.forget());
}
