// hostyard server iso list: the images, all or those that fit a service.
import { onCall } from '../../command.ts';
import { serviceId } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }, _options, name?: string) => {
    const fitting = name === undefined ? {} : { service: await serviceId(client, name) };
    await show.rows(await client.deviceImageList(fitting), ['value', 'name']);
  });
