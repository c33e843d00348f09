// hostyard network nullroute add: nothing reaches the address any more, so it is asked about.
import { confirmed } from '../../ask.ts';
import { onCall, withYes } from '../../command.ts';
import { serverPlace } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) => {
  withYes(command);
  onCall(command, shell, async ({ client, legacy, show }, options: { yes?: boolean }, name: string, ip: string) => {
    const server = await serverPlace(client, name);
    await confirmed(shell, `Null-route ${ip} of ${server}? Nothing reaches it then.`, options);
    await show.word(String(await (await legacy()).nullrouteSet({ server, ip, action: 'add' })));
  });
};
