// Operator API: customer accounts.
import type { accountOperator } from '#contract/operator/account.ts';
import * as changes from '#app/operator/account-changes.ts';
import { accountGet, accountList } from '#app/operator/accounts.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const accountHandlers: HandlersOf<typeof accountOperator> = {
  accountList,
  accountGet: (context, { id }) => accountGet(context, id),
  accountCreate: changes.accountCreate,
  accountUpdate: respondWith('Account Changed', changes.accountUpdate),
  accountSuspend: respondWith('Account Suspended', (context, { id }) => changes.accountSuspend(context, id)),
  accountResume: respondWith('Account Resumed', (context, { id }) => changes.accountResume(context, id)),
  accountClose: respondWith('Account Closed', (context, { id }) => changes.accountClose(context, id)),
};
