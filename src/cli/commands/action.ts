// hostyard action: operations that continue after their request.
import { Option } from 'commander';
import { apiCommand, parseCount } from '../command.ts';
import { serviceFilter } from '../lookup.ts';
import { followAction } from '../wait.ts';

const statuses = ['Queued', 'Running', 'Completed', 'Failed', 'Cancelled'] as const;
interface ListOptions {
  readonly service?: string;
  readonly status?: (typeof statuses)[number];
  readonly limit: number;
}

export const commands = [
  apiCommand({
    usage: 'list',
    summary: 'List actions, newest first',
    options: (command) =>
      command
        .option('--service <service>', 'Only actions of this service')
        .addOption(new Option('--status <status>', 'Only actions with this status').choices(statuses))
        .option('--limit <number>', 'Maximum number of actions', parseCount, 50),
    async run({ client, print }, _, { service, status, limit }: ListOptions) {
      const filter = await serviceFilter(client, service);
      const actions = await client.actionList({ limit, status, ...filter });
      await print.table(actions, ['id', 'operation', 'service', 'status', 'progress', 'started', 'ended', 'error']);
    },
  }),
  apiCommand({
    usage: 'show <action>',
    summary: 'Show an action',
    run: async ({ client, print }, { action }) => print.fields(await client.actionGet({ id: action })),
  }),
  apiCommand({
    usage: 'wait <action>',
    summary: 'Wait until an action has ended; the exit code is its result',
    run: (session, { action }) => followAction(session, action),
  }),
];
