// Every controller driver there is.
import type { TSchema } from 'typebox';
import { openFleet, type Fleet } from '#wire/ipmi/fleet.ts';
import type { BmcDriver } from './driver.ts';
import { ipmiDriver, IpmiSettings } from './ipmi.ts';

/** What a site file must say of a controller, by driver. */
export const bmcSettings: Readonly<Record<string, TSchema>> = { ipmi: IpmiSettings };

export interface OpenBmcDrivers {
  readonly drivers: Readonly<Record<string, BmcDriver>>;
  close(): Promise<void>;
}

export function openBmcDrivers(): OpenBmcDrivers {
  let fleet: Promise<Fleet> | undefined;
  return {
    drivers: { ipmi: ipmiDriver(() => (fleet ??= openFleet())) },
    close: async () => (await fleet)?.close(),
  };
}
