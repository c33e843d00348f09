// Instances and profiles of LXD, and how Hostyard stores machines in them.
//
// A machine is a profile with its name, which holds its shape, its devices, and which instance it boots. A system is an
// instance with that profile. Switching systems therefore changes a single value atomically, and a machine is never
// without a system. An instance that the provider created manually under a machine's name is that machine with one
// system.
import { Type, type Static } from 'typebox';
import { conflict } from '#lib/api-error.ts';
import type { MachinePowerState, TunState } from '../driver.ts';
import { hypervisorError } from './api.ts';

const Texts = Type.Record(Type.String(), Type.String());
const Devices = Type.Record(Type.String(), Texts);
export type Devices = Static<typeof Devices>;

export const Instance = Type.Object({
  name: Type.String(),
  status_code: Type.Integer(),
  type: Type.Optional(Type.String()),
  location: Type.Optional(Type.String()),
  profiles: Type.Array(Type.String()),
  config: Texts,
  devices: Devices,
  expanded_config: Texts,
  expanded_devices: Devices,
});
export type Instance = Static<typeof Instance>;

export const InstanceSnapshot = Type.Object({ name: Type.String(), size: Type.Optional(Type.Number()) });
export type InstanceSnapshot = Static<typeof InstanceSnapshot>;

export const Profile = Type.Object({
  config: Texts,
  devices: Devices,
  description: Type.Optional(Type.String()),
  used_by: Type.Array(Type.String()),
});
export type Profile = Static<typeof Profile>;

export const keys = {
  /** In the profile. */
  machine: 'user.hostyard.machine',
  current: 'user.hostyard.instance',
  /** In the instance. */
  system: 'user.hostyard.system',
  built: 'user.hostyard.built',
  /** Digests of the files for its network that Hostyard wrote, with commas. */
  network: 'user.hostyard.network',
} as const;

/**
 * LXD passes the host's tunnel device to every container. This device of the machine's profile covers it, and LXD can
 * exchange it while the container runs.
 */
export function tunDevice(state: TunState): Record<string, string> {
  return { type: 'unix-char', path: '/dev/net/tun', major: '10', minor: tunMinors[state], mode: '0666' };
}
/** The kernel registers no device under the second number, so opening it fails. */
const tunMinors = { enabled: '200', disabled: '255' } as const;

/** Returns the state from the next start on. `raw.lxc` of earlier versions denied the device. */
export function tunState({ expanded_config, expanded_devices }: Instance): TunState {
  const isDenied = expanded_config['raw.lxc']?.includes('devices.deny = c 10:200') === true;
  return isDenied || expanded_devices['tun']?.['minor'] === tunMinors.disabled ? 'disabled' : 'enabled';
}

/** Returns the ids of the volumes among these devices. */
export function volumeDevices(devices: Devices): readonly string[] {
  return Object.keys(devices).filter((name) => /^vol-\d{1,16}$/.test(name));
}

/** The id of a system that the provider created manually. */
export const preexistingSystem = 'original';

export const instancePath = (instance: string): string => `/1.0/instances/${encodeURIComponent(instance)}`;
export const profilePath = (machine: string): string => `/1.0/profiles/${encodeURIComponent(machine)}`;

export function instanceName(machine: string, system: string): string {
  return system === preexistingSystem ? machine : `${machine}--${system}`;
}

export function systemId({ config }: Instance): string {
  return config[keys.system] ?? preexistingSystem;
}

/** Returns false for an instance whose build was interrupted. */
export function isComplete({ config }: Instance): boolean {
  return config[keys.built] !== 'no';
}

export function instancesUsing({ used_by }: Profile): readonly string[] {
  return used_by.map((path) => decodeURIComponent(path.split('?')[0]!.split('/').at(-1)!));
}

const stopped = 102;
const failed = 112;

export function powerState(instance: Instance): MachinePowerState {
  if (isInError(instance)) throw hypervisorError(`the instance ${instance.name} is in an error state`);
  return isStopped(instance) ? 'off' : 'on';
}

/** Returns true if LXD does not know the state, for example because the cluster member is down. */
function isInError({ status_code }: Instance): boolean {
  return status_code === failed;
}

export function isStopped({ status_code }: Instance): boolean {
  return status_code === stopped;
}

/** Returns the name of the machine that boots this instance, or undefined if it is another system, incomplete or unknown. */
export function listedName(instance: Instance, adopted: ReadonlyMap<string, string>): string | undefined {
  const known = adopted.get(instance.name) ?? instance.name;
  const { [keys.machine]: name = known, [keys.current]: current = instance.name } = instance.expanded_config;
  return current === instance.name && isComplete(instance) && !isInError(instance) ? name : undefined;
}

export function memberOf({ location }: Pick<Instance, 'location'>): { readonly member?: string } {
  return location === undefined || location === '' || location === 'none' ? {} : { member: location };
}

/** Returns the query that places something on the same member of a cluster, each of which has its own storage. */
export function targetOf(instance: Pick<Instance, 'location'>): string {
  const { member } = memberOf(instance);
  return member === undefined ? '' : `?target=${encodeURIComponent(member)}`;
}

const units: Readonly<Record<string, number>> = {
  '': 1,
  B: 1,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
};

/** Converts sizes such as `512MiB` to bytes; undefined for anything else, such as a percentage. */
export function parseSize(size: string | undefined): number | undefined {
  const [, amount, unit] = /^(\d{1,15}) ?([A-Za-z]{0,3})$/.exec(size ?? '') ?? [];
  const factor = units[unit ?? ''];
  return amount === undefined || factor === undefined ? undefined : Number(amount) * factor;
}

export function requireRunning(instance: Instance): Instance {
  if (powerState(instance) === 'off') throw conflict('The machine is off.');
  return instance;
}
