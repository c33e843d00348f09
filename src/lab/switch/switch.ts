// A lab switch: an SNMP agent on a loopback port that serves IF-MIB well enough for snmpget, snmpset and snmpbulkwalk.
// Its ports carry traffic, and malfunctions can be injected.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import * as snmp from 'net-snmp';
import { type Clock, systemClock } from '#lib/clock.ts';
import { type Column, createAgent, type LabSwitchMalfunctions } from './agent.ts';
import { LabPort, type LabPortOptions } from './ports.ts';

export interface LabSwitchOptions {
  readonly ports: readonly LabPortOptions[];
  readonly communities: { readonly readWrite: string; readonly readOnly?: string };
  /** An SNMPv3 user with SHA-256 and AES. */
  readonly user?: { readonly name: string; readonly authPassword: string; readonly privPassword: string };
  readonly name?: string;
  readonly address?: string;
  /** Chosen by the operating system if 0 or undefined. */
  readonly port?: number;
  readonly clock?: Clock;
  /** How long a link takes to come up after its port is enabled. */
  readonly linkDelayMs?: number;
}

export interface LabSwitch extends AsyncDisposable {
  readonly address: string;
  readonly port: number;
  readonly ports: ReadonlyMap<number, LabPort>;
  setMalfunctions(malfunctions: LabSwitchMalfunctions): void;
  /** Resets the counters but not sysUpTime. */
  clearCounters(): void;
  /** Resets the counters and sysUpTime. As some switches do, gives the ports of `order` new numbers: each that of the next. */
  restart(order?: readonly number[]): void;
  close(): Promise<void>;
}

const defaultLinkDelayMs = 1_000;
const { Counter, Counter64, Gauge, Integer, OctetString, TimeTicks } = snmp.ObjectType;

export async function startLabSwitch(options: LabSwitchOptions): Promise<LabSwitch> {
  const { clock = systemClock, linkDelayMs = defaultLinkDelayMs, name = 'lab-switch' } = options;
  const ports = new Map(options.ports.map((port) => [port.ifIndex, new LabPort(port, clock, linkDelayMs)]));
  let malfunctions: LabSwitchMalfunctions = {};
  /** The next response is lost. */
  let isLost = false;
  let startedAtMs = clock.now();

  const socket = createSocket('udp4');
  socket.bind(options.port ?? 0, options.address ?? '127.0.0.1');
  await once(socket, 'listening');
  const { communities, user } = options;
  const agent = createAgent({
    socket,
    communities,
    malfunctions: () => {
      const current = malfunctions;
      if (isLost) [isLost, malfunctions] = [false, {}];
      return current;
    },
    ...(user && {
      user: {
        name: user.name,
        level: snmp.SecurityLevel.authPriv,
        authProtocol: snmp.AuthProtocols.sha256,
        authKey: user.authPassword,
        privProtocol: snmp.PrivProtocols.aes,
        privKey: user.privPassword,
      },
    }),
  });
  const canWrite = (): boolean => {
    const { restartsOnWrite } = malfunctions;
    if (restartsOnWrite === undefined) return true;
    [isLost, malfunctions] = [true, { isSilent: true }];
    restart(restartsOnWrite);
    return false;
  };
  const system = '1.3.6.1.2.1.1';
  agent.addScalar({ name: 'sysDescr', oid: `${system}.1`, type: OctetString, read: () => 'Hostyard lab switch' });
  const upTimeTicks = () => Math.floor((clock.now() - startedAtMs) / 10) % 2 ** 32;
  agent.addScalar({ name: 'sysUpTime', oid: `${system}.3`, type: TimeTicks, read: upTimeTicks });
  agent.addScalar({ name: 'sysName', oid: `${system}.5`, type: OctetString, read: () => name });
  agent.addScalar({ name: 'ifNumber', oid: '1.3.6.1.2.1.2.1', type: Integer, read: () => ports.size });
  agent.addTable({ name: 'ifTable', oid: '1.3.6.1.2.1.2.2.1', columns: ifColumns(canWrite), rows: ports });
  agent.addTable({
    name: 'ifXTable',
    oid: '1.3.6.1.2.1.31.1.1.1',
    augments: 'ifTable',
    columns: ifXColumns,
    rows: ports,
  });
  // Without an object after the interfaces, a walk reaches the end of the view, which snmpbulkwalk reports as an error.
  const upTimeSeconds = () => Math.floor(upTimeTicks() / 100);
  agent.addScalar({ name: 'snmpEngineTime', oid: '1.3.6.1.6.3.10.2.1.3', type: Integer, read: upTimeSeconds });

  const restart = (order: readonly number[] = []): void => {
    clearCounters();
    const moved = order.map((ifIndex) => ports.get(ifIndex)!);
    for (const [position, port] of moved.entries()) {
      port.ifIndex = order[(position + 1) % order.length]!;
      ports.set(port.ifIndex, port);
    }
    startedAtMs = clock.now();
  };
  const clearCounters = () => ports.forEach((port) => port.clearCounters());
  let closed: Promise<unknown> | undefined;
  const close = async (): Promise<void> => {
    if (closed === undefined) {
      closed = once(socket, 'close');
      socket.close();
    }
    await closed;
  };
  return {
    address: socket.address().address,
    port: socket.address().port,
    ports,
    setMalfunctions: (next) => void (malfunctions = next),
    clearCounters,
    restart,
    close,
    [Symbol.asyncDispose]: close,
  };
}

const statusCodes = { up: 1, down: 2 } as const;
const ethernetType = 6;
const maxGauge = 2 ** 32 - 1;

const ifColumns = (canWrite: () => boolean): readonly Column<LabPort>[] => [
  { number: 1, name: 'ifIndex', type: Integer, read: (port) => port.ifIndex },
  { number: 2, name: 'ifDescr', type: OctetString, read: (port) => port.name },
  { number: 3, name: 'ifType', type: Integer, read: () => ethernetType },
  { number: 4, name: 'ifMtu', type: Integer, read: () => 1500 },
  { number: 5, name: 'ifSpeed', type: Gauge, read: (port) => Math.min(port.speedBitsPerSecond, maxGauge) },
  {
    number: 7,
    name: 'ifAdminStatus',
    type: Integer,
    read: (port) => statusCodes[port.adminStatus],
    write: (port, value, phase) => {
      if ((value !== statusCodes.up && value !== statusCodes.down) || !canWrite()) return false;
      if (phase === 'do') port.setAdmin(value === statusCodes.up ? 'up' : 'down');
      return true;
    },
  },
  { number: 8, name: 'ifOperStatus', type: Integer, read: (port) => statusCodes[port.operStatus] },
  { number: 10, name: 'ifInOctets', type: Counter, read: (port) => Number(BigInt.asUintN(32, port.inOctets)) },
  { number: 13, name: 'ifInDiscards', type: Counter, read: () => 0 },
  { number: 14, name: 'ifInErrors', type: Counter, read: (port) => port.inErrors },
  { number: 16, name: 'ifOutOctets', type: Counter, read: (port) => Number(BigInt.asUintN(32, port.outOctets)) },
  { number: 19, name: 'ifOutDiscards', type: Counter, read: () => 0 },
  { number: 20, name: 'ifOutErrors', type: Counter, read: () => 0 },
];

const ifXColumns: readonly Column<LabPort>[] = [
  { number: 1, name: 'ifName', type: OctetString, read: (port) => port.name },
  { number: 6, name: 'ifHCInOctets', type: Counter64, read: (port) => counter64(port.inOctets) },
  { number: 10, name: 'ifHCOutOctets', type: Counter64, read: (port) => counter64(port.outOctets) },
  { number: 15, name: 'ifHighSpeed', type: Gauge, read: (port) => Math.round(port.speedBitsPerSecond / 1_000_000) },
  { number: 18, name: 'ifAlias', type: OctetString, read: (port) => port.alias },
];

/** The library writes these bytes as they are, and crashes on any other type. */
function counter64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
}
