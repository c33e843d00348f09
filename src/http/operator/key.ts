// Operator API: API keys of customers, and the audit logs.
import type { keyOperator } from '#contract/operator/key.ts';
import { auditList } from '#app/operator/audit.ts';
import { keyCreate, keyList, keyRevoke } from '#app/operator/keys.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const keyHandlers: HandlersOf<typeof keyOperator> = {
  keyList: (context, { account }) => keyList(context, account),
  keyCreate,
  keyRevoke: respondWith('Key Revoked', (context, { account, id }) => keyRevoke(context, account, id)),
  auditList,
};
