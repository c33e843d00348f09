// Slow work on parameters that must not run inside a transaction: hashing and verifying passwords, and resolving the URLs that a
// caller asks us to call. The declaration says what each parameter needs.
import type { Endpoint } from '#contract/endpoint.ts';
import { checkCallersPassword } from '#app/account/password-checks.ts';
import { generatePassword, hashPassword } from '#app/account/passwords.ts';
import type { App } from '#app/app.ts';
import type { Caller } from '#app/caller.ts';
import { checkUrl } from '#app/events/webhooks.ts';
import type { Input } from './parameters.ts';

type PrepareInput = (app: App, caller: Caller, input: Input) => Promise<Input>;
type Mark = 'x-hashed' | 'x-verified' | 'x-dialled';

/**
 * Returns a function that replaces passwords by their hash, or by the outcome of checking them, and rejects forbidden
 * URLs; or undefined if the endpoint has none of these.
 */
export function createInputPreparer({ params, generatesPassword }: Endpoint): PrepareInput | undefined {
  const markedWith = (mark: Mark): string[] => Object.keys(params).filter((name) => mark in params[name]!);
  const [hashed, verified, dialled] = [markedWith('x-hashed'), markedWith('x-verified'), markedWith('x-dialled')];
  const isPlain = [hashed, verified, dialled].every((names) => names.length === 0) && generatesPassword === undefined;
  if (isPlain) return undefined;

  return async (app, caller, input) => {
    const prepared = { ...input };
    const replace = async (names: readonly string[], replacement: (text: string) => unknown): Promise<void> => {
      for (const name of names) {
        const value = input[name];
        if (typeof value === 'string') prepared[name] = await replacement(value);
      }
    };
    await replace(verified, (password) => checkCallersPassword(app, caller, password));
    await replace(hashed, hashPassword);
    for (const name of dialled) {
      const url = input[name];
      if (typeof url === 'string') await checkUrl(app, name, url);
    }
    if (generatesPassword === 'always' || (generatesPassword !== undefined && input[generatesPassword] === true))
      prepared['generatedPassword'] = await generatePassword();
    return prepared;
  };
}
