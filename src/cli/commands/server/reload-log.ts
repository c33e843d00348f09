// hostyard server reload log: what happened in the last one.
import { onCall } from '../../command.ts';
import { serviceId } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }, _options, name: string) =>
    show.rows(await client.deviceReloadLog({ service: await serviceId(client, name) }), ['time', 'status', 'text']),
  );
