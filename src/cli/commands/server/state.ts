// hostyard server state: power and health as last seen, of all services or of one.
import { onCall } from '../../command.ts';
import { serviceId } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }, _options, name?: string) => {
    const one = name === undefined ? {} : { service: await serviceId(client, name) };
    await show.rows(await client.deviceStateList(one), ['service', 'power', 'seen', 'health', 'reason']);
  });
