// hostyard server rescue off: boots the disk again.
import { confirmed } from '../../ask.ts';
import { onCall, withWait, withYes } from '../../command.ts';
import { deviceNamed } from '../../named.ts';
import { awaited } from '../../waiting.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) => {
  withWait(withYes(command));
  onCall(command, shell, async (session, options: { wait?: boolean; yes?: boolean }, name: string) => {
    const { client, show } = session;
    const { service, hostname } = await deviceNamed(client, name);
    await confirmed(shell, `Restart ${hostname} (service ${service}) from its disk?`, options);
    await awaited(
      session,
      shell,
      { ...options, service, operation: 'deviceRescueEnd' },
      () => client.deviceRescueEnd({ service }),
      show.word,
    );
  });
};
