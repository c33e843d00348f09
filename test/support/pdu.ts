// A power strip as an SNMP agent with the outlets of PowerNet-MIB, on the agent of the lab's switch. An outlet can be locked, or in a
// state that the strip does not know.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import * as snmp from 'net-snmp';
import { createAgent } from '#lab/switch/agent.ts';

export interface TestOutlet {
  state: 'on' | 'off' | 'unknown';
  /** Rejects commands. */
  isLocked: boolean;
}

export interface TestPdu extends AsyncDisposable {
  /** As in a site file. */
  readonly settings: Record<string, unknown>;
  readonly outlets: ReadonlyMap<number, TestOutlet>;
}

const community = 'strip';
const rPDU2OutletSwitched = '1.3.6.1.4.1.318.1.1.26.9.2';
const stateNumbers = { off: 1, on: 2, unknown: 3 } as const;
const { Integer } = snmp.ObjectType;

export async function startTestPdu(outletCount: number): Promise<TestPdu> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const rows = new Map(
    Array.from({ length: outletCount }, (_, index) => [
      index + 1,
      { number: index + 1, state: 'on' as TestOutlet['state'], isLocked: false },
    ]),
  );
  const agent = createAgent({ socket, communities: { readWrite: community }, malfunctions: () => ({}) });
  type Row = typeof rows extends Map<number, infer Outlet> ? Outlet : never;
  const index = { number: 1, name: 'index', type: Integer, read: (outlet: Row) => outlet.number };
  agent.addTable<Row>({
    name: 'rPDU2OutletSwitchedStatus',
    oid: `${rPDU2OutletSwitched}.3.1`,
    columns: [index, { number: 5, name: 'state', type: Integer, read: ({ state }) => stateNumbers[state] }],
    rows,
  });
  agent.addTable<Row>({
    name: 'rPDU2OutletSwitchedControl',
    oid: `${rPDU2OutletSwitched}.4.1`,
    columns: [
      { ...index, name: 'controlIndex' },
      {
        number: 5,
        name: 'command',
        type: Integer,
        read: () => 4,
        write: (outlet, value, phase) => {
          if (outlet.isLocked || (value !== 1 && value !== 2)) return false;
          if (phase === 'do') outlet.state = value === 1 ? 'on' : 'off';
          return true;
        },
      },
    ],
    rows,
  });
  const { address, port } = socket.address();
  return {
    settings: { version: '2c', address, port, community, timeoutMs: 500, model: 'apc-rpdu2' },
    outlets: rows,
    async [Symbol.asyncDispose]() {
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    },
  };
}
