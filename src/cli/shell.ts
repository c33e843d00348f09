// A command's surroundings: streams, environment and home folder. Tests pass their own.
import { homedir } from 'node:os';
import type { Readable, Writable } from 'node:stream';

export interface Shell {
  readonly in: Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };
  /** Serial lines have 0 columns: nobody knows how many. */
  readonly out: Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };
  readonly err: Writable & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

export function processShell(): Shell {
  // A reader such as `head` may close the pipe early, which is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  // A command that is waiting goes on without a reader of its progress: its exit code is the result.
  process.stderr.on('error', () => {});
  return { in: process.stdin, out: process.stdout, err: process.stderr, env: process.env, home: homedir() };
}
