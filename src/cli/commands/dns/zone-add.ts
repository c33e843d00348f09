// hostyard dns zone add: answers the id of the new zone.
import { onCall } from '../../command.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }, _options, domain: string) =>
    show.word(await client.zoneCreate({ domain })),
  );
