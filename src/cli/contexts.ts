// Named contexts: a server's URL and the keys to use with it, in a file that only its owner can read. HOSTYARD_URL and
// HOSTYARD_KEY override it, for scripts. A key is never an argument, because `ps` shows arguments to every user.
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandError, exitCodes } from './exit-codes.ts';
import type { Shell } from './shell.ts';

export interface Context {
  readonly url: string;
  readonly key?: string;
  /** For `hostyard operator`: staff can be customers too. */
  readonly operatorKey?: string;
}
export interface Contexts {
  readonly current?: string;
  readonly contexts: Readonly<Record<string, Context>>;
}
const othersMayRead = 0o044;
export type Role = 'customer' | 'operator';

export function contextsFile({ env, home }: Shell): string {
  const folder = env['XDG_CONFIG_HOME'] || join(home, '.config');
  return join(folder, 'hostyard', 'config.yaml');
}

export async function readContexts(shell: Shell): Promise<Contexts> {
  const file = contextsFile(shell);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { contexts: {} };
    throw error;
  }
  if (((await stat(file)).mode & othersMayRead) !== 0)
    shell.err.write(`Warning: other users can read your keys. Run: chmod 600 ${file}\n`);
  const { parse } = await import('yaml');
  const value = parse(text) as Partial<Contexts> | null;
  const contexts = value?.contexts ?? {};
  const isValid = Object.values(contexts).every((context) => typeof context?.url === 'string');
  if (!isValid) throw new CommandError(`${file}: every context needs a url.`);
  return { contexts, ...(typeof value?.current === 'string' ? { current: value.current } : {}) };
}

export async function writeContexts(shell: Shell, contexts: Contexts): Promise<void> {
  const file = contextsFile(shell);
  const { stringify } = await import('yaml');
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // Renamed into place, so that the file is never incomplete or readable by others.
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, stringify(contexts), { mode: 0o600, flag: 'wx' });
  await rename(temporary, file);
}

/** Returns the context that was named, else the one from the environment, else the current one. */
export async function resolveContext(shell: Shell, role: Role, name?: string): Promise<{ url: string; key: string }> {
  const { HOSTYARD_URL: envUrl, HOSTYARD_KEY: envKey } = shell.env;
  if (name === undefined && envUrl && !isWebUrl(envUrl))
    throw new CommandError(
      `HOSTYARD_URL must be a URL such as https://api.example.net, not “${envUrl}”.`,
      exitCodes.usage,
    );
  if (name === undefined && envUrl && envKey) return { url: envUrl, key: envKey };
  const { current, contexts } = await readContexts(shell);
  const contextName = name ?? current;
  const context = contextName === undefined ? undefined : contexts[contextName];
  if (name !== undefined && context === undefined)
    throw new CommandError(`Context ${name} not found.`, exitCodes.usage);
  const url = (name === undefined ? envUrl : undefined) || context?.url;
  const key = (name === undefined ? envKey : undefined) || (role === 'operator' ? context?.operatorKey : context?.key);
  if (url && key) return { url, key };
  throw new CommandError(
    `Not signed in. Run ${loginCommands[role]}, or set HOSTYARD_URL and HOSTYARD_KEY.`,
    exitCodes.denied,
  );
}

const loginCommands: Readonly<Record<Role, string>> = {
  customer: 'hostyard login',
  operator: 'hostyard login --operator --name NAME',
};

/**
 * Returns a line for a caller whose key was rejected: that HOSTYARD_KEY took precedence over a context with a key of this role, or
 * how to sign in again if the key of the context is no longer valid.
 */
export async function explainKey(
  shell: Shell,
  role: Role,
  name: string | undefined,
  isValid: boolean,
): Promise<string | undefined> {
  if (name !== undefined || !shell.env['HOSTYARD_KEY'])
    return isValid ? undefined : `Sign in again with ${loginCommands[role]}.`;
  const { current, contexts } = await readContexts(shell);
  const context = contexts[current ?? ''];
  if ((role === 'operator' ? context?.operatorKey : context?.key) === undefined) return undefined;
  return `The key in HOSTYARD_KEY was used. To use the context ${current}, unset HOSTYARD_KEY.`;
}

function isWebUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
