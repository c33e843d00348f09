// The operator behind a session. Keys from the site file have no person behind them.
import { operatorFind, type Operator } from '#store/operator/operators.ts';
import { notASession } from '../account/signed-in.ts';
import type { Context } from '../app.ts';

export async function getSignedInOperator({ caller, queries }: Context): Promise<Operator> {
  const { id } = caller.operator!;
  const operator = id === null || caller.keyKind !== 'session' ? undefined : await operatorFind(queries, id);
  if (operator === undefined) throw notASession();
  return operator;
}
