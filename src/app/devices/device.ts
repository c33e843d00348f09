// A device as its customer sees it: what can be done with it, whichever kind it is. Here, and nowhere else, it is decided whether
// that is done by the controller of a server or by the node of a virtual machine.
import type { Static } from 'typebox';
import type { Hardware } from '#contract/shapes/device.ts';
import type { MachinePowerState } from '#drivers/hypervisor/driver.ts';
import { invalid } from '#kernel/fault.ts';
import type { Service } from '#store/devices/services.ts';
import * as machinePower from '../machines/power.ts';
import { machineRename, machinePasswordReset } from '../machines/machines.ts';
import { machineReinstallCancel, machineReinstallStart, machineTemplates } from '../machines/reinstall.ts';
import { screenOpen, screenReset } from '../machines/screens.ts';
import { machineHardware } from '../machines/stats.ts';
import { reloadCancel, reloadStart, reloadSystems } from '../reload/reloads.ts';
import { passwordReset } from '../reload/rescues.ts';
import { consoleOpen, consoleReset } from '../servers/consoles.ts';
import * as serverPower from '../servers/power.ts';
import { serverHardware } from '../servers/servers.ts';
import { hostnameWanted, renamed } from '../services/rename.ts';
import { isMachine, serviceOf } from '../services/services.ts';
import type { Context } from '../yard.ts';

export interface Device {
  powerState(): Promise<MachinePowerState>;
  powerOn(): Promise<void>;
  powerOff(): Promise<void>;
  /** Restarts what is on. What is off stays so, and the caller is told. */
  reset(): Promise<void>;
  /** Off and on again; ends with the power on, also from off. */
  cycle(): Promise<void>;
  bootNext(target: 'pxe' | 'cdrom' | 'bios'): Promise<void>;
  rename(hostname: string): Promise<void>;
  hardware(): Promise<Static<typeof Hardware>>;
  consoleOpen(): ReturnType<typeof consoleOpen> | ReturnType<typeof screenOpen>;
  consoleReset(): Promise<void>;
  systems(): ReturnType<typeof machineTemplates> | ReturnType<typeof reloadSystems>;
  /** Answers the new root password. */
  reinstall(system: string, sshKeys: readonly string[]): Promise<string>;
  reinstallCancel(): Promise<void>;
  /** Answers the new one, or nothing where it is to be collected later. */
  passwordReset(): Promise<string>;
}

export async function deviceOf(context: Context, id: number): Promise<Device> {
  const service = await serviceOf(context, id);
  return (isMachine(service) ? machine : server)(context, service);
}

function server(context: Context, service: Service): Device {
  return {
    powerState: () => serverPower.powerState(context, service),
    powerOn: () => serverPower.powerOn(context, service),
    powerOff: () => serverPower.powerOff(context, service),
    reset: () => serverPower.powerReset(context, service),
    cycle: () => serverPower.powerCycled(context, service),
    bootNext: (target) => serverPower.bootNext(context, service, target),
    rename: (hostname) => renamed(context, service, hostnameWanted(hostname)),
    hardware: () => serverHardware(context, service),
    consoleOpen: () => consoleOpen(context, service),
    consoleReset: () => consoleReset(context, service),
    systems: () => reloadSystems(context, service),
    reinstall: (system, sshKeys) => reloadStart(context, service, system, sshKeys),
    reinstallCancel: () => reloadCancel(context, service),
    async passwordReset() {
      await passwordReset(context, service);
      return '';
    },
  };
}

function machine(context: Context, service: Service): Device {
  return {
    powerState: () => machinePower.machinePowerState(context, service),
    powerOn: () => machinePower.machinePowerOn(context, service),
    powerOff: () => machinePower.machinePowerOff(context, service),
    reset: () => machinePower.machineRestart(context, service),
    cycle: () => machinePower.machineCycle(context, service),
    bootNext: (target) => machinePower.machineBootNext(context, service, target),
    rename: (hostname) => machineRename(context, service, hostname),
    hardware: () => machineHardware(context, service),
    consoleOpen: () => screenOpen(context, service),
    consoleReset: () => screenReset(context, service),
    systems: () => machineTemplates(context, service),
    async reinstall(system, sshKeys) {
      if (sshKeys.length > 0) throw invalid({ sshkeys: 'goes with a dedicated server' });
      return machineReinstallStart(context, service, system);
    },
    reinstallCancel: () => machineReinstallCancel(context, service),
    passwordReset: () => machinePasswordReset(context, service),
  };
}
