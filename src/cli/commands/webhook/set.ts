// hostyard webhook set: changes a webhook, switches it on or off, or gives it a new secret.
import { Option } from 'commander';
import type { WebhookUpdateInput } from '#sdk/v2.ts';
import { listed, onCall } from '../../command.ts';
import type { Define } from '../../table.ts';

interface Options {
  readonly url?: string;
  readonly events?: WebhookUpdateInput['events'];
  readonly description?: string;
  readonly status?: 'Active' | 'Off';
  readonly rotate?: boolean;
}

export const define: Define = (command, shell) => {
  command
    .option('--url <url>', 'where it goes')
    .option('--events <types>', 'with commas between', listed)
    .option('--description <text>', 'what it is for')
    .addOption(new Option('--status <status>', 'on or off').choices(['Active', 'Off']))
    .option('--rotate', 'a new secret; the old one signs too for a day');
  onCall(command, shell, async ({ client, show }, { rotate, ...changes }: Options, id: string) => {
    const changed = await client.webhookUpdate({
      id,
      ...changes,
      ...(rotate === true ? { rotate, overlap: 86_400 } : {}),
    });
    await (rotate === true ? show.fields(changed) : show.word('The webhook is changed.'));
  });
};
