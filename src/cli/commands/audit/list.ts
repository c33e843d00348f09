// hostyard audit list: who changed what, newest first.
import { onCall } from '../../command.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) => {
  command.option('--limit <number>', 'at most so many', '50');
  onCall(command, shell, async ({ client, show }, options: { limit: string }) =>
    show.rows(await client.auditGet({ limit: Number(options.limit) }), [
      'id',
      'time',
      'address',
      'key',
      'operation',
      'target',
      'outcome',
    ]),
  );
};
