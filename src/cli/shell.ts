// What a command knows of the world outside it: streams, environment, home. Tests call the program with a shell of their own.
import { homedir } from 'node:os';
import type { Readable, Writable } from 'node:stream';

export interface Shell {
  readonly in: Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };
  readonly out: Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };
  readonly err: Writable & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

export function processShell(): Shell {
  // Whoever read the answer, such as `head`, has read enough.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  return { in: process.stdin, out: process.stdout, err: process.stderr, env: process.env, home: homedir() };
}
