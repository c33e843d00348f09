// Sign-in of customers: the email address of the account or of a sub-account contact, the password and, once a second
// factor is confirmed, a code. Several tenants may use the same address; the password tells whose account it is. An unknown address, a wrong password and a wrong code get the same response after the
// same time.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { Session } from '#contract/shapes/session.ts';
import type { PasswordHash } from '#contract/parameters.ts';
import type { sessionV2 } from '#contract/v2/session.ts';
import { budgetNetwork } from '#lib/addresses.ts';
import { ApiError } from '#lib/api-error.ts';
import { contactUpdate } from '#store/account/contacts.ts';
import { sessionEnd } from '#store/account/keys.ts';
import { accountChange } from '#store/account/accounts.ts';
import { signInCandidates } from '#store/account/sign-ins.ts';
import { totpSpendStep } from '#store/account/totps.ts';
import type { AccountId } from '#store/account-id.ts';
import type { Context, Visitor } from '../app.ts';
import { customerSignIns } from './attempts.ts';
import { recordFailedSignIn } from './failed-sign-ins.ts';
import { signInStep } from './one-time-codes.ts';
import { openSession } from './open-session.ts';
import { visitorLane } from './password-queue.ts';
import { findByPassword } from './passwords.ts';
import { endSessions } from './second-factors.ts';
import { getSignedInPerson, notASession, signInChange } from './signed-in.ts';
import { endOwnImpersonation } from '../operator/impersonation.ts';
import { totpSealContext } from './totp.ts';

type Credentials = InputOf<(typeof sessionV2)['sessionCreate']>;

export async function sessionCreate(visitor: Visitor, credentials: Credentials): Promise<Static<typeof Session>> {
  const { app, address } = visitor;
  const email = credentials.email.toLowerCase();
  const now = app.clock.now();
  const attempt = customerSignIns.begin(email, address, now);
  const account = credentials.account as AccountId | undefined;
  const people = attempt.select(await signInCandidates(app.store.queries, email, budgetNetwork(address), account));
  const lane = visitorLane(
    address,
    people.some(({ isKnownNetwork }) => isKnownNetwork),
  );
  const matching = await findByPassword(people, credentials.password, lane).catch((error: unknown) => {
    attempt.takeBack();
    throw error;
  });
  const signIn = matching
    .filter(({ password_until }) => (password_until ?? Infinity) > now)
    .map((person) => ({ person, step: signInStep(app, totpSealContext(person), person, credentials.code) }))
    .find(({ step }) => step !== undefined);
  if (signIn === undefined) {
    for (const { account_id, contact_id } of people)
      recordFailedSignIn(visitor, { account_id, contact_id, operation: 'v2.sessionCreate' });
    throw wrongCredentials();
  }
  const { person, step } = signIn;
  const session = await openSession(visitor, person, {
    operation: 'v2.sessionCreate',
    spend: async (queries) => {
      if (typeof step === 'number' && !(await totpSpendStep(queries, person, step))) throw wrongCredentials();
    },
  });
  attempt.takeBack();
  return session;
}

function wrongCredentials(): ApiError {
  return new ApiError('unauthenticated', { message: 'Incorrect email address, password or code.' });
}

export async function sessionDelete(context: Context): Promise<void> {
  const { caller, queries, app } = context;
  if (caller.keyKind !== 'session') throw notASession();
  if (caller.limited === 'support') return endOwnImpersonation(context);
  await sessionEnd(queries, caller.account, caller.key, app.clock.now());
  context.afterCommit(() => app.authentication.forget());
}

export async function passwordSet(context: Context, newHash: PasswordHash): Promise<void> {
  const { queries, caller } = context;
  const person = await getSignedInPerson(context);
  const change = { password_hash: newHash };
  if (person.contact_id === null)
    await accountChange(queries, person.account_id, { ...change, password_temporary_until: null });
  else await contactUpdate(queries, person.account_id, person.contact_id, change);
  await endSessions(context, person, caller.key);
  context.emit('account.password.changed', signInChange(context));
}
