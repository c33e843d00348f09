// hostyard server reload templates: what a device can be reloaded with.
import { onCall } from '../../command.ts';
import { serviceId } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }, _options, name: string) =>
    show.rows(await client.deviceTemplateList({ service: await serviceId(client, name) }), ['value', 'name']),
  );
