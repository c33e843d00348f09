// The BMC drivers by the name that a site file uses.
import type { TSchema } from 'typebox';
import { openFleet, type Fleet } from '#protocols/ipmi/fleet.ts';
import type { BmcDriver } from './driver.ts';
import { ipmiDriver, IpmiSettings } from './ipmi.ts';
import { RedfishDriverSettings } from './redfish/settings.ts';

/** The settings schema of each driver. */
export const bmcSettings: Readonly<Record<string, TSchema>> = { ipmi: IpmiSettings, redfish: RedfishDriverSettings };

/** Returns whether a BMC with these settings has `web`, without opening a connection. */
export function hasWebPage(driver: string, settings: object): boolean {
  return driver === 'redfish' || 'redfish' in settings;
}

export interface OpenBmcDrivers {
  readonly drivers: Readonly<Record<string, BmcDriver>>;
  close(): Promise<void>;
}

const redfishDriver: BmcDriver<typeof RedfishDriverSettings> = {
  settings: RedfishDriverSettings,
  // Most of these BMCs also serve IPMI and share the password with it.
  maxPasswordLength: 16,
  // Imported on first use, to keep the memory of small installations low.
  open: async (settings, server) => (await import('./redfish/driver.ts')).openRedfish(settings, server),
};

export function openBmcDrivers(): OpenBmcDrivers {
  let fleet: Promise<Fleet> | undefined;
  return {
    drivers: { ipmi: ipmiDriver(() => (fleet ??= openFleet())), redfish: redfishDriver },
    close: async () => (await fleet)?.close(),
  };
}
