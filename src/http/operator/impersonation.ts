// Operator API: impersonation of customers.
import type { impersonationOperator } from '#contract/operator/impersonation.ts';
import { impersonationEnd, impersonationList, impersonationStart } from '#app/operator/impersonation.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const impersonationHandlers: HandlersOf<typeof impersonationOperator> = {
  impersonationList,
  impersonationStart,
  impersonationEnd: respondWith('Impersonation Ended', (context, { id }) => impersonationEnd(context, id)),
};
