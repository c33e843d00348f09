// hostyard login: keeps a key in a context, after the server has taken it. The key or the password is typed unseen, or comes on
// standard input; it is never an argument.
import type { Command } from 'commander';
import { HostyardError } from '#sdk/error.ts';
import { createClient } from '#sdk/v2.ts';
import { asked, askedCode, askedSecretly } from '../ask.ts';
import { contextsFile, readContexts, writeContexts } from '../contexts.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import type { GlobalOptions } from '../session.ts';
import type { Shell } from '../shell.ts';
import type { Define } from '../table.ts';

interface Options extends GlobalOptions {
  readonly url?: string;
  readonly email?: string;
  readonly operator?: boolean;
  readonly name?: string;
}

export const define: Define = (command: Command, shell: Shell) => {
  command
    .option('--url <url>', 'where Hostyard answers, such as https://api.example.net')
    .option('--email <address>', 'sign in with a password rather than a key; it lasts 12 hours')
    .option('--operator', 'as one of the provider’s staff')
    .option('--name <name>', 'of the operator: sign in with password and code rather than a key')
    .action(async () => {
      const options = command.optsWithGlobals<Options>();
      const before = await readContexts(shell);
      const name = options.context ?? before.current ?? 'default';
      const url = checkedUrl(
        options.url ?? shell.env['HOSTYARD_URL'] ?? before.contexts[name]?.url ?? (await askedUrl(shell)),
      );
      if (url.protocol === 'http:' && !isLoopback(url.hostname))
        shell.err.write('Anyone on the way can read what is sent over http: use https where you can.\n');
      const key = await obtainedKey(shell, url.href, options);
      const kept = { ...before.contexts[name], url: url.href.replace(/\/$/, '') };
      const context = options.operator === true ? { ...kept, operatorKey: key } : { ...kept, key };
      await writeContexts(shell, { current: name, contexts: { ...before.contexts, [name]: context } });
      shell.err.write(`Signed in. The context ${name} is in ${contextsFile(shell)}.\n`);
    });
};

async function obtainedKey(shell: Shell, url: string, options: Options): Promise<string> {
  if (options.operator === true) return (await import('../operator-login.ts')).operatorKey(shell, url, options.name);
  if (options.email !== undefined) {
    const password = await askedSecretly(shell, 'Password: ');
    const code = await askedCode(shell);
    return (await createClient({ url }).sessionCreate({ email: options.email, password, ...code })).key;
  }
  const key = (await askedSecretly(shell, 'API key: ')).trim();
  if (key === '') throw new CommandError('There is no key.', exitCodes.usage);
  try {
    await createClient({ url, key }).accountGet();
  } catch (error) {
    // A key that may not read the account is a good key all the same.
    if (!(error instanceof HostyardError) || error.code !== 'scope_missing') throw error;
  }
  return key;
}

async function askedUrl(shell: Shell): Promise<string> {
  if (shell.in.isTTY !== true) throw new CommandError('Say where Hostyard answers: --url.', exitCodes.usage);
  return asked(shell, 'Where Hostyard answers (https://…): ');
}

function checkedUrl(text: string): URL {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '')
    throw new CommandError(`${text} is no address such as https://api.example.net.`, exitCodes.usage);
  return url;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.[0-9]{1,3}){3}$/.test(host);
}
