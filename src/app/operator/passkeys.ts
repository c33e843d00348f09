// Passkeys of the signed-in operator, and signing in with one. A passkey counts as the second factor that operators need.
import type { Static } from 'typebox';
import type {
  Passkey,
  PasskeyCreationOptions,
  RegistrationCredential,
  SignInCredential,
} from '#contract/shapes/passkey.ts';
import type { OperatorSession } from '#contract/shapes/operator.ts';
import { conflict } from '#lib/api-error.ts';
import { passkeyList } from '#store/account/passkeys.ts';
import { operatorFind } from '#store/operator/operators.ts';
import { passkeyError } from '../account/passkey-proofs.ts';
import { beginPasskey, listPasskeys, removePasskey, storePasskey } from '../account/passkey-registration.ts';
import { answerWithPasskey } from '../account/passkey-sessions.ts';
import type { Context, Visitor } from '../app.ts';
import { notifyStaff } from './notices.ts';
import { openOperatorSession } from './open-session.ts';
import { getSignedInOperator, lockSignedInOperator, operatorHolder } from './signed-in.ts';

export async function passkeyBegin(context: Context): Promise<Static<typeof PasskeyCreationOptions>> {
  const { id, name } = await getSignedInOperator(context);
  return beginPasskey(context, operatorHolder(id), name);
}

export async function passkeyCreate(
  context: Context,
  name: string,
  credential: Static<typeof RegistrationCredential>,
): Promise<Static<typeof Passkey>> {
  const { app, queries, caller } = context;
  const operator = await getSignedInOperator(context);
  const passkey = await storePasskey(context, operatorHolder(operator.id), name, credential);
  await notifyStaff(app, queries, operator, { change: 'passkey added', address: caller.address, name });
  // The session has its permissions from now on, if this is the first factor.
  context.afterCommit(() => app.authentication.forget());
  return passkey;
}

export async function passkeyGet(context: Context): Promise<Static<typeof Passkey>[]> {
  return listPasskeys(context, operatorHolder((await getSignedInOperator(context)).id));
}

export async function passkeyDelete(context: Context, id: number): Promise<void> {
  const { app, queries, caller } = context;
  const operator = await lockSignedInOperator(context);
  const holder = operatorHolder(operator.id);
  const name = await removePasskey(context, holder, id);
  const isLastFactor = operator.totp_since === null && (await passkeyList(queries, holder)).length === 0;
  if (isLastFactor && operator.password_hash !== null)
    throw conflict('This is your only second factor. Add an authenticator app or another passkey first.');
  await notifyStaff(app, queries, operator, { change: 'passkey removed', address: caller.address, name });
}

export async function challengeAnswer(
  visitor: Visitor,
  credential: Static<typeof SignInCredential>,
): Promise<Static<typeof OperatorSession>> {
  const { passkey, spend } = await answerWithPasskey(visitor, credential);
  const { operator_id } = passkey;
  const operator = operator_id === null ? undefined : await operatorFind(visitor.app.store.queries, operator_id);
  if (operator?.status !== 'Active') throw passkeyError('unauthenticated');
  return openOperatorSession(visitor, operator, { operation: 'operator.challengeAnswer', method: 'passkey', spend });
}
