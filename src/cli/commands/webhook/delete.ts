// hostyard webhook delete: with its delivery log.
import { confirmed } from '../../ask.ts';
import { onCall, withYes } from '../../command.ts';
import { CommandError, exitCodes } from '../../exit-codes.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) => {
  withYes(command);
  onCall(command, shell, async ({ client, show }, options: { yes?: boolean }, id: string) => {
    const [webhook] = await client.webhookGet({ id });
    if (webhook === undefined) throw new CommandError(`There is no webhook ${id}.`, exitCodes.notFound);
    await confirmed(shell, `Remove the webhook to ${webhook.url} with its delivery log?`, options);
    await client.webhookDelete({ id });
    await show.word('The webhook is removed.');
  });
};
