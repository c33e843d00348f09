// hostyard console-reset: ends the console session that was opened with a launcher or for a VNC viewer.
import { onCall } from '../command.ts';
import { serviceId } from '../named.ts';
import type { Define } from '../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }, _options, name: string) =>
    show.word(await client.deviceConsoleReset({ service: await serviceId(client, name) })),
  );
