// hostyard webhook add: answers the secret for checking signatures, this once.
import type { WebhookCreateInput } from '#sdk/v2.ts';
import { listed, onCall } from '../../command.ts';
import type { Define } from '../../table.ts';

interface Options {
  readonly events?: string[];
  readonly description?: string;
}

export const define: Define = (command, shell) => {
  command
    .option('--events <types>', 'with commas between; all unless told', listed)
    .option('--description <text>', 'what it is for');
  onCall(command, shell, async ({ client, show }, options: Options, url: string) =>
    show.fields(await client.webhookCreate({ url, ...(options as Pick<WebhookCreateInput, 'events'>) })),
  );
};
