// Every switch driver there is.
import type { TSchema } from 'typebox';
import type { SwitchDriver } from './driver.ts';
import { snmpSwitchDriver } from './snmp/driver.ts';

export const switchDrivers: Readonly<Record<string, SwitchDriver<never>>> = {
  snmp: snmpSwitchDriver as unknown as SwitchDriver<never>,
};

/** What a site file must say of a switch, by driver. */
export const switchSettings: Readonly<Record<string, TSchema>> = { snmp: snmpSwitchDriver.settings };
