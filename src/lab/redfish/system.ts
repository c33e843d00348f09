// The ComputerSystem of a lab Redfish service: power, next boot and hardware.
import type { ChassisControl } from '#protocols/ipmi/commands/chassis.ts';
import type { BootDevice } from '#protocols/ipmi/commands/boot.ts';
import { noBootFlags } from '../bmc/chassis.ts';
import type { FirmwareMode, RedfishMachine } from './machine.ts';
import type { Personality } from './personalities.ts';
import { badValue, noContent, errorResponse, type Body, type RedfishResponse } from './response.ts';
import { mediaLink } from './media.ts';
import { managerPath, systemPath } from './paths.ts';
import { link, resourceBody, root, type Resources } from './resource.ts';
import { logLink } from './sensors.ts';

const controls: Readonly<Record<string, ChassisControl>> = {
  On: 'on',
  ForceOff: 'off',
  ForceRestart: 'reset',
  GracefulShutdown: 'soft',
  PowerCycle: 'cycle',
};
const targets: Readonly<Record<string, BootDevice>> = {
  None: 'none',
  Pxe: 'pxe',
  Cd: 'cdrom',
  UsbCd: 'cdrom',
  Hdd: 'disk',
  BiosSetup: 'bios',
};

export function systemResources(machine: RedfishMachine): Resources {
  const path = systemPath(machine);
  const reset = `${path}/Actions/ComputerSystem.Reset`;
  const resetInfo = `${path}/ResetActionInfo`;
  const settings = `${path}/Settings`;
  const { hasSettingsObject } = machine.personality;
  const types = machine.malfunctions().resetTypes ?? Object.keys(controls);
  return {
    [path]: {
      body: resourceBody(path, 'ComputerSystem.v1_20_0', 'Lab Server', {
        SystemType: 'Physical',
        Manufacturer: 'Hostyard Lab',
        Model: 'Lab Server 1U',
        SerialNumber: machine.serialNumber,
        BiosVersion: machine.malfunctions().firmware?.bios ?? '2.1',
        UUID: machine.uuid,
        PowerState: machine.malfunctions().reportsPower ?? shownPower(machine),
        Boot: bootBody(machine),
        ...(hasSettingsObject === true && { '@Redfish.Settings': { SettingsObject: link(settings) } }),
        Processors: link(`${path}/Processors`),
        Memory: link(`${path}/Memory`),
        ...storageLink(machine),
        EthernetInterfaces: link(`${path}/EthernetInterfaces`),
        ...logLink(machine, 'system'),
        ...mediaLink(machine, 'systems'),
        Links: { ManagedBy: [link(managerPath)], Chassis: [link(`${root}/Chassis/1U`)] },
        Actions: {
          '#ComputerSystem.Reset': {
            target: reset,
            ...(machine.generation === 'current'
              ? { '@Redfish.ActionInfo': resetInfo }
              : { 'ResetType@Redfish.AllowableValues': types }),
          },
        },
      }),
      ...(hasSettingsObject === true ? {} : { patch: (change: Body) => patchBoot(machine, change) }),
    },
    ...(hasSettingsObject === true && {
      [settings]: {
        body: resourceBody(settings, 'ComputerSystem.v1_20_0', 'Settings', { Boot: bootBody(machine) }),
        patch: (change: Body) => patchBoot(machine, change),
      },
    }),
    [reset]: { post: (body) => resetSystem(machine, types, body) },
    [resetInfo]: {
      body: resourceBody(resetInfo, 'ActionInfo.v1_3_0', 'Reset Action Info', {
        Parameters: [{ Name: 'ResetType', Required: true, DataType: 'String', AllowableValues: types }],
      }),
    },
  };
}

function storageLink(machine: RedfishMachine): Body {
  const path = systemPath(machine);
  const { inventory } = machine.personality;
  if (inventory === 'simple-storage') return { SimpleStorage: link(`${path}/SimpleStorage`) };
  if (inventory === 'smart-storage') return { Oem: { Hpe: { Links: { SmartStorage: link(`${path}/SmartStorage`) } } } };
  return { Storage: link(`${path}/Storage`) };
}

function allowedTargets({ discTarget }: Personality): string[] {
  return Object.keys(targets).filter((name) => targets[name] !== 'cdrom' || name === (discTarget ?? 'Cd'));
}

function bootBody({ server, firmwareMode, personality }: RedfishMachine): Body {
  const { isValid, isPersistent, device } = server.chassis.bootFlags;
  const allowed = allowedTargets(personality);
  const target = allowed.find((name) => targets[name] === device) ?? 'None';
  const lasting = isPersistent ? 'Continuous' : 'Once';
  return {
    BootSourceOverrideEnabled: isValid ? lasting : 'Disabled',
    BootSourceOverrideTarget: isValid ? target : 'None',
    'BootSourceOverrideTarget@Redfish.AllowableValues': allowed,
    BootSourceOverrideMode: firmwareMode,
    'BootSourceOverrideMode@Redfish.AllowableValues': ['UEFI', 'Legacy'],
  };
}

function patchBoot(machine: RedfishMachine, { Boot: bootSettings }: Body): RedfishResponse {
  if (typeof bootSettings !== 'object' || bootSettings === null) return badValue('Boot');
  const boot = bootSettings as Body;
  const { BootSourceOverrideEnabled: enabled, BootSourceOverrideTarget: target, BootSourceOverrideMode: mode } = boot;
  if (enabled !== 'Once' && enabled !== 'Continuous' && enabled !== 'Disabled')
    return badValue('BootSourceOverrideEnabled');
  const { bootMode } = machine.personality;
  if (bootMode === 'rejected' && mode !== undefined)
    return errorResponse(400, 'PropertyNotWritable', 'BootSourceOverrideMode cannot be changed.');
  if (bootMode === 'required' && mode === undefined)
    return errorResponse(400, 'PropertyMissing', 'BootSourceOverrideMode is missing.');
  if (typeof target !== 'string' || !allowedTargets(machine.personality).includes(target))
    return badValue('BootSourceOverrideTarget');
  if (mode !== undefined && mode !== 'UEFI' && mode !== 'Legacy') return badValue('BootSourceOverrideMode');
  // Early services reset the firmware mode if a client does not send it.
  machine.firmwareMode = (mode as FirmwareMode | undefined) ?? machine.firmwareMode;
  if (mode === undefined && machine.generation === 'early') machine.firmwareMode = 'Legacy';
  const isValid = enabled !== 'Disabled' && target !== 'None';
  machine.server.chassis.bootFlags = isValid
    ? {
        isValid,
        device: targets[target]!,
        isPersistent: enabled === 'Continuous',
        isUefi: machine.firmwareMode === 'UEFI',
      }
    : noBootFlags;
  return noContent;
}

function shownPower({ server, personality, lastReset }: RedfishMachine): string {
  const isLate = performance.now() - lastReset.atMs < (personality.powerShowsAfterMs ?? 0);
  return (isLate ? lastReset.powerBefore : server.chassis.power) === 'on' ? 'On' : 'Off';
}

function resetSystem(machine: RedfishMachine, types: readonly string[], { ResetType: type }: Body): RedfishResponse {
  if (typeof type !== 'string' || !types.includes(type)) return badValue('ResetType');
  const control = controls[type];
  if (control === undefined) return badValue('ResetType');
  const powerBefore = machine.server.chassis.power;
  if (!machine.server.chassis.control(control))
    return errorResponse(409, 'ResourceNotFound', 'The system is powered off, so it cannot be reset.');
  machine.lastReset = { atMs: performance.now(), powerBefore };
  const { resetTask } = machine.malfunctions();
  return resetTask === undefined ? noContent : machine.tasks.start(resetTask);
}
