// The parts of IF-MIB (RFC 2863) that Hostyard reads, and how their values come out of the library.
import * as snmp from 'net-snmp';
import type { Varbind } from 'net-snmp';
import { Fault } from '#kernel/fault.ts';
import type { PortState } from '../driver.ts';

const ifEntry = '1.3.6.1.2.1.2.2.1';
const ifXEntry = '1.3.6.1.2.1.31.1.1.1';

export const OID = {
  sysUpTime: '1.3.6.1.2.1.1.3',
  ifDescr: `${ifEntry}.2`,
  ifSpeed: `${ifEntry}.5`,
  ifAdminStatus: `${ifEntry}.7`,
  ifOperStatus: `${ifEntry}.8`,
  ifInOctets: `${ifEntry}.10`,
  ifOutOctets: `${ifEntry}.16`,
  ifName: `${ifXEntry}.1`,
  ifHCInOctets: `${ifXEntry}.6`,
  ifHCOutOctets: `${ifXEntry}.10`,
  ifHighSpeed: `${ifXEntry}.15`,
  ifAlias: `${ifXEntry}.18`,
} as const;

export const ADMIN_NUMBER = { up: 1, down: 2 } as const;
/** A port in tests (3) carries no traffic. */
const OPER_UNKNOWN = 4;

/** The columns of a port's state, in the order in which `portStateOf` takes their values. */
export const STATE_COLUMNS = [
  OID.ifAdminStatus,
  OID.ifOperStatus,
  OID.ifName,
  OID.ifDescr,
  OID.ifAlias,
  OID.ifHighSpeed,
  OID.ifSpeed,
] as const;

export function portStateOf(ifIndex: number, values: readonly (Varbind | undefined)[]): PortState | undefined {
  const [admin, oper, name, description, alias, highSpeed, speed] = values;
  const [adminNumber, operNumber] = [wholeOf(admin), wholeOf(oper)];
  if (adminNumber === undefined || operNumber === undefined) return undefined;
  const megabits = wholeOf(highSpeed) ?? 0;
  return {
    ifIndex,
    name: textOf(name) || textOf(description),
    alias: textOf(alias),
    adminStatus: adminNumber === ADMIN_NUMBER.up ? 'up' : 'down',
    operStatus: operNumber === ADMIN_NUMBER.up ? 'up' : operNumber === OPER_UNKNOWN ? 'unknown' : 'down',
    speedBitsPerSecond: megabits > 0 ? megabits * 1_000_000 : (wholeOf(speed) ?? 0),
  };
}

/** A whole number, or nothing where the agent does not have the object. */
export function wholeOf(varbind: Varbind | undefined): number | undefined {
  if (varbind === undefined || snmp.isVarbindError(varbind)) return undefined;
  if (typeof varbind.value !== 'number') throw notOfItsType(varbind);
  return varbind.value;
}

/** A counter of 64 bits comes as bytes without leading zeros, one of 32 bits as a number. */
export function counterOf(varbind: Varbind): bigint {
  const { value } = varbind;
  if (typeof value === 'number' && value >= 0) return BigInt(value);
  if (Buffer.isBuffer(value) && value.length <= 9) return BigInt.asUintN(64, BigInt(`0x0${value.toString('hex')}`));
  throw notOfItsType(varbind);
}

function textOf(varbind: Varbind | undefined): string {
  if (varbind === undefined || snmp.isVarbindError(varbind)) return '';
  if (!Buffer.isBuffer(varbind.value)) throw notOfItsType(varbind);
  return varbind.value.toString('utf8').replaceAll('\0', '').trim();
}

function notOfItsType({ oid }: Varbind): Fault {
  return new Fault('switch_error', { internal: `${oid} is not of its type` });
}
