// The provider's staff, managed by an owner. Once there has been an owner who can sign in, there always is one.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { operatorOperator } from '#contract/operator/operator.ts';
import { permissionsOf } from '#contract/roles.ts';
import type { NewOperator, Operator as Shape } from '#contract/shapes/operator.ts';
import { ApiError, conflict, requireFound } from '#lib/api-error.ts';
import { pickDefined } from '#lib/defined.ts';
import { timeText } from '#lib/time.ts';
import { operatorSessionsEnd } from '#store/account/keys.ts';
import { passkeysRemove } from '#store/account/passkeys.ts';
import { recoveriesRemove } from '#store/account/recoveries.ts';
import * as store from '#store/operator/operators.ts';
import type { Queries } from '#store/store.ts';
import type { Context, App } from '../app.ts';
import { endImpersonationsOf } from './impersonation.ts';
import { notifyStaff } from './notices.ts';
import { operatorEmail, operatorHolder } from './signed-in.ts';

export async function operatorList({ queries }: Context): Promise<Static<typeof Shape>[]> {
  return (await store.operatorList(queries)).map((operator) => ({
    id: String(operator.id),
    name: operator.name,
    role: operator.role,
    status: operator.status,
    email: operator.email,
    secondfactor: operator.totp_since === null && !operator.hasPasskey ? 'Missing' : 'Confirmed',
    created: timeText(operator.created_at),
  }));
}

type OperatorFields = InputOf<typeof operatorOperator.operatorCreate>;

export function operatorCreate({ app, queries }: Context, fields: OperatorFields): Promise<Static<typeof NewOperator>> {
  return createOperator(app, queries, fields);
}

/** Creates an operator for the API, or for the command line: the first of an installation. */
export async function createOperator(
  { clock }: Pick<App, 'clock'>,
  queries: Queries,
  { name, role, email = '', generatedPassword: { password, hash } }: OperatorFields,
): Promise<Static<typeof NewOperator>> {
  const id = await store.operatorInsert(queries, {
    name: name.toLowerCase(),
    role,
    status: 'Active',
    password_hash: hash,
    totp_step: 0,
    created_at: clock.now(),
    email: operatorEmail(email),
  });
  if (id === undefined)
    throw new ApiError('already_exists', { message: 'This name is taken, or was used by a former operator.' });
  return { id: String(id), password };
}

export async function operatorUpdate(
  context: Context,
  { id, role, email, status, generatedPassword, forgettotp }: InputOf<typeof operatorOperator.operatorUpdate>,
): Promise<Static<typeof NewOperator>> {
  const { queries, app } = context;
  const operator = await getOperator(queries, id);
  const isOwnSignIn =
    context.caller.operator!.id === id &&
    (generatedPassword !== undefined || forgettotp === true || email !== undefined);
  // A stolen session must not be enough to take over its person.
  if (isOwnSignIn)
    throw conflict(
      'Change your own password and email address in your security settings, and ask another owner to reset your 2FA.',
    );
  if (role !== undefined && role !== 'owner') await requireAnotherOwner(queries, operator);
  const values = {
    ...pickDefined({
      role,
      status,
      email: email === undefined ? undefined : operatorEmail(email),
      password_hash: generatedPassword?.hash,
    }),
    ...(forgettotp === true ? { totp_secret: null, totp_since: null } : {}),
  };
  if (Object.keys(values).length === 0)
    throw new ApiError('invalid_parameter', { message: 'Nothing to change. Give at least one field.' });
  await store.operatorUpdate(queries, id, values);
  if (forgettotp === true) await passkeysRemove(queries, operatorHolder(id));
  if (email !== undefined && operatorEmail(email) !== operator.email) {
    const notice = { change: 'email changed', address: context.caller.address } as const;
    await recoveriesRemove(queries, operatorHolder(id));
    await notifyStaff(app, queries, operator, notice);
  }
  const isSignedOut = generatedPassword !== undefined || forgettotp === true;
  if (isSignedOut || !permissionsOf(role ?? operator.role).has('operator:impersonate'))
    await endImpersonationsOf(context, id);
  if (isSignedOut) await operatorSessionsEnd(queries, id, app.clock.now(), undefined);
  context.afterCommit(() => app.authentication.forget());
  return { id: String(id), password: generatedPassword?.password ?? '' };
}

export async function operatorDelete(context: Context, id: number): Promise<void> {
  const { queries, app } = context;
  const operator = await getOperator(queries, id);
  await requireAnotherOwner(queries, operator);
  await store.operatorUpdate(queries, id, { status: 'Ended' });
  await endImpersonationsOf(context, id);
  await operatorSessionsEnd(queries, id, app.clock.now(), undefined);
  context.afterCommit(() => app.authentication.forget());
}

async function requireAnotherOwner(queries: Queries, { role, status }: store.Operator): Promise<void> {
  if (role !== 'owner' || status !== 'Active' || (await store.ownersHold(queries)) > 1) return;
  throw conflict('This is the last owner who can sign in. Add another owner first.');
}

async function getOperator(queries: Queries, id: number): Promise<store.Operator> {
  return requireFound(await store.operatorFind(queries, id), 'Operator not found.');
}
