// hostyard key set: what a key is called, what it may do, from where, and until when.
import type { KeyUpdateInput } from '#sdk/v2.ts';
import { secondsOf } from '../../moments.ts';
import { listed, onCall } from '../../command.ts';
import type { Define } from '../../table.ts';

interface Options {
  readonly name?: string;
  readonly scopes?: KeyUpdateInput['scopes'];
  readonly allow?: string[];
  readonly expires?: string;
}

export const define: Define = (command, shell) => {
  command
    .option('--name <name>', 'what it is for')
    .option('--scopes <list>', 'what it may do, with commas between', listed)
    .option('--allow <networks>', 'from where it may be used, with commas between', listed)
    .option('--expires <moment>', 'until when, such as 2027-01-31T12:00:00Z');
  onCall(command, shell, async ({ client, show }, { expires, ...changes }: Options, id: string) => {
    await client.keyUpdate({ id, ...changes, ...(expires === undefined ? {} : { expires: secondsOf(expires) }) });
    await show.word('The key is changed.');
  });
};
