// hostyard server power on, off, reboot and cycle. What runs on the device ends with all but the first.
import { confirmed } from '../../ask.ts';
import { onCall, withWait, withYes } from '../../command.ts';
import { deviceNamed } from '../../named.ts';
import type { Define } from '../../table.ts';
import { awaited } from '../../waiting.ts';

type PowerAction = 'on' | 'off' | 'reboot' | 'cycle';

const questions: Readonly<Record<Exclude<PowerAction, 'on'>, string>> = {
  off: 'Switch off',
  reboot: 'Reset',
  cycle: 'Switch off and on again',
};

export const define: Define = (command, shell) => {
  const action = command.name() as PowerAction;
  withWait(action === 'on' ? command : withYes(command));
  onCall(command, shell, async (session, options: { wait?: boolean; yes?: boolean }, name: string) => {
    const { client, show } = session;
    const { service, hostname } = await deviceNamed(client, name);
    if (action !== 'on') await confirmed(shell, `${questions[action]} ${hostname} (service ${service})?`, options);
    await awaited(
      session,
      shell,
      { ...options, service, operation: 'devicePowerSet' },
      () => client.devicePowerSet({ service, action }),
      show.word,
    );
  });
};
