// Operator API: sessions, and the operators themselves.
import type { operatorOperator } from '#contract/operator/operator.ts';
import type { sessionOperator } from '#contract/operator/session.ts';
import { operatorCreate, operatorDelete, operatorList, operatorUpdate } from '#app/operator/operators.ts';
import { signOnBegin, signOnComplete, signOnGet } from '#app/sign-on/staff.ts';
import * as sessions from '#app/operator/sessions.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const operatorHandlers: HandlersOf<typeof sessionOperator & typeof operatorOperator> = {
  sessionCreate: sessions.sessionCreate,
  signOnGet: (visitor) => signOnGet(visitor),
  signOnBegin: (visitor) => signOnBegin(visitor),
  signOnComplete,
  sessionGet: (context) => sessions.sessionGet(context),
  sessionDelete: respondWith('Signed Out', (context) => sessions.sessionDelete(context)),
  totpEnrol: (context) => sessions.totpEnrol(context),
  totpConfirm: respondWith('Second Factor Confirmed', (context, { code }) => sessions.totpConfirm(context, code)),
  passwordSet: respondWith('Password Changed', (context, { newpassword }) =>
    sessions.passwordSet(context, newpassword),
  ),
  operatorList: (context) => operatorList(context),
  operatorCreate,
  operatorUpdate,
  operatorDelete: respondWith('Operator Ended', (context, { id }) => operatorDelete(context, id)),
};
