// Sign-in of customers: the email address of the account or of a sub-account contact, the password and, once a second
// factor is confirmed, a code. An unknown address, a wrong password and a wrong code get the same response after the
// same time.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { Session } from '#contract/shapes/session.ts';
import type { PasswordCheck, PasswordHash } from '#contract/parameters.ts';
import type { sessionV2 } from '#contract/v2/session.ts';
import { ApiError } from '#lib/api-error.ts';
import { contactUpdate } from '#store/account/contacts.ts';
import { sessionEnd } from '#store/account/keys.ts';
import { accountChange } from '#store/account/accounts.ts';
import { signInFind } from '#store/account/sign-ins.ts';
import { totpSpendStep } from '#store/account/totps.ts';
import type { Context, Visitor } from '../app.ts';
import { customerAttempts } from './attempts.ts';
import { signInStep } from './one-time-codes.ts';
import { openSession } from './open-session.ts';
import { requireCorrectPassword } from './password-checks.ts';
import { isPasswordCorrect } from './passwords.ts';
import { endSessions } from './second-factors.ts';
import { getSignedInPerson, notASession } from './signed-in.ts';
import { totpSealContext } from './totp.ts';

type Credentials = InputOf<(typeof sessionV2)['sessionCreate']>;

export async function sessionCreate(visitor: Visitor, credentials: Credentials): Promise<Static<typeof Session>> {
  const { app } = visitor;
  const email = credentials.email.toLowerCase();
  customerAttempts.begin(email, app.clock.now());
  const person = await signInFind(app.store.queries, email);
  const isCorrect = await isPasswordCorrect(person?.password_hash, credentials.password);
  const step = person && signInStep(app, totpSealContext(person), person, credentials.code);
  if (!isCorrect || person === undefined || step === undefined) throw wrongCredentials();
  const session = await openSession(visitor, person, {
    operation: 'v2.sessionCreate',
    spend: async (queries) => {
      if (step !== 'none' && !(await totpSpendStep(queries, person, step))) throw wrongCredentials();
    },
  });
  customerAttempts.forgive(email);
  return session;
}

function wrongCredentials(): ApiError {
  return new ApiError('unauthenticated', { message: 'Incorrect email address, password or code.' });
}

export async function sessionDelete(context: Context): Promise<void> {
  const { caller, queries, app } = context;
  if (caller.keyKind !== 'session') throw notASession();
  await sessionEnd(queries, caller.account, caller.key, app.clock.now());
  context.afterCommit(() => app.authentication.forget());
}

export async function passwordSet(context: Context, check: PasswordCheck, newHash: PasswordHash): Promise<void> {
  const { queries, caller } = context;
  const person = await getSignedInPerson(context);
  requireCorrectPassword(check, person);
  const change = { password_hash: newHash };
  if (person.contact_id === null) await accountChange(queries, person.account_id, change);
  else await contactUpdate(queries, person.account_id, person.contact_id, change);
  await endSessions(context, person, caller.key);
}
