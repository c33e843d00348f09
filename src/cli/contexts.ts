// Whom a command speaks to and as whom: named contexts in a file that only its owner can read. HOSTYARD_URL and HOSTYARD_KEY
// stand above it, for scripts. A key is never an argument: other people's `ps` would show it.
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandError, exitCodes } from './exit-codes.ts';
import type { Shell } from './shell.ts';

export interface Context {
  readonly url: string;
  readonly key?: string;
  /** For `hostyard operator`, whose staff may be customers too. */
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
    shell.err.write(`Others can read your keys: chmod 600 ${file}\n`);
  const { parse } = await import('yaml');
  const value = parse(text) as Partial<Contexts> | null;
  const contexts = value?.contexts ?? {};
  const isGood = Object.values(contexts).every((context) => typeof context?.url === 'string');
  if (!isGood) throw new CommandError(`${file}: every context needs a url`);
  return { contexts, ...(typeof value?.current === 'string' ? { current: value.current } : {}) };
}

export async function writeContexts(shell: Shell, contexts: Contexts): Promise<void> {
  const file = contextsFile(shell);
  const { stringify } = await import('yaml');
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // Whole or not at all, and never for a moment readable by others.
  const fresh = `${file}.${process.pid}`;
  await writeFile(fresh, stringify(contexts), { mode: 0o600, flag: 'wx' });
  await rename(fresh, file);
}

/** The context of this call: as told, as the environment says, or the current one. */
export async function chosenContext(shell: Shell, role: Role, name?: string): Promise<{ url: string; key: string }> {
  const { HOSTYARD_URL: url, HOSTYARD_KEY: key } = shell.env;
  if (name === undefined && url && key) return { url, key };
  const { current, contexts } = await readContexts(shell);
  const wanted = name ?? current;
  const context = wanted === undefined ? undefined : contexts[wanted];
  if (name !== undefined && context === undefined)
    throw new CommandError(`There is no context ${name}.`, exitCodes.usage);
  const chosen = {
    url: (name === undefined ? url : undefined) || context?.url,
    key: (name === undefined ? key : undefined) || (role === 'operator' ? context?.operatorKey : context?.key),
  };
  if (chosen.url && chosen.key) return { url: chosen.url, key: chosen.key };
  const login = role === 'operator' ? 'hostyard login --operator' : 'hostyard login';
  throw new CommandError(`You are not signed in: ${login}, or set HOSTYARD_URL and HOSTYARD_KEY.`, exitCodes.refused);
}
