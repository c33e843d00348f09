// The next boot over Redfish. The firmware's mode is sent along, as it is unless told: some services fall back to another where
// it is not, and those that have no such property would refuse it.
import type { Firmware } from '#contract/site-boot.ts';
import { missing, type Boot, type BootTarget } from '../driver.ts';
import { told } from './error.ts';
import { objectIn, textIn, textsIn, type Json } from './json.ts';
import { shows, type RedfishService } from './service.ts';

const targets: Readonly<Record<BootTarget, string>> = {
  pxe: 'Pxe',
  cdrom: 'Cd',
  bios: 'BiosSetup',
  disk: 'Hdd',
  none: 'None',
};

const modes: Readonly<Record<Firmware, string>> = { bios: 'Legacy', uefi: 'UEFI' };

export function bootOf(service: RedfishService, firmware: Firmware | undefined): Boot {
  return {
    setNext: (target, signal) =>
      told('boot', async () => {
        const system = await service.system(signal);
        const wanted = targets[target];
        const allowed = textsIn(objectIn(system.body, 'Boot'), 'BootSourceOverrideTarget@Redfish.AllowableValues');
        if (target !== 'none' && allowed?.includes(wanted) === false)
          throw missing('boot', { internal: `it cannot boot from ${wanted}` });
        await service.client.patch(system.path, (body) => override(body, wanted, firmware), signal);
        await shows(
          async () => isSet((await service.system(signal)).body, wanted),
          signal,
          'The controller took the choice of the boot device, but does not show it.',
        );
      }),
  };
}

function override(system: Json, target: string, firmware: Firmware | undefined): Json {
  const mode = textIn(objectIn(system, 'Boot'), 'BootSourceOverrideMode');
  return {
    Boot: {
      BootSourceOverrideEnabled: target === 'None' ? 'Disabled' : 'Once',
      BootSourceOverrideTarget: target,
      ...(mode === undefined ? {} : { BootSourceOverrideMode: firmware === undefined ? mode : modes[firmware] }),
    },
  };
}

function isSet(system: Json, target: string): boolean {
  const boot = objectIn(system, 'Boot');
  const enabled = textIn(boot, 'BootSourceOverrideEnabled') ?? 'Disabled';
  return target === 'None'
    ? enabled === 'Disabled' || textIn(boot, 'BootSourceOverrideTarget') === 'None'
    : enabled === 'Once' && textIn(boot, 'BootSourceOverrideTarget') === target;
}
