// hostyard server rescue off: boots the disk again.
import { onCall, withWait } from '../../command.ts';
import { serviceId } from '../../named.ts';
import { awaited } from '../../waiting.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) => {
  withWait(command);
  onCall(command, shell, async (session, options: { wait?: boolean }, name: string) => {
    const { client, show } = session;
    const service = await serviceId(client, name);
    await awaited(session, shell, { ...options, service }, () => client.deviceRescueEnd({ service }), show.word);
  });
};
