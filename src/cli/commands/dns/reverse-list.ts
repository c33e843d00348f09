// hostyard dns reverse list: the reverse names of a service, or of all.
import { addressText } from '../../output/addresses.ts';
import { onCall } from '../../command.ts';
import { serviceId } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }, _options, name?: string) => {
    const names = await client.reverseList(name === undefined ? {} : { service: await serviceId(client, name) });
    await show.drawn(names, () => addressText(names, show));
  });
