// The context of a command's handler: shell and printer, and for API commands a client that is signed in.
import type { Command } from 'commander';
import { createClient, type Client } from '#sdk/v2.ts';
import type { Client as LegacyClient } from '#sdk/legacy.ts';
import { resolveContext } from './contexts.ts';
import { createPrinter, type Format, type Printer } from './output/printer.ts';
import type { Shell } from './shell.ts';

export interface Invocation {
  readonly command: Command;
  readonly shell: Shell;
  readonly print: Printer;
}
export interface Session extends Invocation {
  readonly client: Client;
  readonly url: string;
  /** For operations that version 2 does not have. */
  legacy(): Promise<LegacyClient>;
}
export interface GlobalOptions {
  readonly output?: Format;
  readonly context?: string;
}

export async function openSession(command: Command, shell: Shell): Promise<Session> {
  const { url, key } = await resolveContext(shell, 'customer', command.optsWithGlobals<GlobalOptions>().context);
  return {
    command,
    shell,
    print: printerFor(command, shell),
    client: createClient({ url, key }),
    url,
    legacy: async () => (await import('#sdk/legacy.ts')).createClient({ url, key }),
  };
}

export function printerFor(command: Command, shell: Shell): Printer {
  return createPrinter(shell, command.optsWithGlobals<GlobalOptions>().output ?? 'table');
}
