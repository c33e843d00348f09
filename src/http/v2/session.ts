// Version 2: signing in.
import type { Handlers } from '#contract/endpoint.ts';
import type { sessionV2 } from '#contract/v2/session.ts';
import { sessionGet } from '#app/account/session-self.ts';
import { sessionCreate, sessionDelete } from '#app/account/sessions.ts';
import type { Context, Visitor } from '#app/yard.ts';

export const sessionHandlers: Handlers<typeof sessionV2, Context, Visitor> = {
  sessionCreate: (visitor, { email, password }) => sessionCreate(visitor, email, password),
  sessionGet: (context) => sessionGet(context),
  sessionDelete: async (context) => {
    await sessionDelete(context);
    return 'Signed Out';
  },
};
