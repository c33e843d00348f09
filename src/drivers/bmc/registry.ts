// Every controller driver there is.
import type { TSchema } from 'typebox';
import { openFleet, type Fleet } from '#wire/ipmi/fleet.ts';
import type { BmcDriver } from './driver.ts';
import { ipmiDriver, IpmiSettings } from './ipmi.ts';
import { RedfishSettings } from './redfish/settings.ts';

/** What a site file must say of a controller, by driver. */
export const bmcSettings: Readonly<Record<string, TSchema>> = { ipmi: IpmiSettings, redfish: RedfishSettings };

export interface OpenBmcDrivers {
  readonly drivers: Readonly<Record<string, BmcDriver>>;
  close(): Promise<void>;
}

const redfishDriver: BmcDriver<typeof RedfishSettings> = {
  name: 'redfish',
  settings: RedfishSettings,
  // Most of these controllers serve IPMI as well, and keep one password for both.
  longestPassword: 16,
  // Loaded only where it is used: a small installation should stay small.
  open: async (settings, server) => (await import('./redfish/driver.ts')).openRedfish(settings, server),
};

export function openBmcDrivers(): OpenBmcDrivers {
  let fleet: Promise<Fleet> | undefined;
  return {
    drivers: { ipmi: ipmiDriver(() => (fleet ??= openFleet())), redfish: redfishDriver },
    close: async () => (await fleet)?.close(),
  };
}
