// hostyard network addresses: the addresses of a service with their reverse names.
import { addressText } from '../../output/addresses.ts';
import { onCall } from '../../command.ts';
import { serviceId } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }, _options, name: string) => {
    const names = await client.netblockList({ service: await serviceId(client, name) });
    await show.drawn(names, () => addressText(names, show));
  });
