// hostyard server power: all actions but `on` interrupt what runs on the device, so they ask for confirmation.
import { apiCommand, serviceTextCommand, withWait, withYes, type WaitOption, type YesOption } from '../command.ts';
import { findDevice } from '../lookup.ts';
import { confirm } from '../prompt.ts';
import type { Entry } from '../command-tree.ts';
import { runAndWait } from '../wait.ts';

type PowerAction = 'on' | 'off' | 'reboot' | 'cycle';

export const commands = [
  serviceTextCommand('status <service>', 'Query the current power state from the device', (client, input) =>
    client.devicePowerGet(input),
  ),
  powerCommand('on', 'Power on'),
  powerCommand('off', 'Power off'),
  powerCommand('reboot', 'Reset'),
  powerCommand('cycle', 'Power off and on again', 'Power-cycle'),
  apiCommand({
    usage: 'shutdown <service>',
    summary: 'Ask the operating system to shut down; it may ignore the request',
    options: (command) => withWait(withYes(command)),
    async run(session, args, options: WaitOption & YesOption) {
      const { service, hostname } = await findDevice(session.client, args.service);
      await confirm(session.shell, `Shut down ${hostname} (service ${service})?`, options);
      await runAndWait(session, options, 'deviceShutdown', { service });
    },
  }),
];

function powerCommand(action: PowerAction, summary: string, verb = summary): Entry {
  return apiCommand({
    usage: `${action} <service>`,
    summary,
    options: (command) => withWait(action === 'on' ? command : withYes(command)),
    async run(session, args, options: WaitOption & YesOption) {
      const { client, shell } = session;
      const { service, hostname } = await findDevice(client, args.service);
      if (action !== 'on') await confirm(shell, `${verb} ${hostname} (service ${service})?`, options);
      await runAndWait(session, options, 'devicePowerSet', { service, action });
    },
  });
}
