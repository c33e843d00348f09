// hostyard server iso status: which image a service has, and whether it is mounted.
import { onCall } from '../../command.ts';
import { serviceId } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }, _options, name: string) =>
    show.fields(await client.deviceImageStatus({ service: await serviceId(client, name) })),
  );
