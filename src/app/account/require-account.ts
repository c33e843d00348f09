// Finds the account that a command on the server names.
import { CommandError } from '#lib/command-error.ts';
import type { AccountId } from '#store/account-id.ts';
import { accountFind } from '#store/account/accounts.ts';
import type { Queries } from '#store/store.ts';

/** Returns the account, or rejects the command if it does not exist. */
export async function requireAccount(queries: Queries, account: number) {
  const found = await accountFind(queries, account as AccountId);
  if (found === undefined)
    throw new CommandError(`Account ${account} does not exist. \`hostyard operator account list\` lists all.`);
  return found;
}
