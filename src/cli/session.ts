// What a customer's command works with: the API as its caller, and a way to answer.
import type { Command } from 'commander';
import { createClient, type Client } from '#sdk/v2.ts';
import type { Client as LegacyClient } from '#sdk/legacy.ts';
import { chosenContext } from './contexts.ts';
import { showOn, type Format, type Show } from './output/show.ts';
import type { Shell } from './shell.ts';

export interface Session {
  readonly client: Client;
  readonly url: string;
  readonly show: Show;
  /** For what version 2 has not. */
  legacy(): Promise<LegacyClient>;
}
export interface GlobalOptions {
  readonly output?: Format;
  readonly context?: string;
}

export async function openSession(command: Command, shell: Shell): Promise<Session> {
  const options = command.optsWithGlobals<GlobalOptions>();
  const { url, key } = await chosenContext(shell, 'customer', options.context);
  return {
    client: createClient({ url, key }),
    url,
    show: showFor(command, shell),
    legacy: async () => (await import('#sdk/legacy.ts')).createClient({ url, key }),
  };
}

export function showFor(command: Command, shell: Shell): Show {
  return showOn(shell, command.optsWithGlobals<GlobalOptions>().output ?? 'table');
}
