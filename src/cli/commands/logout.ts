// hostyard logout: forgets the keys of a context. A key that came from signing in with a password is ended on the server too.
import type { Command } from 'commander';
import { HostyardError } from '#sdk/error.ts';
import { createClient, type ClientSettings } from '#sdk/v2.ts';
import { readContexts, writeContexts } from '../contexts.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import type { GlobalOptions } from '../session.ts';
import type { Shell } from '../shell.ts';
import type { Define } from '../table.ts';

export const define: Define = (command: Command, shell: Shell) =>
  command.action(async () => {
    const { contexts, current } = await readContexts(shell);
    const name = command.optsWithGlobals<GlobalOptions>().context ?? current;
    const context = name === undefined ? undefined : contexts[name];
    if (name === undefined || context === undefined)
      throw new CommandError('There is no such context to sign out of.', exitCodes.notFound);
    if (context.key !== undefined) await ended(createClient(briefly(context.url, context.key)));
    if (context.operatorKey !== undefined) {
      const operator = await import('#sdk/operator.ts');
      await ended(operator.createClient(briefly(context.url, context.operatorKey)));
    }
    await writeContexts(shell, {
      ...(current === undefined ? {} : { current }),
      contexts: { ...contexts, [name]: { url: context.url } },
    });
    shell.err.write(`Signed out of ${name}.\n`);
  });

function briefly(url: string, key: string): ClientSettings {
  return { url, key, retry: { attempts: 1 }, timeoutMs: 10_000 };
}

async function ended(client: { sessionDelete(): Promise<unknown> }): Promise<void> {
  try {
    await client.sessionDelete();
  } catch (error) {
    // A key that is no session's is kept by whoever gave it; one that is over needs no end.
    if (!(error instanceof HostyardError)) throw error;
  }
}
