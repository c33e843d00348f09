// hostyard server stats: resources of a virtual machine, traffic of a dedicated server.
import { portColumns, portRows } from '../../output/ports.ts';
import { tableText } from '../../output/table.ts';
import { onCall } from '../../command.ts';
import { serviceId } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }, _options, name: string) => {
    const stats = await client.deviceStatsGet({ service: await serviceId(client, name) });
    if ('node' in stats) return show.fields(stats);
    await show.drawn(stats, () => tableText(portRows(stats.result), portColumns, show));
  });
