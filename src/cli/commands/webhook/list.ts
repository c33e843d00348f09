// hostyard webhook list.
import { onCall } from '../../command.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }) =>
    show.rows(await client.webhookGet(), ['id', 'url', 'events', 'status', 'reason', 'description']),
  );
