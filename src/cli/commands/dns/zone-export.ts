// hostyard dns zone export: as a BIND master file.
import { onCall } from '../../command.ts';
import { zoneNamed } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }, _options, name: string) => {
    const file = await client.zoneFileGet({ domain: (await zoneNamed(client, name)).domain_id });
    await show.drawn(file, () => file);
  });
