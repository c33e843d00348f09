// The power strip drivers by the name that a site file uses.
import type { TSchema } from 'typebox';
import type { PduDriver } from './driver.ts';
import { snmpPduDriver } from './snmp/driver.ts';

export const pduDrivers: Readonly<Record<string, PduDriver<never>>> = {
  snmp: snmpPduDriver as unknown as PduDriver<never>,
};

/** The settings schema of each driver. */
export const pduSettings: Readonly<Record<string, TSchema>> = { snmp: snmpPduDriver.settings };
