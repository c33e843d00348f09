// Operator API: sessions, and the operators themselves.
import type { Handlers } from '#contract/endpoint.ts';
import type { operatorOperator } from '#contract/operator/operator.ts';
import type { sessionOperator } from '#contract/operator/session.ts';
import { operatorCreate, operatorDelete, operatorList, operatorUpdate } from '#app/operator/operators.ts';
import * as sessions from '#app/operator/sessions.ts';
import type { Context, Visitor } from '#app/app.ts';

export const operatorHandlers: Handlers<typeof sessionOperator & typeof operatorOperator, Context, Visitor> = {
  sessionCreate: sessions.sessionCreate,
  sessionGet: (context) => sessions.sessionGet(context),
  sessionDelete: async (context) => {
    await sessions.sessionDelete(context);
    return 'Signed Out';
  },
  totpEnrol: (context) => sessions.totpEnrol(context),
  totpConfirm: async (context, { code }) => {
    await sessions.totpConfirm(context, code);
    return 'Second Factor Confirmed';
  },
  passwordSet: async (context, { password, newpassword }) => {
    await sessions.passwordSet(context, password, newpassword);
    return 'Password Changed';
  },
  operatorList: (context) => operatorList(context),
  operatorCreate,
  operatorUpdate: (context, { id, ...change }) => operatorUpdate(context, id, change),
  operatorDelete: async (context, { id }) => {
    await operatorDelete(context, id);
    return 'Operator Ended';
  },
};
