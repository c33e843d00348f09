// v2: sessions, passwords, second factors and passkeys.
import type { sessionV2 } from '#contract/v2/session.ts';
import { challengeAnswer, challengeCreate } from '#app/account/passkey-sessions.ts';
import { passkeyBegin, passkeyCreate, passkeyDelete, passkeyGet } from '#app/account/passkeys.ts';
import { recoveryComplete, recoveryRequest } from '#app/account/recovery.ts';
import { sessionGet } from '#app/account/session-self.ts';
import { passwordSet, sessionCreate, sessionDelete } from '#app/account/sessions.ts';
import { totpConfirm, totpEnd, totpEnrol } from '#app/account/totp.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const sessionHandlers: HandlersOf<typeof sessionV2> = {
  sessionCreate,
  sessionGet: (context) => sessionGet(context),
  sessionDelete: respondWith('Signed Out', (context) => sessionDelete(context)),
  passwordSet: respondWith('Password Changed', (context, { newpassword }) => passwordSet(context, newpassword)),
  recoveryRequest: respondWith('Recovery Requested', (visitor, { email }) => recoveryRequest(visitor, email)),
  recoveryComplete: respondWith('Password Changed', recoveryComplete),
  totpEnrol: (context) => totpEnrol(context),
  totpConfirm: respondWith('Second Factor Confirmed', (context, { code }) => totpConfirm(context, code)),
  totpEnd: respondWith('Second Factor Ended', (context) => totpEnd(context)),
  passkeyGet: (context) => passkeyGet(context),
  passkeyBegin: (context) => passkeyBegin(context),
  passkeyCreate: (context, { name, credential }) => passkeyCreate(context, name, credential),
  passkeyDelete: respondWith('Passkey Removed', (context, { id }) => passkeyDelete(context, id)),
  challengeCreate: (visitor) => challengeCreate(visitor),
  challengeAnswer: (visitor, { credential }) => challengeAnswer(visitor, credential),
};
