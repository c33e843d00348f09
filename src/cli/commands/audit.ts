// hostyard audit: the account's audit log.
import { apiCommand, parseCount } from '../command.ts';

export const commands = [
  apiCommand({
    usage: 'list',
    summary: 'List changes and who made them, newest first',
    options: (command) => command.option('--limit <number>', 'Maximum number of entries', parseCount, 50),
    async run({ client, print }, _, { limit }: { limit: number }) {
      const entries = await client.auditGet({ limit });
      await print.table(entries, ['id', 'time', 'address', 'key', 'operation', 'target', 'outcome']);
    },
  }),
];
