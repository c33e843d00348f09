// The switch drivers by the name that a site file uses.
import type { TSchema } from 'typebox';
import type { SwitchDriver } from './driver.ts';
import { snmpSwitchDriver } from './snmp/driver.ts';

export const switchDrivers: Readonly<Record<string, SwitchDriver<never>>> = {
  snmp: snmpSwitchDriver as unknown as SwitchDriver<never>,
};

/** The settings schema of each driver. */
export const switchSettings: Readonly<Record<string, TSchema>> = { snmp: snmpSwitchDriver.settings };
