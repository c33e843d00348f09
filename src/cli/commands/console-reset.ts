// hostyard console-reset: ends the console session that was opened with a launcher or for a VNC viewer.
import { confirmed } from '../ask.ts';
import { onCall, withYes } from '../command.ts';
import { deviceNamed } from '../named.ts';
import type { Define } from '../table.ts';

export const define: Define = (command, shell) => {
  withYes(command);
  onCall(command, shell, async ({ client, show }, options: { yes?: boolean }, name: string) => {
    const { service, hostname } = await deviceNamed(client, name);
    await confirmed(shell, `End whatever console of ${hostname} (service ${service}) is open?`, options);
    await show.word(await client.deviceConsoleReset({ service }));
  });
};
