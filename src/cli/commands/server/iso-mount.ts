// hostyard server iso mount: mounts the image that was uploaded.
import { onCall } from '../../command.ts';
import { serviceId } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }, _options, name: string) =>
    show.word(await client.deviceImageMount({ service: await serviceId(client, name) })),
  );
