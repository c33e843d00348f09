// The operator's side: accounts.
import type { Handlers } from '#contract/endpoint.ts';
import type { accountOperator } from '#contract/operator/account.ts';
import { accountGet, accountList } from '#app/operator/accounts.ts';
import type { Context, Visitor } from '#app/yard.ts';

export const accountHandlers: Handlers<typeof accountOperator, Context, Visitor> = {
  accountList,
  accountGet: (context, { id }) => accountGet(context, id),
};
