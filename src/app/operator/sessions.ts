// Sign-in of operators: name, password and a code. An unknown name, a wrong password and a wrong code get the same response
// after the same time. Until a second factor is confirmed, a session can do nothing but enrol one.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { sessionOperator } from '#contract/operator/session.ts';
import type { PasswordHash } from '#contract/parameters.ts';
import { roles } from '#contract/roles.ts';
import type { Enrolment, OperatorSelf, OperatorSession } from '#contract/shapes/operator.ts';
import { budgetNetwork } from '#lib/addresses.ts';
import { ApiError, conflict } from '#lib/api-error.ts';
import { providerAccount } from '#store/account/accounts.ts';
import { operatorKeyRevoke, operatorSessionsEnd } from '#store/account/keys.ts';
import { passkeyList } from '#store/account/passkeys.ts';
import * as store from '#store/operator/operators.ts';
import { operatorSignIns } from '../account/attempts.ts';
import { recordFailedSignIn } from '../account/failed-sign-ins.ts';
import { createTotpSecret, signInStep, useCode } from '../account/one-time-codes.ts';
import { visitorLane } from '../account/password-queue.ts';
import { isPasswordCorrect } from '../account/passwords.ts';
import { notASession } from '../account/signed-in.ts';
import type { Context, Visitor } from '../app.ts';
import { endImpersonationsOf } from './impersonation.ts';
import { openOperatorSession } from './open-session.ts';
import { notifyStaff } from './notices.ts';
import { getSignedInOperator, lockSignedInOperator, operatorHolder, operatorTotpContext } from './signed-in.ts';

export async function sessionCreate(
  visitor: Visitor,
  credentials: InputOf<typeof sessionOperator.sessionCreate>,
): Promise<Static<typeof OperatorSession>> {
  const { app, address } = visitor;
  const now = app.clock.now();
  const name = credentials.name.toLowerCase();
  const attempt = operatorSignIns.begin(name, address, now);
  const row = await store.operatorFindByName(app.store.queries, name, budgetNetwork(address));
  const [operator] = attempt.select(row?.status === 'Active' ? [row] : []);
  const lane = visitorLane(address, operator?.isKnownNetwork === true);
  const checking = isPasswordCorrect(operator?.password_hash, credentials.password, lane);
  const isCorrect = await checking.catch((error: unknown) => {
    attempt.takeBack();
    throw error;
  });
  const step = operator && signInStep(app, operatorTotpContext(operator.id), operator, credentials.code);
  // A person with only a passkey signs in with it: the password alone must not allow to set up another factor.
  const lacksFactor = step === undefined || (step === 'none' && operator?.hasPasskey === true);
  if (!isCorrect || operator === undefined || lacksFactor) {
    const subject = { account_id: providerAccount, contact_id: null, operation: 'operator.sessionCreate' } as const;
    if (operator !== undefined) recordFailedSignIn(visitor, { ...subject, operator: operator.name });
    throw wrongCredentials();
  }
  const session = await openOperatorSession(visitor, operator, {
    operation: 'operator.sessionCreate',
    method: null,
    spend: async (queries) => {
      if (!(await store.operatorPasswordHold(queries, operator))) throw wrongCredentials();
      // Each code counts once, so that one read over a shoulder or in a log is worthless.
      if (step !== 'none' && !(await store.operatorSpendStep(queries, operator.id, step))) throw wrongCredentials();
    },
  });
  attempt.takeBack();
  return session;
}

function wrongCredentials(): ApiError {
  return new ApiError('unauthenticated', { message: 'Incorrect name, password or code.' });
}

export async function sessionGet({ caller, queries }: Context): Promise<Static<typeof OperatorSelf>> {
  const { id, name, role } = caller.operator!;
  const operator = id === null || caller.keyKind !== 'session' ? undefined : await store.operatorFind(queries, id);
  const passkeys = operator === undefined ? [] : await passkeyList(queries, operatorHolder(operator.id));
  return {
    name,
    role,
    powers: roles[role].filter((power) => caller.scopes.has(power)),
    kind: caller.keyKind,
    email: operator?.email ?? '',
    totp: totpState(operator),
    passkeys: String(passkeys.length),
  };
}

function totpState(operator: store.Operator | undefined): Static<typeof OperatorSelf>['totp'] {
  if (operator === undefined || operator.totp_secret === null) return 'None';
  return operator.totp_since === null ? 'Waiting' : 'Confirmed';
}

export async function sessionDelete(context: Context): Promise<void> {
  const { caller, queries, app } = context;
  if (caller.keyKind !== 'session') throw notASession();
  await operatorKeyRevoke(queries, caller.key, app.clock.now());
  context.afterCommit(() => app.authentication.forget());
}

export async function totpEnrol(context: Context): Promise<Static<typeof Enrolment>> {
  const { queries, app } = context;
  const { id, name, totp_since } = await lockSignedInOperator(context);
  if (totp_since !== null) throw conflict('An authenticator app is already set up. An owner can remove it.');
  const { enrolment, sealed } = createTotpSecret(app, operatorTotpContext(id), name);
  await store.operatorUpdate(queries, id, { totp_secret: sealed });
  return enrolment;
}

export async function totpConfirm(context: Context, code: string): Promise<void> {
  const { queries, app } = context;
  const operator = await lockSignedInOperator(context);
  const now = app.clock.now();
  if (operator.totp_since !== null || operator.totp_secret === null)
    throw conflict('No authenticator app is waiting for confirmation.');
  const confirm = (step: number): Promise<void> =>
    store.operatorUpdate(queries, operator.id, { totp_since: now, totp_step: step });
  await useCode(context, operatorTotpContext(operator.id), operator, code, confirm);
  await notifyStaff(app, queries, operator, { change: 'authenticator added', address: context.caller.address });
  context.afterCommit(() => app.authentication.forget());
}

export async function passwordSet(context: Context, newHash: PasswordHash): Promise<void> {
  const { queries, app, caller } = context;
  const operator = await getSignedInOperator(context);
  await store.operatorUpdate(queries, operator.id, { password_hash: newHash });
  await endImpersonationsOf(context, operator.id);
  await operatorSessionsEnd(queries, operator.id, app.clock.now(), caller.key);
  await notifyStaff(app, queries, operator, { change: 'password changed', address: caller.address });
  context.afterCommit(() => app.authentication.forget());
}
