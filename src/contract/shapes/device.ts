// Devices in responses: their type, power, consoles, images, reloads, statistics and hardware. Numbers are strings, and
// texts are those that callers already compare with.
import { Type, type TSchema } from 'typebox';
import { PortCounters, PortState } from './network.ts';
import { described, text } from './text.ts';

export const serviceTypes = ['cloud', 'dedicated', 'vps'] as const;
export const serviceStatuses = ['Pending', 'Active', 'Suspended', 'Terminated'] as const;
export type ServiceType = (typeof serviceTypes)[number];
export type ServiceStatus = (typeof serviceStatuses)[number];

const commonFields = {
  service: text,
  name: text,
  hostname: text,
  status: Type.Enum(serviceStatuses),
  ip: text,
  labels: Type.String({ 'x-addition': true, description: 'Your own labels, sorted and comma-separated' }),
};
export const Device = Type.Union([
  Type.Object({
    ...commonFields,
    type: Type.Literal('dedicated'),
    server: described("The provider's name for it; empty if the service is terminated"),
    alias: Type.String({ 'x-addition': true, description: 'Its name in the legacy API' }),
  }),
  Type.Object({ ...commonFields, type: Type.Enum(['vps', 'cloud']), vmid: text }),
]);

export const PowerState = Type.Enum(['on', 'off']);
export const DeviceState = Type.Object({
  service: text,
  power: Type.Enum(['on', 'off', 'unknown'], {
    description: 'Last known state; unknown if the last check failed or it was not checked yet',
  }),
  seen: described('When the power was last checked, in UTC; empty if never'),
  webconsole: Type.Enum(['0', '1'], { description: '1 if `POST /v2/device/console/web` can open its console' }),
  health: Type.Enum(['Good', 'Waiting', 'Unreachable', 'Maintenance', 'Locked'], {
    description:
      'Good: responded to the last check. Waiting: not checked yet. Unreachable: its IPMI or hypervisor did not respond. Maintenance and Locked: the provider rejects commands.',
  }),
  reason: described('The problem in one sentence; empty if there is none'),
  suspension: described('Why the service is suspended; empty if it is not, or if the reason is unknown'),
});
export const PowerDone = Type.Enum([
  'Chassis Power Control: Up/On',
  'Chassis Power Control: Down/Off',
  'Chassis Power Control: Cycle',
  'Chassis Power Control: Reset',
]);
export const SoftPowerDone = Type.Literal('Chassis Power Control: Soft');
export const BootDone = Type.Enum(['Set Boot Device to pxe', 'Set Boot Device to cdrom', 'Set Boot Device to bios']);

export const JavaConsole = Type.String({
  contentEncoding: 'base64',
  contentMediaType: 'application/x-java-jnlp-file',
  description: 'A Java Web Start launcher, to save as a .jnlp file',
});
export const MachineConsole = Type.Object({ user: text, pass: text, host: text, port: text });

export const ConsoleTicket = Type.Object({
  ticket: text,
  url: described('Path and query of the WebSocket'),
  expires: described('Seconds'),
});

export const WebConsole = Type.Object({
  url: described('Opens the console once, in a browser at the same address'),
  expires: described('Seconds'),
  username: described('For a controller that requires signing in'),
  password: text,
});

export const ImageEntry = Type.Object({
  name: text,
  value: described('The value to send to select this image'),
});
export const ImageStatus = Type.Object({
  image: described('Empty if none is set'),
  mounted: Type.Enum(['0', '1']),
});

export const DeviceImageStatus = Type.Object({
  ...ImageStatus.properties,
  uploading: described('The image that is being uploaded, or empty'),
  progress: described('Percentage of the image that the BMC has fetched'),
});

export const TunStatus = Type.Object({
  state: Type.Enum(['enabled', 'disabled']),
  effect: Type.Enum(['now', 'next start'], {
    description: 'When the state applies; `next start` if the machine must be restarted first',
  }),
});

export const ReloadStatus = Type.String({
  pattern: '^(?:No reload in progress|Queued|Booting|Installing [0-9]{1,3}%|Completed|Failed: .*|Cancelled)$',
  description:
    'No reload in progress, Queued, Booting, Installing <percent>%, Completed, Failed: <reason> or Cancelled',
});
export const InstallStatus = Type.Object({
  status: ReloadStatus,
  image: described('Network-boot id; empty if the template has none'),
});

export const RescueStatus = Type.String({
  pattern: '^(?:No rescue system in use|Queued|Booting|Active|Completed|Failed: .*|Cancelled)$',
  description: 'No rescue system in use, Queued, Booting, Active, Completed, Failed: <reason> or Cancelled',
});
export const ReloadLogLine = Type.Object({
  time: text,
  status: ReloadStatus,
  text: described('What happened, or the installer’s message; may be empty'),
});

const usage = described('<used> / <total>');
export const MachineStats = Type.Object({
  node: text,
  status: Type.Enum(['Online', 'Offline', 'Unknown']),
  type: text,
  memory: usage,
  harddisk: usage,
  bandwidth: usage,
  ipaddr: Type.Array(text),
});

const measured = (description: string) => described(`${description}; empty if it was not measured`);
export const UsageSample = Type.Object({
  start: described('Start of the five minutes, as a Unix timestamp'),
  cpu: measured('Processor use in percent of one virtual CPU'),
  memory: measured('Memory in use at the end, in bytes'),
  disk: measured('Disk space in use at the end, in bytes'),
  diskread: measured('Bytes read from the disk'),
  diskwritten: measured('Bytes written to the disk'),
});

/** Two switches of one server may have ports with the same number, so ports are grouped by switch. */
const bySwitchAndPort = <T extends TSchema>(port: T) => Type.Record(text, Type.Record(text, port));
export const PortTraffic = bySwitchAndPort(
  Type.Object({
    name: described('Port alias'),
    data: PortCounters,
    graph: Type.String({
      contentEncoding: 'base64',
      contentMediaType: 'image/png',
      description: 'Empty if no graph was requested',
    }),
  }),
);
export const hardwareCategories = ['CPU', 'Motherboard', 'RAM', 'Hard Drive', 'Network Card'] as const;
export const Hardware = Type.Object({
  parts: Type.Record(text, Type.Array(text), {
    description: `Descriptions by component category: ${hardwareCategories.join(', ')}`,
  }),
  ports: bySwitchAndPort(PortState),
});

export const BmcUser = Type.Object({ hostname: text, username: text, password: text });
export const NewPassword = Type.Object({ value: text });

export const Machine = Type.Object({
  vmid: text,
  hostname: text,
  status: text,
  type: text,
  node: text,
  template: text,
  memory: text,
  harddisk: text,
  bandwidth: text,
  ipaddr: Type.Array(text),
});
export const MachineAddresses = Type.Record(text, Type.Object({ ipv4: Type.Array(text), ipv6: Type.Array(text) }), {
  description: 'Addresses by vmid',
});
