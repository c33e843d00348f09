// Operator API: API keys of customers, and the audit logs.
import type { Handlers } from '#contract/endpoint.ts';
import type { keyOperator } from '#contract/operator/key.ts';
import { auditList } from '#app/operator/audit.ts';
import { keyCreate, keyList, keyRevoke } from '#app/operator/keys.ts';
import type { Context, Visitor } from '#app/app.ts';

export const keyHandlers: Handlers<typeof keyOperator, Context, Visitor> = {
  keyList: (context, { account }) => keyList(context, account),
  keyCreate,
  keyRevoke: async (context, { account, id }) => {
    await keyRevoke(context, account, id);
    return 'Key Revoked';
  },
  auditList,
};
