// v2: sessions, passwords, second factors and passkeys.
import type { Handlers } from '#contract/endpoint.ts';
import type { sessionV2 } from '#contract/v2/session.ts';
import { challengeAnswer, challengeCreate } from '#app/account/passkey-sessions.ts';
import { passkeyBegin, passkeyCreate, passkeyDelete, passkeyGet } from '#app/account/passkeys.ts';
import { sessionGet } from '#app/account/session-self.ts';
import { passwordSet, sessionCreate, sessionDelete } from '#app/account/sessions.ts';
import { totpConfirm, totpEnd, totpEnrol } from '#app/account/totp.ts';
import type { Context, Visitor } from '#app/app.ts';

export const sessionHandlers: Handlers<typeof sessionV2, Context, Visitor> = {
  sessionCreate,
  sessionGet: (context) => sessionGet(context),
  sessionDelete: async (context) => {
    await sessionDelete(context);
    return 'Signed Out';
  },
  passwordSet: async (context, { password, newpassword }) => {
    await passwordSet(context, password, newpassword);
    return 'Password Changed';
  },
  totpEnrol: (context) => totpEnrol(context),
  totpConfirm: async (context, { code }) => {
    await totpConfirm(context, code);
    return 'Second Factor Confirmed';
  },
  totpEnd: async (context, proof) => {
    await totpEnd(context, proof);
    return 'Second Factor Ended';
  },
  passkeyGet: (context) => passkeyGet(context),
  passkeyBegin: (context) => passkeyBegin(context),
  passkeyCreate: (context, { name, credential }) => passkeyCreate(context, name, credential),
  passkeyDelete: async (context, { id }) => {
    await passkeyDelete(context, id);
    return 'Passkey Removed';
  },
  challengeCreate: (visitor) => challengeCreate(visitor),
  challengeAnswer: (visitor, { credential }) => challengeAnswer(visitor, credential),
};
