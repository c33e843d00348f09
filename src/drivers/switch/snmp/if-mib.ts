// The parts of IF-MIB (RFC 2863) that Hostyard reads, and how the library represents their values.
import * as snmp from 'net-snmp';
import type { Varbind } from 'net-snmp';
import { ApiError } from '#lib/api-error.ts';
import type { PortErrors, PortKeyKind, PortNames, PortState } from '../driver.ts';

const ifEntry = '1.3.6.1.2.1.2.2.1';
const ifXEntry = '1.3.6.1.2.1.31.1.1.1';

export const oids = {
  sysDescr: '1.3.6.1.2.1.1.1',
  sysUpTime: '1.3.6.1.2.1.1.3',
  ifDescr: `${ifEntry}.2`,
  ifSpeed: `${ifEntry}.5`,
  ifAdminStatus: `${ifEntry}.7`,
  ifOperStatus: `${ifEntry}.8`,
  ifInOctets: `${ifEntry}.10`,
  ifInDiscards: `${ifEntry}.13`,
  ifInErrors: `${ifEntry}.14`,
  ifOutOctets: `${ifEntry}.16`,
  ifOutDiscards: `${ifEntry}.19`,
  ifOutErrors: `${ifEntry}.20`,
  ifName: `${ifXEntry}.1`,
  ifHCInOctets: `${ifXEntry}.6`,
  ifHCOutOctets: `${ifXEntry}.10`,
  ifHighSpeed: `${ifXEntry}.15`,
  ifAlias: `${ifXEntry}.18`,
} as const;

export const adminStatusNumbers = { up: 1, down: 2 } as const;
/** testing(3) counts as down, because such a port carries no traffic. */
const operStatusUnknown = 4;

export const portKeyKinds = ['name', 'description', 'alias'] as const;
export const keyColumns = { name: oids.ifName, description: oids.ifDescr, alias: oids.ifAlias } as const;

/** In the order that `parsePortState` expects. */
export const stateColumns = [
  oids.ifAdminStatus,
  oids.ifOperStatus,
  oids.ifHighSpeed,
  oids.ifSpeed,
  ...portKeyKinds.map((kind) => keyColumns[kind]),
];

export function parsePortState(ifIndex: number, values: readonly (Varbind | undefined)[]): PortState | undefined {
  const [admin, oper, highSpeed, speed, ...names] = values;
  const [adminNumber, operNumber] = [parseInteger(admin), parseInteger(oper)];
  if (adminNumber === undefined || operNumber === undefined) return undefined;
  const megabits = parseInteger(highSpeed) ?? 0;
  return {
    ...parsePortNames(ifIndex, portKeyKinds, names),
    adminStatus: adminNumber === adminStatusNumbers.up ? 'up' : 'down',
    operStatus: operNumber === adminStatusNumbers.up ? 'up' : operNumber === operStatusUnknown ? 'unknown' : 'down',
    speedBitsPerSecond: megabits > 0 ? megabits * 1_000_000 : (parseInteger(speed) ?? 0),
  };
}

/** In the order that `parsePortErrors` expects. */
export const errorColumns = [oids.ifInErrors, oids.ifOutErrors, oids.ifInDiscards, oids.ifOutDiscards] as const;

export function parsePortErrors(values: readonly (Varbind | undefined)[]): PortErrors {
  const [inErrors, outErrors, inDiscards, outDiscards] = values.map(parseInteger);
  return { inErrors, outErrors, inDiscards, outDiscards };
}

/** In the order of `kinds`. Names of other kinds are empty. */
export function parsePortNames(
  ifIndex: number,
  kinds: readonly PortKeyKind[],
  values: readonly (Varbind | undefined)[],
): PortNames {
  const texts = { name: '', description: '', alias: '' };
  for (const [position, kind] of kinds.entries()) texts[kind] = parseText(values[position]);
  return { ifIndex, ...texts, name: texts.name || texts.description };
}

/** Returns undefined if the agent does not have the object. */
export function parseInteger(varbind: Varbind | undefined): number | undefined {
  if (varbind === undefined || snmp.isVarbindError(varbind)) return undefined;
  if (typeof varbind.value !== 'number') throw unexpectedType(varbind);
  return varbind.value;
}

/**
 * Returns undefined if the agent does not have the object. The library returns Counter64 as bytes without leading zeros, and
 * Counter32 as a number.
 */
export function parseCounter(varbind: Varbind | undefined): bigint | undefined {
  if (varbind === undefined || snmp.isVarbindError(varbind)) return undefined;
  const { value } = varbind;
  if (typeof value === 'number' && value >= 0) return BigInt(value);
  if (Buffer.isBuffer(value) && value.length <= 9) return BigInt.asUintN(64, BigInt(`0x0${value.toString('hex')}`));
  throw unexpectedType(varbind);
}

export function parseText(varbind: Varbind | undefined): string {
  if (varbind === undefined || snmp.isVarbindError(varbind)) return '';
  if (!Buffer.isBuffer(varbind.value)) throw unexpectedType(varbind);
  return varbind.value.toString('utf8').replaceAll('\0', '').trim();
}

function unexpectedType({ oid }: Varbind): ApiError {
  return new ApiError('switch_error', { internal: `${oid} has an unexpected type` });
}
