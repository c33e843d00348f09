// hostyard dns zone history: the versions of a zone, newest first.
import { onCall } from '../../command.ts';
import { zoneNamed } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }, _options, name: string) => {
    const { domain_id: domain } = await zoneNamed(client, name);
    await show.rows(await client.zoneHistoryGet({ domain }), [
      'version',
      'serial',
      'timestamp',
      'operation',
      ['added', (version) => String(version.added.length)],
      ['removed', (version) => String(version.removed.length)],
    ]);
  });
