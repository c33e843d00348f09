// hostyard server hostname: gives a device another name.
import { onCall } from '../../command.ts';
import { serviceId } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }, _options, name: string, hostname: string) => {
    await client.deviceHostnameSet({ service: await serviceId(client, name), hostname });
    await show.word(`The host name is ${hostname}.`);
  });
