// Secrets in a site file may stand somewhere else: `{ env: NAME }` in the environment, `{ file: path }` in a file. They are
// read when the file is, and sealed in the database.
import { readFileSync } from 'node:fs';

export class SecretMissing extends Error {}

type Settings = Readonly<Record<string, unknown>>;

/** The settings with every reference replaced by what it names. */
export function resolveSecrets(settings: Settings): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, resolved(name, value)]));
}

function resolved(name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const [[kind, where] = [undefined, undefined], ...more] = Object.entries(value);
  if (Array.isArray(value)) return value;
  if (more.length > 0 || typeof where !== 'string') return resolveSecrets(value as Settings);
  if (kind === 'env') {
    const text = process.env[where];
    if (text === undefined) throw new SecretMissing(`${name}: the environment has no ${where}`);
    return text;
  }
  if (kind === 'file') {
    try {
      return readFileSync(where, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      throw new SecretMissing(`${name}: ${where} cannot be read (${(error as NodeJS.ErrnoException).code})`);
    }
  }
  return resolveSecrets(value as Settings);
}
