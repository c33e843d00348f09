// The next boot over Redfish. The firmware mode is sent along unchanged unless specified, because some services
// otherwise fall back to another; services without that property would reject it.
import type { Firmware } from '#contract/site/boot.ts';
import { missingCapability, type Boot, type BootTarget } from '../driver.ts';
import { withApiErrors } from './error.ts';
import { getObject, getText, getTexts, type Json } from './json.ts';
import { waitUntilShown, type RedfishService } from './service.ts';

const targets: Readonly<Record<BootTarget, string>> = {
  pxe: 'Pxe',
  cdrom: 'Cd',
  bios: 'BiosSetup',
  disk: 'Hdd',
  none: 'None',
};

const modes: Readonly<Record<Firmware, string>> = { bios: 'Legacy', uefi: 'UEFI' };

export function createBoot(service: RedfishService, firmware: Firmware | undefined): Boot {
  return withApiErrors<Boot>('boot', {
    async setNext(target, signal) {
      const system = await service.system(signal);
      const source = targets[target];
      const allowed = getTexts(getObject(system.body, 'Boot'), 'BootSourceOverrideTarget@Redfish.AllowableValues');
      if (target !== 'none' && allowed?.includes(source) === false)
        throw missingCapability('boot', { internal: `it cannot boot from ${source}` });
      await service.client.patch(system.path, (body) => bootOverride(body, source, firmware), signal);
      await waitUntilShown(
        async () => isOverrideSet((await service.system(signal)).body, source),
        signal,
        'The BMC accepted the boot device, but does not report it.',
      );
    },
  });
}

function bootOverride(system: Json, target: string, firmware: Firmware | undefined): Json {
  const mode = getText(getObject(system, 'Boot'), 'BootSourceOverrideMode');
  return {
    Boot: {
      BootSourceOverrideEnabled: target === 'None' ? 'Disabled' : 'Once',
      BootSourceOverrideTarget: target,
      ...(mode === undefined ? {} : { BootSourceOverrideMode: firmware === undefined ? mode : modes[firmware] }),
    },
  };
}

function isOverrideSet(system: Json, target: string): boolean {
  const boot = getObject(system, 'Boot');
  const enabled = getText(boot, 'BootSourceOverrideEnabled') ?? 'Disabled';
  return target === 'None'
    ? enabled === 'Disabled' || getText(boot, 'BootSourceOverrideTarget') === 'None'
    : enabled === 'Once' && getText(boot, 'BootSourceOverrideTarget') === target;
}
