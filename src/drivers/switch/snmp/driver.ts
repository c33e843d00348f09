// Switches over SNMP v2c and v3, as far as IF-MIB goes: any managed switch, and Debian's snmpd.
import { setTimeout as sleep } from 'node:timers/promises';
import * as snmp from 'net-snmp';
import { Fault } from '#kernel/fault.ts';
import type { AdminStatus, PortCounters, PortState, Switch, SwitchCounters, SwitchDriver } from '../driver.ts';
import { ADMIN_NUMBER, counterOf, OID, portStateOf, STATE_COLUMNS, wholeOf } from './if-mib.ts';
import { openSession, type SnmpSession } from './session.ts';
import { SnmpSettings } from './settings.ts';
import { walk } from './walk.ts';

/** How long a switch may take to say that a port is what it was set to. */
const READ_BACK_MS = 10_000;
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 500;

const counterColumns = {
  64: [OID.ifHCInOctets, OID.ifHCOutOctets],
  32: [OID.ifInOctets, OID.ifOutOctets],
} as const;

export const snmpSwitchDriver: SwitchDriver<typeof SnmpSettings> = {
  name: 'snmp',
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
  const { columns } = await walk(session, { columns: STATE_COLUMNS }, signal);
  return [...columns[0]!.keys()].flatMap((ifIndex) => {
    // A port that came or went while the table was read is not whole.
    const state = portStateOf(
      ifIndex,
      columns.map((column) => column.get(ifIndex)),
    );
    return state === undefined ? [] : [state];
  });
}

async function readPort(session: SnmpSession, ifIndex: number, signal: AbortSignal): Promise<PortState> {
  const values = await session.get(
    STATE_COLUMNS.map((oid) => `${oid}.${ifIndex}`),
    signal,
  );
  const state = portStateOf(ifIndex, values);
  if (state === undefined) throw new Fault('switch_error', { internal: `the switch has no port ${ifIndex}` });
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
  const table = { scalars: [OID.sysUpTime], columns: counterColumns[counterBits] };
  const { scalars, columns } = await walk(session, table, signal);
  const upTimes = scalars.map(([upTime]) => wholeOf(upTime));
  const upTimeTicks = upTimes[0];
  if (upTimeTicks === undefined) throw new Fault('switch_error', { internal: 'the switch has no sysUpTime' });
  // Half of the counters would be from before, half from after.
  if (upTimes.some((ticks) => ticks === undefined || ticks < upTimeTicks))
    throw new Fault('switch_error', { internal: 'the switch restarted while it was read' });
  const [inbound, outbound] = columns;
  const ports: PortCounters[] = [];
  for (const [ifIndex, inOctets] of inbound!) {
    const outOctets = outbound!.get(ifIndex);
    if (outOctets !== undefined)
      ports.push({ ifIndex, inOctets: counterOf(inOctets), outOctets: counterOf(outOctets) });
  }
  return { upTimeTicks, counterBits, ports };
}

async function setAdmin(
  session: SnmpSession,
  ifIndex: number,
  status: AdminStatus,
  signal: AbortSignal,
): Promise<PortState> {
  const oid = `${OID.ifAdminStatus}.${ifIndex}`;
  await session.set({ oid, type: snmp.ObjectType.Integer, value: ADMIN_NUMBER[status] }, signal);
  const giveUpAtMs = performance.now() + READ_BACK_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const state = await readPort(session, ifIndex, signal);
    if (state.adminStatus === status) return state;
    if (performance.now() > giveUpAtMs)
      throw new Fault('switch_error', {
        internal: `port ${ifIndex} was set ${status} and stayed ${state.adminStatus}`,
      });
    // The next reading heeds the signal, and says whether the switch or the caller was too late.
    await sleep(pauseMs);
  }
}
