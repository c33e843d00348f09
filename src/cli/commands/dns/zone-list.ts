// hostyard dns zone list.
import { onCall } from '../../command.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }) =>
    show.rows(await client.zoneList(), [['id', (zone) => zone.domain_id], 'name']),
  );
