// A key for one of the provider's staff: one that exists, which the server is asked about, or one for signing in by name.
import { createClient } from '#sdk/operator.ts';
import { askedCode, askedSecretly } from './ask.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import type { Shell } from './shell.ts';

export async function operatorKey(shell: Shell, url: string, name: string | undefined): Promise<string> {
  return name === undefined ? knownKey(shell, url) : signedIn(shell, url, name);
}

async function knownKey(shell: Shell, url: string): Promise<string> {
  const key = (await askedSecretly(shell, 'Operator key: ')).trim();
  if (key === '') throw new CommandError('There is no key.', exitCodes.usage);
  await createClient({ url, key }).sessionGet();
  return key;
}

async function signedIn(shell: Shell, url: string, name: string): Promise<string> {
  const password = await askedSecretly(shell, 'Password: ');
  const session = await createClient({ url }).sessionCreate({ name, password, ...(await askedCode(shell)) });
  return session.key;
}
