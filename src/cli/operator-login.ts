// A key for one of the provider's staff: one that exists, which the server is asked about.
import { openFace } from '#sdk/face.ts';
import { paging, routes, type Each, type Methods } from '#sdk/generated/operator.ts';
import { HostyardError } from '#sdk/error.ts';
import { askedSecretly } from './ask.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import type { Shell } from './shell.ts';

export async function operatorKey(shell: Shell, url: string, _name: string | undefined): Promise<string> {
  const key = (await askedSecretly(shell, 'Operator key: ')).trim();
  if (key === '') throw new CommandError('There is no key.', exitCodes.usage);
  try {
    await openFace<Methods, Each>({ url, key }, { routes, paging }, 'json').methods.accountList({ limit: 1 });
  } catch (error) {
    // Whatever its role allows, the key is good.
    if (!(error instanceof HostyardError) || error.code !== 'role_missing') throw error;
  }
  return key;
}
