// hostyard network nullroute remove.
import { onCall } from '../../command.ts';
import { serverPlace } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, legacy, show }, _options, name: string, ip: string) => {
    const server = await serverPlace(client, name);
    await show.word(String(await (await legacy()).nullrouteSet({ server, ip, action: 'remove' })));
  });
