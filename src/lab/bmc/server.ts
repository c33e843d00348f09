// A lab server without its BMC: a chassis whose boots appear on a serial console. An IPMI and a Redfish simulator can
// share one.
import type { BootFlags } from '#protocols/ipmi/commands/boot.ts';
import type { PowerState } from '#protocols/ipmi/power.ts';
import { LabDisks, type LabDisk } from '../disks.ts';
import { Chassis, noBootFlags } from './chassis.ts';
import { LabHardware } from './hardware.ts';
import { SerialConsole, type BootHook, type NetworkBootProgress, type SerialMachine } from './serial.ts';

export interface LabServerOptions {
  hostname?: string;
  rootPassword?: string;
  disks?: readonly LabDisk[];
  machine?: SerialMachine;
  onBoot?: BootHook;
}
export interface LabServerTiming {
  /** From power on to the login prompt. */
  bootMs: number;
  cycleOffMs: number;
  softOffMs: number;
}
export interface LabServerState {
  power: PowerState;
  bootFlags: BootFlags;
  /** Root password hash of a system that was installed over the network. */
  rootHash?: string;
  /** The contents of the disks, by serial number. */
  disks?: Readonly<Record<string, string>>;
  /** Of a boot from the network that has not ended. */
  networkBoot?: NetworkBootProgress;
}

export interface LabServer {
  readonly chassis: Chassis;
  readonly serial: SerialConsole;
  readonly disks: LabDisks;
  readonly hardware: LabHardware;
  /** Returns what survives a restart of the lab. */
  state(): LabServerState;
  /** Continues after a restart of the lab: the server was not affected. */
  resume(): void;
  close(): void;
}

export function createLabServer(
  options: LabServerOptions,
  timing: LabServerTiming,
  stored: LabServerState | undefined,
  onChange: () => void,
): LabServer {
  let rootHash = stored?.rootHash;
  let networkBoot = stored?.networkBoot;
  const keepNetworkBoot = (progress: NetworkBootProgress | undefined): void => {
    if (progress === networkBoot) return;
    networkBoot = progress;
    onChange();
  };
  const disks = new LabDisks(options.disks ?? [], stored?.disks, onChange);
  const serial = new SerialConsole({
    hostname: options.hostname ?? 'lab',
    rootPassword: options.rootPassword ?? 'root',
    bootMs: timing.bootMs,
    onBoot: options.onBoot,
    ...(options.machine !== undefined && { machine: options.machine }),
    disks,
    onReboot: () => chassis.restart(),
    onPowerOff: () => chassis.turnOff(),
    rootHash,
    onInstalled: (hash) => {
      rootHash = hash;
      onChange();
    },
    onProgress: keepNetworkBoot,
  });
  const chassis = new Chassis({
    power: stored?.power ?? 'off',
    bootFlags: stored?.bootFlags ?? noBootFlags,
    cycleOffMs: timing.cycleOffMs,
    softOffMs: timing.softOffMs,
    onBoot: (device) => {
      keepNetworkBoot(undefined);
      serial.boot(device);
    },
    onShutdown: () => serial.shutDown(),
    onPowerOff: () => {
      keepNetworkBoot(undefined);
      serial.powerOff();
    },
    onChange,
  });
  return {
    chassis,
    serial,
    disks,
    hardware: new LabHardware(),
    state: () => ({
      power: chassis.power,
      bootFlags: chassis.bootFlags,
      ...(rootHash === undefined ? {} : { rootHash }),
      disks: disks.state(),
      ...(networkBoot === undefined ? {} : { networkBoot }),
    }),
    resume() {
      if (chassis.power === 'on') serial.boot(networkBoot === undefined ? 'disk' : 'pxe', networkBoot);
    },
    close() {
      chassis.close();
      serial.powerOff();
    },
  };
}
