// hostyard server iso eject: unmounts the image, which stays uploaded.
import { onCall } from '../../command.ts';
import { serviceId } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }, _options, name: string) =>
    show.word(await client.deviceImageUnmount({ service: await serviceId(client, name) })),
  );
