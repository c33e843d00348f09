// The SNMP driver against snmpsim, with tables as chassis switches have them: hundreds of VLAN interfaces before the ports, which
// have no 64-bit counters, and layers that share the name of their port. Over v3 with Cisco's AES-256.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Switch } from '#drivers/switch/driver.ts';
import { snmpSwitchDriver } from '#drivers/switch/snmp/driver.ts';
import { startDaemon } from '#test/support/daemon.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { freePort } from '#test/support/ports.ts';

const ifEntry = '1.3.6.1.2.1.2.2.1';
const ifXEntry = '1.3.6.1.2.1.31.1.1.1';
const lldpLocPortEntry = '1.0.8802.1.1.2.1.3.7.1';
const lldpRemEntry = '1.0.8802.1.1.2.1.4.1.1';
const types = {
  integer: '2',
  text: '4',
  bytes: '4x',
  counter: '65',
  gauge: '66',
  ticks: '67',
  counter64: '70',
} as const;
type Line = readonly [oid: string, type: keyof typeof types, value: string | number];

const vlans = Array.from({ length: 60 }, (_, index) => index + 1);
const portNumbers = Array.from({ length: 24 }, (_, index) => index + 1);
const indexOf = (port: number) => 10_100 + port;
/** Has no 64-bit counters. */
const narrowPort = 5;
const layerIndex = 20_001;

function interfaceLines(ifIndex: number, name: string, description: string): Line[] {
  return [
    [`${ifEntry}.2.${ifIndex}`, 'text', description],
    [`${ifEntry}.5.${ifIndex}`, 'gauge', 1_000_000_000],
    [`${ifEntry}.7.${ifIndex}`, 'integer', 1],
    [`${ifEntry}.8.${ifIndex}`, 'integer', 1],
    [`${ifEntry}.10.${ifIndex}`, 'counter', ifIndex],
    [`${ifEntry}.16.${ifIndex}`, 'counter', ifIndex * 2],
    [`${ifXEntry}.1.${ifIndex}`, 'text', name],
    [`${ifXEntry}.15.${ifIndex}`, 'gauge', 1000],
  ];
}

const lines: readonly Line[] = [
  ['1.3.6.1.2.1.1.3.0', 'ticks', 4711],
  ...vlans.flatMap((vlan) => interfaceLines(vlan, `Vl${vlan}`, `Vlan${vlan}`)),
  ...portNumbers.flatMap((port): Line[] => [
    ...interfaceLines(indexOf(port), `Gi1/0/${port}`, `GigabitEthernet1/0/${port}`),
    ...(port === narrowPort
      ? []
      : ([6, 10].map((column) => [`${ifXEntry}.${column}.${indexOf(port)}`, 'counter64', port * 1e12]) as Line[])),
  ]),
  ...interfaceLines(layerIndex, 'Gi1/0/1', 'GigabitEthernet1/0/1--Uncontrolled'),
  // LLDP has numbers of its own, and names the port.
  [`${lldpLocPortEntry}.2.3`, 'integer', 5],
  [`${lldpLocPortEntry}.3.3`, 'text', 'Gi1/0/3'],
  [`${lldpLocPortEntry}.4.3`, 'text', 'GigabitEthernet1/0/3'],
  [`${lldpRemEntry}.4.900.3.1`, 'integer', 4],
  [`${lldpRemEntry}.5.900.3.1`, 'bytes', '525400123456'],
  [`${lldpRemEntry}.6.900.3.1`, 'integer', 5],
  [`${lldpRemEntry}.7.900.3.1`, 'text', 'eno1'],
];

function compareOids([left]: Line, [right]: Line): number {
  const [one, other] = [left, right].map((oid) => oid.split('.').map(Number));
  for (const [position, part] of one!.entries()) if (part !== other![position]) return part - (other![position] ?? -1);
  return one!.length - other!.length;
}

describe('snmpsim as a chassis switch', needs('snmpsimd'), () => {
  const owned = new AsyncDisposableStack();
  let device: Switch;
  const signal = () => AbortSignal.timeout(60_000);
  before(async () => {
    const folder = owned.use(await temporaryFolder('snmpsim')).path;
    const data = join(folder, 'data');
    await mkdir(data);
    // Named after the transport: for requests without a context.
    const text = lines.toSorted(compareOids).map(([oid, type, value]) => `${oid}|${types[type]}|${value}\n`);
    await writeFile(join(data, '1.3.6.1.6.1.1.0.snmprec'), text.join(''));
    const port = await freePort();
    const user = { username: 'cisco', auth: 'authentication-1', priv: 'privacy-1' };
    const daemon = await startDaemon('snmpsimd', [
      ...(process.getuid?.() === 0 ? ['--process-user=root', '--process-group=root'] : []),
      `--cache-dir=${join(folder, 'cache')}`,
      `--data-dir=${data}`,
      `--agent-udpv4-endpoint=127.0.0.1:${port}`,
      `--v3-user=${user.username}`,
      '--v3-auth-proto=SHA',
      `--v3-auth-key=${user.auth}`,
      '--v3-priv-proto=AES256',
      `--v3-priv-key=${user.priv}`,
    ]);
    owned.adopt(daemon, () => daemon.stop());
    await daemon.printed('Listening at UDP/IPv4 endpoint');
    device = owned.use(
      await snmpSwitchDriver.open({
        address: '127.0.0.1',
        port,
        timeoutMs: 20_000,
        version: '3',
        username: user.username,
        authentication: { protocol: 'SHA', password: user.auth },
        privacy: { protocol: 'AES256C', password: user.priv },
      }),
    );
  });
  after(() => owned.disposeAsync());

  it('has its counters with the names of their own ports, although they are in different responses', async () => {
    const wanted = [{ by: 'name', value: `Gi1/0/${narrowPort}` }] as const;
    const { ports } = await device.counters(wanted, signal());
    for (const port of portNumbers) {
      const { name, inOctets, counterBits } = ports.find(({ ifIndex }) => ifIndex === indexOf(port))!;
      const octets = port === narrowPort ? indexOf(port) : port * 1e12;
      assert.deepEqual([name, inOctets, counterBits], [`Gi1/0/${port}`, BigInt(octets), port === narrowPort ? 32 : 64]);
    }
  });

  it('shows a layer under the name of its port', async () => {
    const shared = (await device.ports(signal())).filter(({ name }) => name === 'Gi1/0/1');
    assert.deepEqual(
      shared.map(({ ifIndex, description }) => [ifIndex, description]),
      [
        [indexOf(1), 'GigabitEthernet1/0/1'],
        [layerIndex, 'GigabitEthernet1/0/1--Uncontrolled'],
      ],
    );
  });

  it('reports a neighbour at the port that LLDP names', async () => {
    const [neighbour, ...others] = await device.neighbours(signal());
    assert.deepEqual(neighbour, { ifIndex: indexOf(3), macs: ['52:54:00:12:34:56'], system: '', port: 'eno1' });
    assert.deepEqual(others, []);
  });
});
