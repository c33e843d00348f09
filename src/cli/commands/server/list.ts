// hostyard server list, and vps list and cloud list: the services of the account.
import { Option } from 'commander';
import { onCall } from '../../command.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) => {
  const noun = command.parent?.name();
  const ofNoun = noun === 'vps' || noun === 'cloud' ? noun : undefined;
  if (ofNoun === undefined) command.addOption(new Option('--type <type>', 'only of this type').choices(serviceTypes));
  onCall(command, shell, async ({ client, show }, options: { type?: ServiceType }) => {
    const type = ofNoun ?? options.type;
    const devices = await client.deviceList(type === undefined ? {} : { type });
    await show.rows(devices, ['service', 'type', 'name', 'hostname', 'status', 'ip']);
  });
};

const serviceTypes = ['dedicated', 'vps', 'cloud'] as const;
type ServiceType = (typeof serviceTypes)[number];
