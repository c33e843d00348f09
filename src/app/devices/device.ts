// A device as customers see it. This is the only place that decides between a server's BMC and a virtual machine's
// hypervisor.
import type { Static } from 'typebox';
import type { Hardware } from '#contract/shapes/device.ts';
import type { MachinePowerState } from '#drivers/hypervisor/driver.ts';
import type { Service } from '#store/devices/services.ts';
import { resolveSshKeys } from '../account/ssh-keys.ts';
import * as machinePower from '../machines/power.ts';
import { renameMachine, resetMachinePassword } from '../machines/machines.ts';
import { cancelReinstall, machineTemplates, startReinstall } from '../machines/reinstall.ts';
import { openVncSession, resetVncSessions } from '../machines/vnc-sessions.ts';
import { machineHardware } from '../machines/stats.ts';
import { cancelReload, reloadSystems, startReload } from '../reload/reloads.ts';
import { resetPassword } from '../reload/rescues.ts';
import { consoleOpen, consoleReset } from '../servers/consoles.ts';
import * as serverPower from '../servers/power.ts';
import { serverHardware } from '../servers/servers.ts';
import { allowedHostname, isMachine, renameService, serviceOf } from '../services/services.ts';
import type { Context } from '../app.ts';

export interface Device {
  powerState(): Promise<MachinePowerState>;
  powerOn(): Promise<void>;
  powerOff(): Promise<void>;
  /** Asks the operating system, which may ignore it. */
  shutDown(): Promise<void>;
  /** Restarts a device that is on; throws if it is off. */
  reset(): Promise<void>;
  /** Powers off and on again, also from off. */
  cycle(): Promise<void>;
  bootNext(target: 'pxe' | 'cdrom' | 'bios'): Promise<void>;
  rename(hostname: string): Promise<void>;
  hardware(): Promise<Static<typeof Hardware>>;
  consoleOpen(): ReturnType<typeof consoleOpen> | ReturnType<typeof openVncSession>;
  consoleReset(): Promise<void>;
  systems(): ReturnType<typeof machineTemplates> | ReturnType<typeof reloadSystems>;
  /** Returns the new root password. */
  reinstall(system: string, sshKeys: readonly string[]): Promise<string>;
  reinstallCancel(): Promise<void>;
  /** Returns the new password, or an empty text if it has to be collected later. */
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
    shutDown: () => serverPower.shutDown(context, service),
    reset: () => serverPower.resetPower(context, service),
    cycle: () => serverPower.cyclePower(context, service),
    bootNext: (target) => serverPower.setNextBoot(context, service, target),
    rename: async (hostname) => renameService(context, service, await allowedHostname(context, hostname)),
    hardware: () => serverHardware(context, service),
    consoleOpen: () => consoleOpen(context, service),
    consoleReset: () => consoleReset(context, service),
    systems: () => reloadSystems(context, service),
    reinstall: async (system, sshKeys) => startReload(context, service, system, await resolveSshKeys(context, sshKeys)),
    reinstallCancel: () => cancelReload(context, service),
    async passwordReset() {
      await resetPassword(context, service);
      return '';
    },
  };
}

function machine(context: Context, service: Service): Device {
  return {
    powerState: () => machinePower.machinePowerState(context, service),
    powerOn: () => machinePower.machinePowerOn(context, service),
    powerOff: () => machinePower.machinePowerOff(context, service),
    shutDown: () => machinePower.shutMachineDown(context, service),
    reset: () => machinePower.restartMachine(context, service),
    cycle: () => machinePower.cycleMachine(context, service),
    bootNext: (target) => machinePower.setMachineNextBoot(context, service, target),
    rename: (hostname) => renameMachine(context, service, hostname),
    hardware: () => machineHardware(context, service),
    consoleOpen: () => openVncSession(context, service),
    consoleReset: () => resetVncSessions(context, service),
    systems: () => machineTemplates(context, service),
    reinstall: async (system, sshKeys) =>
      startReinstall(context, service, system, await resolveSshKeys(context, sshKeys)),
    reinstallCancel: () => cancelReinstall(context, service),
    passwordReset: () => resetMachinePassword(context, service),
  };
}
