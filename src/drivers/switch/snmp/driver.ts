// Driver for switches with IF-MIB over SNMP v2c and v3: any managed switch, and Net-SNMP's snmpd.
import { setTimeout as sleep } from 'node:timers/promises';
import * as snmp from 'net-snmp';
import { ApiError } from '#lib/api-error.ts';
import type { AdminStatus, PortCounters, PortState, Switch, SwitchCounters, SwitchDriver } from '../driver.ts';
import { adminStatusNumbers, parseCounter, oids, parsePortState, stateColumns, parseInteger } from './if-mib.ts';
import { openSession, type SnmpSession } from './session.ts';
import { SnmpSettings } from './settings.ts';
import { walk } from './walk.ts';

/** How long a switch may take to report the status that was set. */
const readBackTimeoutMs = 10_000;
const minPauseMs = 25;
const maxPauseMs = 500;

const counterColumns = {
  64: [oids.ifHCInOctets, oids.ifHCOutOctets],
  32: [oids.ifInOctets, oids.ifOutOctets],
} as const;

export const snmpSwitchDriver: SwitchDriver<typeof SnmpSettings> = {
  settings: SnmpSettings,
  open: async (settings) => {
    const session = openSession(settings);
    return {
      ports: (signal) => readPorts(session, signal),
      port: (ifIndex, signal) => readPort(session, ifIndex, signal),
      counters: (signal) => readCounters(session, signal),
      setAdmin: (ifIndex, status, signal) => setAdmin(session, ifIndex, status, signal),
      [Symbol.asyncDispose]: async () => session.close(),
    } satisfies Switch;
  },
};

async function readPorts(session: SnmpSession, signal: AbortSignal): Promise<PortState[]> {
  const { columns } = await walk(session, { columns: stateColumns }, signal);
  return [...columns[0]!.keys()].flatMap((ifIndex) => {
    // Skips ports that appeared or disappeared while the table was read.
    const state = parsePortState(
      ifIndex,
      columns.map((column) => column.get(ifIndex)),
    );
    return state === undefined ? [] : [state];
  });
}

async function readPort(session: SnmpSession, ifIndex: number, signal: AbortSignal): Promise<PortState> {
  const values = await session.get(
    stateColumns.map((oid) => `${oid}.${ifIndex}`),
    signal,
  );
  const state = parsePortState(ifIndex, values);
  if (state === undefined) throw new ApiError('switch_error', { internal: `the switch has no port ${ifIndex}` });
  return state;
}

async function readCounters(session: SnmpSession, signal: AbortSignal): Promise<SwitchCounters> {
  const wide = await readCountersOf(64, session, signal);
  return wide.ports.length > 0 ? wide : readCountersOf(32, session, signal);
}

async function readCountersOf(
  counterBits: 32 | 64,
  session: SnmpSession,
  signal: AbortSignal,
): Promise<SwitchCounters> {
  const table = { scalars: [oids.sysUpTime], columns: counterColumns[counterBits] };
  const { scalars, columns } = await walk(session, table, signal);
  const upTimes = scalars.map(([upTime]) => parseInteger(upTime));
  const upTimeTicks = upTimes[0];
  if (upTimeTicks === undefined) throw new ApiError('switch_error', { internal: 'the switch has no sysUpTime' });
  // Otherwise some counters would be from before the restart and some from after.
  if (upTimes.some((ticks) => ticks === undefined || ticks < upTimeTicks))
    throw new ApiError('switch_error', { internal: 'the switch restarted while it was read' });
  const [inbound, outbound] = columns;
  const ports: PortCounters[] = [];
  for (const [ifIndex, inOctets] of inbound!) {
    const outOctets = outbound!.get(ifIndex);
    if (outOctets !== undefined)
      ports.push({ ifIndex, inOctets: parseCounter(inOctets), outOctets: parseCounter(outOctets) });
  }
  return { upTimeTicks, counterBits, ports };
}

async function setAdmin(
  session: SnmpSession,
  ifIndex: number,
  status: AdminStatus,
  signal: AbortSignal,
): Promise<PortState> {
  const oid = `${oids.ifAdminStatus}.${ifIndex}`;
  await session.set({ oid, type: snmp.ObjectType.Integer, value: adminStatusNumbers[status] }, signal);
  const deadlineMs = performance.now() + readBackTimeoutMs;
  for (let pauseMs = minPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    const state = await readPort(session, ifIndex, signal);
    if (state.adminStatus === status) return state;
    if (performance.now() > deadlineMs)
      throw new ApiError('switch_error', {
        internal: `port ${ifIndex} was set to ${status} but is still ${state.adminStatus}`,
      });
    // The next read checks the signal and reports whether the switch or the caller timed out.
    await sleep(pauseMs);
  }
}
