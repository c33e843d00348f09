// Sign-in of customers: the email address of the account or of a sub-account contact, the password and, once a second
// factor is confirmed, a code. Several tenants may use the same address; the password tells whose account it is. An
// unknown address, a wrong password and a wrong code get the same response after the same time.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { Session } from '#contract/shapes/session.ts';
import type { PasswordHash } from '#contract/parameters.ts';
import type { sessionV2 } from '#contract/v2/session.ts';
import { appendEvent } from '#events/append.ts';
import { budgetNetwork } from '#lib/addresses.ts';
import { ApiError } from '#lib/api-error.ts';
import { sessionEnd } from '#store/account/keys.ts';
import { passwordHold, signInCandidates, type SignIn } from '#store/account/sign-ins.ts';
import { recoveryCodeCount, recoveryCodeExists, recoveryCodeSpend } from '#store/account/recovery-codes.ts';
import { totpSpendStep } from '#store/account/totps.ts';
import type { Queries } from '#store/store.ts';
import type { AccountId } from '#store/account-id.ts';
import type { App, Context, Visitor } from '../app.ts';
import { customerSignIns } from './attempts.ts';
import { recordFailedSignIn } from './failed-sign-ins.ts';
import { signInStep } from './one-time-codes.ts';
import { openSession } from './open-session.ts';
import { visitorLane } from './password-queue.ts';
import { findByPassword } from './passwords.ts';
import { setPassword } from './recovery.ts';
import { isRecoveryCode, recoveryDigest } from './recovery-codes.ts';
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
  const signIn = await findSecondProof(
    app,
    matching.filter(({ password_until }) => (password_until ?? Infinity) > now),
    credentials.code,
  );
  if (signIn === undefined) {
    for (const { account_id, contact_id } of people)
      recordFailedSignIn(visitor, { account_id, contact_id, operation: 'v2.sessionCreate' });
    throw wrongCredentials();
  }
  const { person, step } = signIn;
  const session = await openSession(visitor, person, {
    operation: 'v2.sessionCreate',
    spend: async (queries) => {
      if (!(await passwordHold(queries, person))) throw wrongCredentials();
      if (typeof step === 'number' && !(await totpSpendStep(queries, person, step))) throw wrongCredentials();
      if (typeof step === 'object') await spendRecoveryCode(visitor, queries, person, step.recovery);
    },
  });
  attempt.takeBack();
  return session;
}

/** Returns the first of the people for whom the code, if they need one, is right. */
async function findSecondProof(app: App, people: readonly SignIn[], code: string | undefined) {
  for (const person of people) {
    const recovery = person.totp_since !== null && isRecoveryCode(code ?? '') ? recoveryDigest(code!) : undefined;
    if (recovery !== undefined) {
      if (await recoveryCodeExists(app.store.queries, person, recovery)) return { person, step: { recovery } };
      continue;
    }
    const step = signInStep(app, totpSealContext(person), person, code);
    if (step !== undefined) return { person, step };
  }
  return undefined;
}

/** Of two sign-ins with the same code at once, one fails here. The owner learns of the other by email. */
async function spendRecoveryCode(
  { app, address }: Visitor,
  queries: Queries,
  person: SignIn,
  digest: string,
): Promise<void> {
  if (!(await recoveryCodeSpend(queries, person, digest))) throw wrongCredentials();
  const left = String(await recoveryCodeCount(queries, person));
  const data = { contactid: String(person.contact_id ?? ''), address, left };
  await appendEvent(app, queries, { account: person.account_id, type: 'account.recovery.used', data });
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
  await setPassword(queries, person, newHash);
  await endSessions(context, person, caller.key);
  context.emit('account.password.changed', signInChange(context));
}
