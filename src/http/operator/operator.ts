// Operator API: sessions, passkeys, forgotten passwords, and the operators themselves.
import type { operatorOperator } from '#contract/operator/operator.ts';
import type { passkeyOperator } from '#contract/operator/passkey.ts';
import type { recoveryOperator } from '#contract/operator/recovery.ts';
import type { sessionOperator } from '#contract/operator/session.ts';
import { operatorCreate, operatorDelete, operatorList, operatorUpdate } from '#app/operator/operators.ts';
import * as passkeys from '#app/operator/passkeys.ts';
import { emailSet, recoveryComplete, recoveryRequest } from '#app/operator/recovery.ts';
import { challengeCreate } from '#app/account/passkey-sessions.ts';
import { signOnBegin, signOnComplete, signOnGet } from '#app/sign-on/staff.ts';
import * as sessions from '#app/operator/sessions.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

type Contract = typeof sessionOperator & typeof passkeyOperator & typeof recoveryOperator & typeof operatorOperator;

export const operatorHandlers: HandlersOf<Contract> = {
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
  passkeyGet: (context) => passkeys.passkeyGet(context),
  passkeyBegin: (context) => passkeys.passkeyBegin(context),
  passkeyCreate: (context, { name, credential }) => passkeys.passkeyCreate(context, name, credential),
  passkeyDelete: respondWith('Passkey Removed', (context, { id }) => passkeys.passkeyDelete(context, id)),
  challengeCreate: (visitor) => challengeCreate(visitor),
  challengeAnswer: (visitor, { credential }) => passkeys.challengeAnswer(visitor, credential),
  emailSet: respondWith('Email Address Changed', (context, { email }) => emailSet(context, email)),
  recoveryRequest: respondWith('Recovery Requested', (visitor, { email }) => recoveryRequest(visitor, email)),
  recoveryComplete: respondWith('Password Changed', recoveryComplete),
  operatorList: (context) => operatorList(context),
  operatorCreate,
  operatorUpdate,
  operatorDelete: respondWith('Operator Ended', (context, { id }) => operatorDelete(context, id)),
};
