// v2: API keys and the audit log.
import type { keyV2 } from '#contract/v2/key.ts';
import { auditGet } from '#app/account/audit.ts';
import { keyCreate, keyDelete, keyGet, keyUpdate } from '#app/account/keys.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const keyHandlers: HandlersOf<typeof keyV2> = {
  keyGet: (context, { id }) => keyGet(context, id),
  keyCreate,
  keyUpdate: (context, { id, ...change }) => keyUpdate(context, id, change),
  keyDelete: respondWith('Key Revoked', (context, { id }) => keyDelete(context, id)),
  auditGet,
};
