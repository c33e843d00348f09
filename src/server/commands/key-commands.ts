// hostyard key with --account: manages the keys of a customer on the server itself. Without it, the caller's own keys are
// managed through the API, and the server's code is not loaded.
import { withYes, type YesOption } from '#cli/command.ts';
import { createOwnKey, listOwnKeys, revokeOwnKey, withKeyOptions, type KeyOptions } from '#cli/commands/key.ts';
import { openSession } from '#cli/session.ts';
import type { Define } from '#cli/command-tree.ts';

interface AccountOption {
  readonly account?: string;
}
const accountOption = ['--account <id>', 'On the server itself: the account that owns the key'] as const;
const accountKeys = () => import('./account-keys.ts');

export const keyCreate: Define = (command, shell) =>
  withKeyOptions(command)
    .option(...accountOption)
    .action(async (options: KeyOptions & AccountOption) => {
      if (options.account === undefined) await createOwnKey(await openSession(command, shell), options);
      else await (await accountKeys()).createAccountKey(options.account, options);
    });

export const keyList: Define = (command, shell) =>
  command.option(...accountOption).action(async ({ account }: AccountOption) => {
    if (account === undefined) await listOwnKeys(await openSession(command, shell));
    else await (await accountKeys()).listAccountKeys(account);
  });

export const keyRevoke: Define = (command, shell) =>
  withYes(command)
    .option(...accountOption)
    .action(async (id: string, options: AccountOption & YesOption) => {
      if (options.account === undefined) await revokeOwnKey(await openSession(command, shell), id, options);
      else await (await accountKeys()).revokeAccountKey(options.account, id);
    });

export const keyGenerate: Define = (command) => command.action(async () => (await accountKeys()).generateKey());
