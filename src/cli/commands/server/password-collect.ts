// hostyard server password-collect: the password that a reset has set, shown once.
import { onCall } from '../../command.ts';
import { serviceId } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }, _options, name: string) =>
    show.word(await client.devicePasswordCollect({ service: await serviceId(client, name) })),
  );
