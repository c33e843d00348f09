// Version 2: support accesses to the account.
import type { supportV2 } from '#contract/v2/support.ts';
import { supportAccessEnd, supportAccessList } from '#app/operator/impersonation.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const supportHandlers: HandlersOf<typeof supportV2> = {
  supportAccessList,
  supportAccessEnd: respondWith('Support Access Ended', (context, { id }) => supportAccessEnd(context, id)),
};
