// hostyard server iso upload: puts an image of the catalogue on the controller.
import { onCall } from '../../command.ts';
import { serviceId } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }, _options, name: string, image: string) =>
    show.word(await client.deviceImageUpload({ service: await serviceId(client, name), image })),
  );
