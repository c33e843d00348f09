// hostyard key: with --account, the keys of a customer, beside the server. Without, the caller's own, through the API; those
// calls must not wait for the server's code.
import { ownKeys } from '#cli/commands/key/list.ts';
import { makeOwnKey, withKeyOptions, type KeyOptions } from '#cli/commands/key/make.ts';
import { revokeOwnKey } from '#cli/commands/key/revoke.ts';
import { withYes } from '#cli/command.ts';
import { openSession } from '#cli/session.ts';
import type { Define } from '#cli/table.ts';

const account = ['--account <id>', 'on the server itself: whose'] as const;
const work = () => import('./key-work.ts');

export const keyMake: Define = (command, shell) =>
  withKeyOptions(command)
    .option(...account)
    .action(async (options: KeyOptions & { account?: string }) => {
      if (options.account === undefined) await makeOwnKey(await openSession(command, shell), options);
      else await (await work()).make(options.account, options);
    });

export const keyList: Define = (command, shell) =>
  command.option(...account).action(async (options: { account?: string }) => {
    if (options.account === undefined) await ownKeys(await openSession(command, shell));
    else await (await work()).list(options.account);
  });

export const keyRevoke: Define = (command, shell) =>
  withYes(command)
    .option(...account)
    .action(async (id: string, options: { account?: string; yes?: boolean }) => {
      if (options.account === undefined) await revokeOwnKey(await openSession(command, shell), shell, options, id);
      else await (await work()).revoke(options.account, id);
    });

export const keyDraw: Define = (command) => command.action(async () => (await work()).draw());
