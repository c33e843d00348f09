// v2: API keys and the audit log.
import type { Handlers } from '#contract/endpoint.ts';
import type { keyV2 } from '#contract/v2/key.ts';
import { auditGet } from '#app/account/audit.ts';
import { keyCreate, keyDelete, keyGet, keyUpdate } from '#app/account/keys.ts';
import type { Context, Visitor } from '#app/app.ts';

export const keyHandlers: Handlers<typeof keyV2, Context, Visitor> = {
  keyGet: (context, { id }) => keyGet(context, id),
  keyCreate,
  keyUpdate: (context, { id, ...change }) => keyUpdate(context, id, change),
  keyDelete: async (context, { id }) => {
    await keyDelete(context, id);
    return 'Key Revoked';
  },
  auditGet,
};
