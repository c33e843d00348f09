// hostyard login and logout. Signing in stores a key in a context once the server has accepted it. Keys and passwords are
// typed without echo or read from standard input; they are never arguments.
import { HostyardError } from '#sdk/error.ts';
import { createClient, type Client, type ClientSettings } from '#sdk/v2.ts';
import { localHandler } from '../command.ts';
import { contextsFile, readContexts, writeContexts } from '../contexts.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { prompt, promptCode, promptSecret } from '../prompt.ts';
import type { GlobalOptions, Invocation } from '../session.ts';
import type { Shell } from '../shell.ts';

interface LoginOptions {
  readonly url?: string;
  readonly email?: string;
  readonly operator?: boolean;
  readonly name?: string;
}

export const urlOption = ['--url <url>', 'Address of Hostyard, such as https://api.example.net'] as const;

export const login = localHandler({
  options: (command) =>
    command
      .option(...urlOption)
      .option('--email <address>', 'Sign in with a password instead of a key; lasts 12 hours')
      .option('--operator', 'Sign in as staff of the provider')
      .option('--name <name>', 'Operator name, to sign in with password and code instead of a key'),
  async run({ command, shell }: Invocation, _: unknown, options: LoginOptions) {
    const { contexts, current } = await readContexts(shell);
    const name = command.optsWithGlobals<GlobalOptions>().context ?? current ?? 'default';
    const url = await findUrl(shell, options.url, contexts[name]?.url);
    if (url.protocol === 'http:' && !isLoopback(url.hostname))
      shell.err.write('Warning: http is not encrypted. Use https if you can.\n');
    const key = await obtainKey(shell, url.href, options);
    const context = {
      ...contexts[name],
      url: url.href.replace(/\/$/, ''),
      ...(options.operator === true ? { operatorKey: key } : { key }),
    };
    await writeContexts(shell, { current: name, contexts: { ...contexts, [name]: context } });
    shell.err.write(`Signed in. Context ${name} saved in ${contextsFile(shell)}.\n`);
    if (shell.env['HOSTYARD_KEY'])
      shell.err.write('HOSTYARD_KEY is set and takes precedence: unset it to use this context.\n');
  },
});

/** Removes the keys of a context. A key that came from signing in with a password is revoked on the server too. */
export const logout = localHandler({
  async run({ command, shell }: Invocation) {
    const { contexts, current } = await readContexts(shell);
    const name = command.optsWithGlobals<GlobalOptions>().context ?? current;
    const context = name === undefined ? undefined : contexts[name];
    if (name === undefined || context === undefined)
      throw new CommandError(`${name === undefined ? 'Context' : `Context ${name}`} not found.`, exitCodes.notFound);
    if (context.key !== undefined) await endSession(createClient(singleTry(context.url, context.key)));
    if (context.operatorKey !== undefined) {
      const operator = await import('#sdk/operator.ts');
      await endSession(operator.createClient(singleTry(context.url, context.operatorKey)));
    }
    await writeContexts(shell, {
      ...(current === undefined ? {} : { current }),
      contexts: { ...contexts, [name]: { url: context.url } },
    });
    shell.err.write(`Signed out of ${name}.\n`);
  },
});

interface LinkOptions {
  readonly url?: string;
  readonly email?: string;
}

/** Asks for a link, and then for its token and a new password. */
export const recover = localHandler({
  options: (command) => command.option(...urlOption).option('--email <address>', 'The address you sign in with'),
  async run(invocation: Invocation, _: unknown, { url, email }: LinkOptions) {
    const { shell } = invocation;
    const client = await openClient(invocation, url);
    await client.recoveryRequest({ email: email ?? (await prompt(shell, 'Email address: ')) });
    shell.err.write('If this address can be used to sign in, a link was sent to it.\n');
    await client.recoveryComplete(await promptLink(shell));
    shell.err.write('Password changed. Sign in with hostyard login --email.\n');
  },
});

export const join = localHandler({
  options: (command) => command.option(...urlOption),
  async run(invocation: Invocation, _: unknown, { url }: LinkOptions) {
    const client = await openClient(invocation, url);
    await client.invitationAccept(await promptLink(invocation.shell));
    invocation.shell.err.write('Invitation accepted. Sign in with hostyard login --email.\n');
  },
});

export async function promptLink(shell: Shell) {
  const link = await promptSecret(shell, 'Link from the message: ');
  const token = link.trim().replace(/^.*#/, '');
  return { token, newpassword: await promptSecret(shell, 'New password: ') };
}

export async function openClient({ command, shell }: Invocation, given: string | undefined): Promise<Client> {
  const { contexts, current } = await readContexts(shell);
  const name = command.optsWithGlobals<GlobalOptions>().context ?? current ?? 'default';
  return createClient({ url: (await findUrl(shell, given, contexts[name]?.url)).href });
}

async function findUrl(shell: Shell, given: string | undefined, stored: string | undefined): Promise<URL> {
  return parseUrl(given ?? shell.env['HOSTYARD_URL'] ?? stored ?? (await promptUrl(shell)));
}

async function obtainKey(shell: Shell, url: string, options: LoginOptions): Promise<string> {
  if (options.operator === true) return obtainOperatorKey(shell, url, options.name);
  if (options.email !== undefined) {
    const password = await promptSecret(shell, 'Password: ');
    const code = await promptCode(shell);
    return (await createClient({ url }).sessionCreate({ email: options.email, password, ...code })).key;
  }
  const key = await promptKey(shell, 'API key: ');
  try {
    await createClient({ url, key }).accountGet();
  } catch (error) {
    // A key without permission to read the account is still a valid key.
    if (!(error instanceof HostyardError) || error.code !== 'scope_missing') throw error;
  }
  return key;
}

/** Signs in staff of the provider: with an existing key, which is checked, or with name and password. */
async function obtainOperatorKey(shell: Shell, url: string, name: string | undefined): Promise<string> {
  const operator = await import('#sdk/operator.ts');
  if (name !== undefined) {
    const password = await promptSecret(shell, 'Password: ');
    return (await operator.createClient({ url }).sessionCreate({ name, password, ...(await promptCode(shell)) })).key;
  }
  const key = await promptKey(shell, 'Operator key: ', ' To sign in with a password, add --name NAME.');
  await operator.createClient({ url, key }).sessionGet();
  return key;
}

async function promptKey(shell: Shell, question: string, hint = ''): Promise<string> {
  const key = (await promptSecret(shell, question)).trim();
  if (key === '') throw new CommandError(`No key was entered.${hint}`, exitCodes.usage);
  return key;
}

async function endSession(client: { sessionDelete(): Promise<unknown> }): Promise<void> {
  try {
    await client.sessionDelete();
  } catch (error) {
    // The key does not belong to a session, or has expired: there is nothing to end.
    if (!(error instanceof HostyardError)) throw error;
  }
}

function singleTry(url: string, key: string): ClientSettings {
  return { url, key, retry: { attempts: 1 }, timeoutMs: 10_000 };
}

async function promptUrl(shell: Shell): Promise<string> {
  if (shell.in.isTTY !== true) throw new CommandError('Pass the address of Hostyard with --url.', exitCodes.usage);
  return prompt(shell, 'Address of Hostyard (https://…): ');
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '')
    throw new CommandError(`Invalid address ${text}: use a URL like https://api.example.net.`, exitCodes.usage);
  return url;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.[0-9]{1,3}){3}$/.test(host);
}
