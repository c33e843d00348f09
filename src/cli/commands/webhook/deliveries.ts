// hostyard webhook deliveries: what was sent or is to be sent, newest first.
import { Option } from 'commander';
import { onCall } from '../../command.ts';
import type { Define } from '../../table.ts';

const statuses = ['Pending', 'Delivered', 'Failed'] as const;
interface Options {
  readonly status?: (typeof statuses)[number];
  readonly limit: string;
}

export const define: Define = (command, shell) => {
  command
    .addOption(new Option('--status <status>', 'only of this status').choices(statuses))
    .option('--limit <number>', 'at most so many', '50');
  onCall(command, shell, async ({ client, show }, { status, limit }: Options, webhook?: string) => {
    const asked = { limit: Number(limit), ...(webhook === undefined ? {} : { webhook }) };
    const deliveries = await client.deliveryGet({ ...asked, ...(status === undefined ? {} : { status }) });
    await show.rows(deliveries, [
      'id',
      'webhook',
      'type',
      'service',
      'status',
      'attempts',
      'answer',
      'created',
      'error',
    ]);
  });
};
