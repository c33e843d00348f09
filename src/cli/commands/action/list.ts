// hostyard action list: what runs or ran, newest first.
import { Option } from 'commander';
import { onCall } from '../../command.ts';
import { serviceId } from '../../named.ts';
import type { Define } from '../../table.ts';

const statuses = ['Queued', 'Running', 'Completed', 'Failed', 'Cancelled'] as const;
interface Options {
  readonly service?: string;
  readonly status?: (typeof statuses)[number];
  readonly limit: string;
}

export const define: Define = (command, shell) => {
  command
    .option('--service <service>', 'only of this service')
    .addOption(new Option('--status <status>', 'only of this status').choices(statuses))
    .option('--limit <number>', 'at most so many', '50');
  onCall(command, shell, async ({ client, show }, { service, status, limit }: Options) => {
    const actions = await client.actionList({
      limit: Number(limit),
      ...(service === undefined ? {} : { service: await serviceId(client, service) }),
      ...(status === undefined ? {} : { status }),
    });
    await show.rows(actions, ['id', 'operation', 'service', 'status', 'progress', 'started', 'ended', 'error']);
  });
};
