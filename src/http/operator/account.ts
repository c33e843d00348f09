// Operator API: customer accounts.
import type { Handlers } from '#contract/endpoint.ts';
import type { accountOperator } from '#contract/operator/account.ts';
import * as changes from '#app/operator/account-changes.ts';
import { accountGet, accountList } from '#app/operator/accounts.ts';
import type { Context, Visitor } from '#app/app.ts';

export const accountHandlers: Handlers<typeof accountOperator, Context, Visitor> = {
  accountList,
  accountGet: (context, { id }) => accountGet(context, id),
  accountCreate: changes.accountCreate,
  accountUpdate: async (context, { id, ...fields }) => {
    await changes.accountUpdate(context, id, fields);
    return 'Account Changed';
  },
  accountSuspend: async (context, { id }) => {
    await changes.accountSuspend(context, id);
    return 'Account Suspended';
  },
  accountResume: async (context, { id }) => {
    await changes.accountResume(context, id);
    return 'Account Resumed';
  },
  accountClose: async (context, { id }) => {
    await changes.accountClose(context, id);
    return 'Account Closed';
  },
};
