// hostyard dns zone delete: with all its records.
import { confirmed } from '../../ask.ts';
import { onCall, withYes } from '../../command.ts';
import { zoneNamed } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) => {
  withYes(command);
  onCall(command, shell, async ({ client, show }, options: { yes?: boolean }, name: string) => {
    const zone = await zoneNamed(client, name);
    await confirmed(shell, `Delete the zone ${zone.name} with all its records?`, options);
    await show.word(await client.zoneDelete({ domain: zone.domain_id }));
  });
};
