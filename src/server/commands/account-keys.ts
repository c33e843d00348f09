// API keys of a customer, managed on the server itself.
import { CommandError } from '#lib/command-error.ts';
import { listKeys, createKey, revokeKey } from '#app/account/key-admin.ts';
import type { KeyOptions } from '#cli/commands/key.ts';
import { dnsLimitsInput } from '#cli/dns-limits.ts';
import { createKeyText } from '#lib/key-text.ts';
import { printLine, parseWholeNumber, withApp } from '../command-line.ts';

export async function createAccountKey(account: string, options: KeyOptions): Promise<void> {
  const { name, scopes, allow, services, expires } = options;
  if ((allow ?? services ?? expires ?? dnsLimitsInput(options).dns) !== undefined)
    throw new CommandError('--allow, --services, --expires and limits to DNS records cannot be used with --account.');
  await withApp(async (app) => printLine(await createKey(app, parseWholeNumber(account), name, [...scopes])));
}

export async function listAccountKeys(account: string): Promise<void> {
  await withApp(async (app) => (await listKeys(app, parseWholeNumber(account))).forEach(printLine));
}

export async function revokeAccountKey(account: string, id: string): Promise<void> {
  await withApp((app) => revokeKey(app, parseWholeNumber(account), parseWholeNumber(id)));
}

export function generateKey(): void {
  const { text, printableId, secretHash } = createKeyText();
  printLine(`key   ${text}\nid:   ${printableId}\nhash: ${secretHash.toString('hex')}`);
}
