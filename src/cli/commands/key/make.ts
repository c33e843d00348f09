// hostyard key make: answers the key, this once.
import type { Command } from 'commander';
import type { KeyCreateInput } from '#sdk/v2.ts';
import { secondsOf } from '../../moments.ts';
import type { Session } from '../../session.ts';
import { listed, onCall } from '../../command.ts';
import type { Define } from '../../table.ts';

export interface KeyOptions {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly allow?: string[];
  readonly expires?: string;
}
type Scopes = KeyCreateInput['scopes'];

export const define: Define = (command, shell) =>
  onCall(withKeyOptions(command), shell, (session, options: KeyOptions) => makeOwnKey(session, options));

export function withKeyOptions(command: Command): Command {
  return command
    .option('--name <name>', 'what it is for', 'made on the command line')
    .option('--scopes <list>', 'with commas between; all unless told', gathered, ['all'])
    .option('--allow <networks>', 'from where it may be used, with commas between', listed)
    .option('--expires <moment>', 'such as 2027-01-31T12:00:00Z; never unless told');
}

/** The first that is given takes the place of what stands there untold. */
function gathered(value: string, before: readonly string[]): string[] {
  return listed(value, before.includes('all') ? [] : before);
}

export async function makeOwnKey({ client, show }: Session, options: KeyOptions): Promise<void> {
  const expires = options.expires === undefined ? {} : { expires: secondsOf(options.expires) };
  const allow = options.allow === undefined ? {} : { allow: options.allow };
  const made = await client.keyCreate({ name: options.name, scopes: options.scopes as Scopes, ...allow, ...expires });
  await show.drawn(made, () => `${made.key}\n`);
}
