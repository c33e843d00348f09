// Driver for switches with IF-MIB over SNMP v2c and v3: any managed switch, and Net-SNMP's snmpd.
import { setTimeout as sleep } from 'node:timers/promises';
import * as snmp from 'net-snmp';
import type { Varbind } from 'net-snmp';
import { ApiError } from '#lib/api-error.ts';
import type { AdminStatus, PortCounters, PortKey, PortKeyKind, PortReference, PortState } from '../driver.ts';
import { hasKey, PortMismatchError, type Switch, type SwitchCounters, type SwitchDriver } from '../driver.ts';
import type { SwitchInspection } from '../driver.ts';
import { adminStatusNumbers, errorColumns, oids, parseCounter, parseInteger, parsePortErrors } from './if-mib.ts';
import { keyColumns, parsePortNames, parsePortState, parseText, portKeyKinds, stateColumns } from './if-mib.ts';
import { readNeighbours } from './lldp-mib.ts';
import { maxAttempts, openSession, type SnmpSession, TooBigError } from '../../snmp/session.ts';
import { SnmpSettings } from '../../snmp/settings.ts';
import { defaultDriverWaits, type DriverWaits } from '../../waits.ts';
import { maxVarbinds, walk } from './walk.ts';

const minPauseMs = 25;
const maxPauseMs = 500;

const counterColumns = {
  64: [oids.ifHCInOctets, oids.ifHCOutOctets],
  32: [oids.ifInOctets, oids.ifOutOctets],
} as const;

export const snmpSwitchDriver: SwitchDriver<typeof SnmpSettings> = {
  settings: SnmpSettings,
  open: async (settings, waits = defaultDriverWaits) => {
    const session = openSession(settings, { error: 'switch_error', unreachable: 'switch_unreachable' }, waits);
    return {
      ports: (signal) => readPorts(session, signal),
      port: (port, signal) => readPort(session, port, signal),
      inspect: (signal) => inspect(session, signal),
      counters: (wanted, signal) => readCounters(session, wanted, signal),
      neighbours: async (signal) => readNeighbours(session, await readPorts(session, signal), signal),
      setAdmin: (port, status, signal) => setAdmin(session, port, status, signal, waits),
      [Symbol.asyncDispose]: async () => session.close(),
    } satisfies Switch;
  },
};

async function readPorts(session: SnmpSession, signal: AbortSignal): Promise<PortState[]> {
  const { rows } = await readTable(session, stateColumns, signal);
  // Skips ports that appeared or disappeared while the table was read.
  return rows.flatMap(({ ifIndex, values }) => parsePortState(ifIndex, values) ?? []);
}

async function inspect(session: SnmpSession, signal: AbortSignal): Promise<SwitchInspection> {
  const [description] = await session.get([`${oids.sysDescr}.0`], signal);
  const { upTimeTicks, rows } = await readTable(session, [...stateColumns, ...errorColumns], signal);
  const ports = rows.flatMap(({ ifIndex, values }) => {
    const state = parsePortState(ifIndex, values.slice(0, stateColumns.length));
    return state === undefined ? [] : [{ ...state, ...parsePortErrors(values.slice(stateColumns.length)) }];
  });
  return { description: parseText(description), upTimeTicks, ports };
}

async function readPort(
  session: SnmpSession,
  { ifIndex, key }: PortReference,
  signal: AbortSignal,
): Promise<PortState> {
  const values = await readRows(session, stateColumns, [ifIndex], signal);
  const state = parsePortState(ifIndex, values.get(ifIndex)!);
  if (state === undefined) throw new PortMismatchError(`the switch has no port ${ifIndex}`);
  if (!hasKey(state, key))
    throw new PortMismatchError(`port ${ifIndex} has the ${key.by} "${state[key.by]}", not "${key.value}"`);
  return state;
}

async function readCounters(
  session: SnmpSession,
  wanted: readonly PortKey[],
  signal: AbortSignal,
): Promise<SwitchCounters> {
  const hasWanted = ({ ports }: SwitchCounters): boolean =>
    ports.length > 0 && wanted.every((key) => ports.some((port) => hasKey(port, key)));
  const kinds = portKeyKinds.filter((kind) => kind === 'name' || wanted.some(({ by }) => by === kind));
  const first = await readCountersOf(64, session, kinds, signal);
  if (hasWanted(first)) return first;
  // The name of a port without ifName is its description.
  const wide = first.ports.length === 0 ? first : await readCountersOf(64, session, portKeyKinds, signal);
  if (hasWanted(wide)) return wide;
  const narrow = await readCountersOf(32, session, portKeyKinds, signal);
  if (narrow.upTimeTicks < wide.upTimeTicks) throw restartError();
  const counted = new Set(wide.ports.map(({ ifIndex }) => ifIndex));
  return { ...wide, ports: [...wide.ports, ...narrow.ports.filter(({ ifIndex }) => !counted.has(ifIndex))] };
}

async function readCountersOf(
  counterBits: 32 | 64,
  session: SnmpSession,
  kinds: readonly PortKeyKind[],
  signal: AbortSignal,
): Promise<SwitchCounters> {
  const columns = [...counterColumns[counterBits], ...kinds.map((kind) => keyColumns[kind])];
  const { upTimeTicks, rows } = await readTable(session, columns, signal);
  const ports = rows.flatMap(({ ifIndex, values: [inbound, outbound, ...names] }): PortCounters[] => {
    const [inOctets, outOctets] = [parseCounter(inbound), parseCounter(outbound)];
    if (inOctets === undefined || outOctets === undefined) return [];
    return [{ ...parsePortNames(ifIndex, kinds, names), inOctets, outOctets, counterBits }];
  });
  return { upTimeTicks, ports };
}

interface Row {
  readonly ifIndex: number;
  readonly values: readonly (Varbind | undefined)[];
}

/** Reads the columns of all ports. The values of a row are always from the same response, and so of the same port. */
async function readTable(
  session: SnmpSession,
  columns: readonly string[],
  signal: AbortSignal,
): Promise<{ upTimeTicks: number; rows: readonly Row[] }> {
  const table = await walk(session, { scalars: [oids.sysUpTime], columns }, signal);
  const upTimes = table.scalars.map(([upTime]) => parseInteger(upTime));
  const upTimeTicks = upTimes[0];
  if (upTimeTicks === undefined) throw new ApiError('switch_error', { internal: 'the switch has no sysUpTime' });
  // Otherwise some rows would be from before the restart and some from after.
  if (upTimes.some((ticks) => ticks === undefined || ticks < upTimeTicks)) throw restartError();
  const indexes = [...table.columns[0]!.keys()].map(Number).filter((index) => index > 0);
  const split = indexes.filter((ifIndex) => table.split.has(String(ifIndex)));
  const reread = await readRows(session, columns, split, signal);
  const rows = indexes.map((ifIndex) => ({
    ifIndex,
    values: reread.get(ifIndex) ?? table.columns.map((column) => column.get(String(ifIndex))),
  }));
  return { upTimeTicks, rows };
}

/** Reads several rows with each request, but never one row with two. */
async function readRows(
  session: SnmpSession,
  columns: readonly string[],
  indexes: readonly number[],
  signal: AbortSignal,
): Promise<Map<number, readonly Varbind[]>> {
  const rows = new Map<number, readonly Varbind[]>();
  let rowsPerRequest = Math.max(1, Math.floor(maxVarbinds / columns.length));
  for (let done = 0; done < indexes.length;) {
    const batch = indexes.slice(done, done + rowsPerRequest);
    try {
      const oids = batch.flatMap((ifIndex) => columns.map((oid) => `${oid}.${ifIndex}`));
      const values = await session.get(oids, signal);
      for (const [position, ifIndex] of batch.entries())
        rows.set(ifIndex, values.slice(position * columns.length, (position + 1) * columns.length));
      done += batch.length;
    } catch (error) {
      if (!(error instanceof TooBigError)) throw error;
      if (rowsPerRequest === 1) throw new ApiError('switch_error', { internal: 'the agent cannot send a single row' });
      rowsPerRequest = Math.floor(rowsPerRequest / 2);
    }
  }
  return rows;
}

function restartError(): ApiError {
  return new ApiError('switch_error', { internal: 'the switch restarted while it was read' });
}

async function setAdmin(
  session: SnmpSession,
  port: PortReference,
  status: AdminStatus,
  signal: AbortSignal,
  { commandMs }: DriverWaits,
): Promise<PortState> {
  const { ifIndex } = port;
  await setVerified(session, port, status, signal);
  const deadlineMs = performance.now() + commandMs;
  for (let pauseMs = minPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    const state = await readPort(session, port, signal);
    if (state.adminStatus === status) return state;
    if (performance.now() > deadlineMs)
      throw new ApiError('switch_error', {
        internal: `port ${ifIndex} was set to ${status} but is still ${state.adminStatus}`,
      });
    // The next read checks the signal and reports whether the switch or the caller timed out.
    await sleep(pauseMs);
  }
}

/** Identifies the port before every attempt: one that was lost may mean that the switch has restarted. */
async function setVerified(
  session: SnmpSession,
  port: PortReference,
  status: AdminStatus,
  signal: AbortSignal,
): Promise<void> {
  const varbind = {
    oid: `${oids.ifAdminStatus}.${port.ifIndex}`,
    type: snmp.ObjectType.Integer,
    value: adminStatusNumbers[status],
  };
  for (let attempt = 1; ; attempt++) {
    await readPort(session, port, signal);
    try {
      return await session.set(varbind, signal);
    } catch (error) {
      const isLost = error instanceof ApiError && error.code === 'switch_unreachable';
      if (!isLost || signal.aborted || attempt === maxAttempts) throw error;
    }
  }
}
