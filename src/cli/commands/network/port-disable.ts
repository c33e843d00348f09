// hostyard network port disable: cuts the server off, so it is asked about.
import { confirmed } from '../../ask.ts';
import { onCall, withYes } from '../../command.ts';
import { deviceNamed } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) => {
  withYes(command);
  onCall(command, shell, async ({ client, show }, options: { yes?: boolean }, name: string) => {
    const { service, hostname } = await deviceNamed(client, name);
    await confirmed(shell, `Cut ${hostname} (service ${service}) off the network?`, options);
    await show.word(await client.portDisable({ service }));
  });
};
