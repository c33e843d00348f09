// hostyard server reload cancel: the device boots what was on its disk.
import { confirmed } from '../../ask.ts';
import { onCall, withYes } from '../../command.ts';
import { deviceNamed } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) => {
  withYes(command);
  onCall(command, shell, async ({ client, show }, options: { yes?: boolean }, name: string) => {
    const { service, hostname } = await deviceNamed(client, name);
    await confirmed(shell, `Cancel the reload of ${hostname} (service ${service})?`, options);
    await show.word(await client.deviceReloadCancel({ service }));
  });
};
