// hostyard server power on, off, reboot and cycle. No question is asked: the call names the server and what is to become of it,
// and nothing is erased.
import { onCall, withWait } from '../../command.ts';
import { serviceId } from '../../named.ts';
import { awaited } from '../../waiting.ts';
import type { Define } from '../../table.ts';

type PowerAction = 'on' | 'off' | 'reboot' | 'cycle';

export const define: Define = (command, shell) => {
  const action = command.name() as PowerAction;
  withWait(command);
  onCall(command, shell, async (session, options: { wait?: boolean }, name: string) => {
    const { client, show } = session;
    const service = await serviceId(client, name);
    await awaited(session, shell, { ...options, service }, () => client.devicePowerSet({ service, action }), show.word);
  });
};
