// Slow work on parameters that must not run inside a transaction: hashing and verifying passwords, parsing zone files,
// looking up proofs of control in the DNS, and resolving the URLs that a caller asks us to call. The declaration says what each parameter needs.
import type { Endpoint } from '#contract/endpoint.ts';
import { hashNewPassword } from '#app/account/new-passwords.ts';
import { checkCallersPassword } from '#app/account/password-checks.ts';
import { callerLane } from '#app/account/password-queue.ts';
import { generatePassword } from '#app/account/passwords.ts';
import type { App } from '#app/app.ts';
import type { Caller } from '#app/caller.ts';
import { proveDomain } from '#app/dns/domain-proof.ts';
import { parseZoneFile } from '#app/dns/zonefile.ts';
import { checkUrl } from '#app/events/webhooks.ts';
import { proveSignOnDomain } from '#app/sign-on/domains.ts';
import { invalid } from '#lib/api-error.ts';
import type { Input } from './parameters.ts';

type PrepareInput = (app: App, caller: Caller, input: Input) => Promise<Input>;
type Mark = 'x-hashed' | 'x-verified' | 'x-called' | 'x-parsed' | 'x-proven' | 'x-sign-on';

/**
 * Returns a function that replaces passwords by their hash, or by the outcome of checking them, zone files by their
 * records and domains by the proof of control, and rejects forbidden URLs; or undefined if the endpoint has none of these.
 */
export function createInputPreparer({ params, generatesPassword }: Endpoint): PrepareInput | undefined {
  const markedWith = (mark: Mark): string[] => Object.keys(params).filter((name) => mark in params[name]!);
  const [hashed, verified, called] = [markedWith('x-hashed'), markedWith('x-verified'), markedWith('x-called')];
  const [parsed, proven, signOn] = [markedWith('x-parsed'), markedWith('x-proven'), markedWith('x-sign-on')];
  const marked = [...hashed, ...verified, ...called, ...parsed, ...proven, ...signOn];
  const isPlain = marked.length === 0 && generatesPassword === undefined;
  if (isPlain) return undefined;

  return async (app, caller, input) => {
    const prepared = { ...input };
    const replace = async (
      names: readonly string[],
      replacement: (text: string, name: string) => unknown,
    ): Promise<void> => {
      for (const name of names) {
        const value = input[name];
        if (typeof value === 'string') prepared[name] = await replacement(value, name);
      }
    };
    if (verified.some((name) => hashed.some((other) => input[name] !== undefined && input[name] === input[other])))
      throw invalid(Object.fromEntries(hashed.map((name) => [name, 'must differ from the current password'])));
    await replace(verified, (password) => checkCallersPassword(app, caller, password));
    await replace(hashed, (password, name) => hashNewPassword(password, name, callerLane(caller)));
    await replace(parsed, (text) => parseZoneFile(app, caller, Number(input['domain']), text));
    await replace(proven, (domain) => proveDomain(app, caller, domain));
    await replace(signOn, (domain) => proveSignOnDomain(app, caller, domain));
    for (const name of called) {
      const url = input[name];
      if (typeof url === 'string') await checkUrl(app, caller, name, url);
    }
    if (generatesPassword === 'always' || (generatesPassword !== undefined && input[generatesPassword] === true))
      prepared['generatedPassword'] = await generatePassword(callerLane(caller));
    return prepared;
  };
}
