// hostyard key: API keys of customers, made and ended beside the server.
import type { Command } from 'commander';
import { listKeys, makeKey, revokeKey } from '#app/account/key-admin.ts';
import { makeKeyText } from '#kernel/key-text.ts';
import { say, wholeNumber, withYard } from './command-line.ts';

export function keyMake(command: Command): void {
  command
    .requiredOption('--account <id>', 'whose key it is', wholeNumber)
    .option('--name <name>', 'what it is for', 'made on the command line')
    .option('--scopes <list>', 'with commas between', 'all')
    .action((options: { account: number; name: string; scopes: string }) =>
      withYard(async (yard) => say(await makeKey(yard, options.account, options.name, options.scopes.split(',')))),
    );
}

export function keyList(command: Command): void {
  command
    .requiredOption('--account <id>', 'whose keys', wholeNumber)
    .action((options: { account: number }) =>
      withYard(async (yard) => (await listKeys(yard, options.account)).forEach(say)),
    );
}

export function keyRevoke(command: Command): void {
  command
    .requiredOption('--account <id>', 'whose key it is', wholeNumber)
    .action((id: string, options: { account: number }) =>
      withYard((yard) => revokeKey(yard, options.account, wholeNumber(id))),
    );
}

export function keyDraw(command: Command): void {
  command.action(() => {
    const { text, printableId, secretHash } = makeKeyText();
    say(`key   ${text}\nid:   ${printableId}\nhash: ${secretHash.toString('hex')}`);
  });
}
