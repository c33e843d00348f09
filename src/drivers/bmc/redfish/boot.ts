// The next boot over Redfish. The firmware mode is sent along unchanged unless specified, because some services
// otherwise fall back to another. Some reject a change with it, and others without it: what a service shows is tried
// first, then the opposite, and what worked is remembered.
import type { Firmware } from '#contract/site/boot.ts';
import { missingCapability, type Boot, type BootTarget } from '../driver.ts';
import { waitUntilShown } from '../wait-until-shown.ts';
import type { Resource } from './client.ts';
import { RedfishError, withApiErrors } from './error.ts';
import { getLink, getObject, getText, getTexts, type Json } from './json.ts';
import type { RedfishService } from './service.ts';

/** In order of preference. */
const targets: Readonly<Record<BootTarget, readonly string[]>> = {
  pxe: ['Pxe'],
  cdrom: ['Cd', 'UsbCd'],
  bios: ['BiosSetup'],
  disk: ['Hdd'],
  none: ['None'],
};

const modes: Readonly<Record<Firmware, string>> = { bios: 'Legacy', uefi: 'UEFI' };

export function createBoot(service: RedfishService, firmware: Firmware | undefined): Boot {
  let sendsMode: boolean | undefined;

  /** Changes the settings object if the service has one, or the system itself. */
  async function change(system: Resource, source: string, withMode: boolean, signal: AbortSignal): Promise<void> {
    const override = bootOverride(system.body, source, withMode ? firmware : 'omitted');
    const path = settingsPath(system) ?? system.path;
    await service.client.patch(path, () => override, signal);
    sendsMode = withMode;
  }

  return withApiErrors<Boot>('boot', {
    async setNext(target, signal) {
      const system = await service.system(signal);
      const boot = getObject(system.body, 'Boot');
      const allowed = getTexts(boot, 'BootSourceOverrideTarget@Redfish.AllowableValues');
      const source = targets[target].find((name) => target === 'none' || (allowed?.includes(name) ?? true));
      if (source === undefined)
        throw missingCapability('boot', { internal: `it cannot boot from ${targets[target].join(' or ')}` });
      const { bootMode } = await service.behaviour(signal);
      const isShown = getText(boot, 'BootSourceOverrideMode') !== undefined;
      const first = sendsMode ?? (bootMode === undefined ? isShown : bootMode === 'required');
      await change(system, source, first, signal).catch((error: unknown) => {
        if (!isRejection(error)) throw error;
        return change(system, source, !first, signal);
      });
      await waitUntilShown(
        () => isOverrideShown(service, source, signal),
        signal,
        'The BMC accepted the boot device, but does not report it.',
      );
    },
  });
}

function isRejection(error: unknown): boolean {
  return error instanceof RedfishError && error.kind === 'rejected' && error.status === 400;
}

function settingsPath({ body }: Resource): string | undefined {
  return getLink(body, '@Redfish.Settings', 'SettingsObject');
}

function bootOverride(system: Json, target: string, firmware: Firmware | undefined | 'omitted'): Json {
  const current = getText(getObject(system, 'Boot'), 'BootSourceOverrideMode') ?? modes.uefi;
  const mode = firmware === undefined || firmware === 'omitted' ? current : modes[firmware];
  return {
    Boot: {
      BootSourceOverrideEnabled: target === 'None' ? 'Disabled' : 'Once',
      BootSourceOverrideTarget: target,
      ...(firmware === 'omitted' ? {} : { BootSourceOverrideMode: mode }),
    },
  };
}

/** A pending change is visible in the settings object first. */
async function isOverrideShown(service: RedfishService, target: string, signal: AbortSignal): Promise<boolean> {
  const system = await service.system(signal);
  if (isOverrideSet(system.body, target)) return true;
  const path = settingsPath(system);
  return path !== undefined && isOverrideSet((await service.client.get(path, signal)).body, target);
}

function isOverrideSet(system: Json, target: string): boolean {
  const boot = getObject(system, 'Boot');
  const enabled = getText(boot, 'BootSourceOverrideEnabled') ?? 'Disabled';
  return target === 'None'
    ? enabled === 'Disabled' || getText(boot, 'BootSourceOverrideTarget') === 'None'
    : enabled === 'Once' && getText(boot, 'BootSourceOverrideTarget') === target;
}
