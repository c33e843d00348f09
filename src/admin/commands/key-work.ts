// API keys of customers, made and ended beside the server.
import { AdminError } from '#app/admin-error.ts';
import { listKeys, makeKey, revokeKey } from '#app/account/key-admin.ts';
import type { KeyOptions } from '#cli/commands/key/make.ts';
import { makeKeyText } from '#kernel/key-text.ts';
import { say, wholeNumber, withYard } from '../command-line.ts';

export async function make(account: string, { name, scopes, allow, expires }: KeyOptions): Promise<void> {
  if ((allow ?? expires) !== undefined) throw new AdminError('--allow and --expires are for your own keys');
  await withYard(async (yard) => say(await makeKey(yard, wholeNumber(account), name, [...scopes])));
}

export async function list(account: string): Promise<void> {
  await withYard(async (yard) => (await listKeys(yard, wholeNumber(account))).forEach(say));
}

export async function revoke(account: string, id: string): Promise<void> {
  await withYard((yard) => revokeKey(yard, wholeNumber(account), wholeNumber(id)));
}

export function draw(): void {
  const { text, printableId, secretHash } = makeKeyText();
  say(`key   ${text}\nid:   ${printableId}\nhash: ${secretHash.toString('hex')}`);
}
