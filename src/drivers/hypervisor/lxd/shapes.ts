// What LXD says of its instances and profiles, as far as it matters here, and how Hostyard's machines are kept in them.
//
// A machine is a profile of its name: its shape, its devices, and which instance it runs. A system is an instance with that
// profile. So the choice between two systems is one value in one place, changed at once, and a machine never has none.
// An instance that the provider made by hand, with the name of a machine, is that machine with one system.
import { Type, type Static } from 'typebox';
import { Fault } from '#kernel/fault.ts';
import type { MachinePowerState } from '../driver.ts';
import { wrong } from './api.ts';

const Texts = Type.Record(Type.String(), Type.String());
const Devices = Type.Record(Type.String(), Texts);

export const Instance = Type.Object({
  name: Type.String(),
  status_code: Type.Integer(),
  location: Type.Optional(Type.String()),
  profiles: Type.Array(Type.String()),
  config: Texts,
  expanded_config: Texts,
  expanded_devices: Devices,
});
export type Instance = Static<typeof Instance>;

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
} as const;

/** LXD hands the host's tunnels to every container: who shall have none is denied them, on hosts old and new. From a boot on. */
export const withoutTunnels = {
  'raw.lxc': ['lxc.cgroup2.devices.deny', 'lxc.cgroup.devices.deny'].map((key) => `${key} = c 10:200 rwm`).join('\n'),
};

/** Of a system that the provider made by hand. */
export const handmade = 'original';

export const instancePath = (instance: string): string => `/1.0/instances/${encodeURIComponent(instance)}`;
export const profilePath = (machine: string): string => `/1.0/profiles/${encodeURIComponent(machine)}`;

export function instanceOf(machine: string, system: string): string {
  return system === handmade ? machine : `${machine}--${system}`;
}

export function systemOf({ config }: Instance): string {
  return config[keys.system] ?? handmade;
}

/** One that was cut off while it was built is not. */
export function isWhole({ config }: Instance): boolean {
  return config[keys.built] !== 'no';
}

export function instancesOf({ used_by }: Profile): readonly string[] {
  return used_by.map((path) => decodeURIComponent(path.split('?')[0]!.split('/').at(-1)!));
}

const stopped = 102;
const failed = 112;

export function powerOf(instance: Instance): MachinePowerState {
  if (isLost(instance)) throw wrong(`the instance ${instance.name} is in error`);
  return isStopped(instance) ? 'off' : 'on';
}

/** LXD cannot tell what it does, as where the member that it is on is gone. */
export function isLost({ status_code }: Instance): boolean {
  return status_code === failed;
}

export function isStopped({ status_code }: Instance): boolean {
  return status_code === stopped;
}

export function memberOf({ location }: Instance): { readonly member?: string } {
  return location === undefined || location === '' || location === 'none' ? {} : { member: location };
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

/** `512MiB` in bytes; undefined for what is no amount, such as a share of the whole. */
export function bytesOf(size: string | undefined): number | undefined {
  const [, amount, unit] = /^(\d{1,15}) ?([A-Za-z]{0,3})$/.exec(size ?? '') ?? [];
  const factor = units[unit ?? ''];
  return amount === undefined || factor === undefined ? undefined : Number(amount) * factor;
}

export function mustBeOn(instance: Instance): Instance {
  if (powerOf(instance) === 'off') throw new Fault('state_conflict', { message: 'The machine is off.' });
  return instance;
}
