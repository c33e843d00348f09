// Signs in staff of the provider: with an existing key, which is checked with the server, or with name and password.
import { createClient } from '#sdk/operator.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { promptCode, promptSecret } from './prompt.ts';
import type { Shell } from './shell.ts';

export async function operatorKey(shell: Shell, url: string, name: string | undefined): Promise<string> {
  return name === undefined ? checkKey(shell, url) : signIn(shell, url, name);
}

async function checkKey(shell: Shell, url: string): Promise<string> {
  const key = (await promptSecret(shell, 'Operator key: ')).trim();
  if (key === '') throw new CommandError('No key was entered.', exitCodes.usage);
  await createClient({ url, key }).sessionGet();
  return key;
}

async function signIn(shell: Shell, url: string, name: string): Promise<string> {
  const password = await promptSecret(shell, 'Password: ');
  const session = await createClient({ url }).sessionCreate({ name, password, ...(await promptCode(shell)) });
  return session.key;
}
