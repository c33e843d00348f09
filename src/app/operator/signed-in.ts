// The operator behind a session. Keys from the site file have no person behind them.
import { providerAccount } from '#store/account/accounts.ts';
import type { SignInHolder } from '#store/account/people.ts';
import { operatorFind, operatorLock, type Operator } from '#store/operator/operators.ts';
import { notASession } from '../account/signed-in.ts';
import type { Context } from '../app.ts';

/** Operators belong to the provider's own account. */
export function operatorHolder(id: number): SignInHolder {
  return { account_id: providerAccount, contact_id: null, operator_id: id };
}

/** As addresses are stored and compared. */
export function operatorEmail(email: string): string {
  return email.normalize('NFC').toLowerCase();
}

export function operatorTotpContext(id: number): string {
  return `operators totp_secret ${id}`;
}

export function getSignedInOperator(context: Context): Promise<Operator> {
  return signedInOperator(context, operatorFind);
}

/** For changes that depend on the operator's factors, so that two at once do not remove the last one. */
export function lockSignedInOperator(context: Context): Promise<Operator> {
  return signedInOperator(context, operatorLock);
}

async function signedInOperator({ caller, queries }: Context, find: typeof operatorFind): Promise<Operator> {
  const { id } = caller.operator!;
  const operator = id === null || caller.keyKind !== 'session' ? undefined : await find(queries, id);
  if (operator === undefined) throw notASession();
  return operator;
}
