// Debian's snmpd as a switch: in a network namespace, with veth pairs as ports whose far ends are in another one.
// Requires root. The namespaces are removed even if the test process is killed: a shell waits on a pipe that closes
// with the process, and removing a namespace removes its links.

import { execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmod, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { startDaemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import { needs, type SuiteOptions } from './needs.ts';
import { withResources } from './resources.ts';
import { until } from './until.ts';

export interface SnmpdPort {
  readonly ifIndex: number;
  readonly name: string;
  readonly description: string;
  readonly alias: string;
  readonly speedBitsPerSecond: number;
}

export interface SnmpdIdentity {
  readonly address: string;
  readonly port: number;
  readonly community: string;
  readonly readOnlyCommunity: string;
  /** Exposes an old switch: no ifXTable, hence no names and no 64-bit counters. */
  readonly oldCommunity: string;
  /** Exposes a switch whose second port has no 64-bit counters. */
  readonly mixedCommunity: string;
  /** Exposes a switch without ifName. */
  readonly namelessCommunity: string;
  /** SNMPv3 users with AES; all share the same two passwords. The last two have keys of 256 bits. */
  readonly users: Readonly<Record<'sha' | 'sha256' | 'readOnly' | 'blumenthal' | 'reeder', string>>;
  readonly authPassword: string;
  readonly privPassword: string;
}

export interface Snmpd extends SnmpdIdentity, AsyncDisposable {
  readonly ports: readonly SnmpdPort[];
  /** Returns whether the far end of a port has a carrier, according to Linux. */
  farEndHasCarrier(port: SnmpdPort): Promise<boolean>;
  /** Linux's own view of the port: `ip -json -statistics link`. */
  link(port: SnmpdPort): Promise<{ isUp: boolean; inBytes: number; outBytes: number }>;
  /**
   * Sends datagrams into the port from its far end; each is `bytes` long on the wire, including the Ethernet header.
   */
  sendInto(port: SnmpdPort, datagrams: { count: number; bytes: number }): Promise<void>;
  /** Restarts snmpd, like a switch that reboots. */
  restart(): Promise<void>;
  /** Restarts it with the first two ports in the other order, like a switch that renumbers its ports. */
  renumber(): Promise<void>;
  /** Starts lldpd at both ends of the cables; the near one serves LLDP-MIB through snmpd. */
  startLldp(): Promise<AsyncDisposable & { announce(): Promise<unknown> }>;
  /** The MAC address of the far end of a port. */
  farMac(port: SnmpdPort): Promise<string>;
}

const portCount = 3;
const headerBytes = 14 + 20 + 8;

export function needsSnmpd(): SuiteOptions {
  const options = needs('snmpd', 'ip', 'snmpget', 'snmpset');
  if (options.skip !== undefined || process.getuid?.() === 0) return options;
  if (process.env['CI'] === 'true') throw new Error('CI leaves nothing out, but only root can make network namespaces');
  return { skip: 'left out: only root can make network namespaces' };
}

export async function startSnmpd(): Promise<Snmpd> {
  const id = randomInt(36 ** 5).toString(36);
  const [near, far] = [`hy-near-${id}`, `hy-far-${id}`];
  const folder = await temporaryFolder('snmpd');
  // A random subnet of the range reserved for benchmarking (RFC 2544), so that suites do not collide.
  const base = randomInt(2 ** 15) * 4;
  const inRange = (host: number) => `198.${18 + (base >> 16)}.${(base >> 8) & 255}.${(base & 255) + host}`;
  const [ownAddress, address] = [inRange(1), inRange(2)];
  await makeNamespace(near);
  await makeNamespace(far);
  await ip(`link add hy${id} type veth peer name mgmt netns ${near}`);
  await ip(`address add ${ownAddress}/30 dev hy${id}`);
  await ip(`link set hy${id} up`);
  await ip(`-n ${near} address add ${address}/30 dev mgmt`);
  await ip(`-n ${near} link set mgmt up`);
  let ports: SnmpdPort[] = [];
  for (let number = 1; number <= portCount; number++) ports.push(await addPort(near, far, number));

  const identity: SnmpdIdentity = {
    address,
    port: 161,
    community: 'witness-rw',
    readOnlyCommunity: 'witness-ro',
    oldCommunity: 'witness-old',
    mixedCommunity: 'witness-mixed',
    namelessCommunity: 'witness-nameless',
    users: {
      sha: 'user-sha',
      sha256: 'user-sha256',
      readOnly: 'user-ro',
      blumenthal: 'user-blumenthal',
      reeder: 'user-reeder',
    },
    authPassword: 'authentication-1',
    privPassword: 'privacy-1',
  };
  // Not named snmpd.conf: snmpd writes its own state under that name in the same folder.
  const config = join(folder.path, 'agent.conf');
  const agentSocket = join(folder.path, 'agentx');
  const start = async () => {
    await writeFile(config, configOf(identity, ports, agentSocket));
    const env = { ...process.env, MIBS: '', SNMP_PERSISTENT_DIR: folder.path };
    const args = ['netns', 'exec', near, 'snmpd', '-f', '-Lo', '-C', '-c', config, '-p', join(folder.path, 'pid')];
    const daemon = await startDaemon('ip', args, { env });
    try {
      await daemon.printed('NET-SNMP version');
      await untilResponsive(address, identity.community);
      return daemon;
    } catch (error) {
      await daemon.stop();
      throw error;
    }
  };
  let daemon = await start();

  return {
    ...identity,
    get ports() {
      return ports;
    },
    farEndHasCarrier: async (port) => (await showLink(far, farNameOf(port))).flags.includes('LOWER_UP'),
    link: async (port) => {
      const { flags, stats64 } = await showLink(near, port.name);
      return { isUp: flags.includes('UP'), inBytes: stats64.rx.bytes, outBytes: stats64.tx.bytes };
    },
    sendInto: async (port, { count, bytes }) => {
      const args = [String(count), String(bytes - headerBytes), `10.9.${port.name.slice(1)}.9`];
      await promisify(execFile)('ip', ['netns', 'exec', far, process.execPath, '-e', sender, ...args]);
    },
    restart: async () => {
      await daemon.stop();
      daemon = await start();
    },
    renumber: async () => {
      await daemon.stop();
      const [first, second, ...others] = ports;
      for (const { name } of [first!, second!]) await ip(`-n ${near} link delete ${name}`);
      ports = [await addPort(near, far, 1, second!.ifIndex), await addPort(near, far, 2, first!.ifIndex), ...others];
      daemon = await start();
    },
    startLldp: async () => {
      // lldpd and lldpcli give up root's rights.
      await chmod(folder.path, 0o755);
      const [nearControl, farControl] = [join(folder.path, 'near'), join(folder.path, 'far')];
      // Without -L '', lldpd starts paused until a child resumes it. `lldpcli update` writes all settings back as it has
      // read them: one that reads before the child and writes after it pauses lldpd forever.
      const lldpd = (namespace: string, control: string, options: readonly string[]) =>
        startDaemon('ip', ['netns', 'exec', namespace, 'lldpd', '-d', '-L', '', '-u', control, ...options]);
      const links = (prefix: string) => ['-I', ports.map(({ name }) => prefix + name.slice(1)).join(',')];
      await using started = new AsyncDisposableStack();
      started.adopt(await lldpd(near, nearControl, [...links('p'), '-x', '-X', agentSocket]), (one) => one.stop());
      started.adopt(await lldpd(far, farControl, links('f')), (one) => one.stop());
      const announce = () => promisify(execFile)('lldpcli', ['-u', farControl, 'update']);
      await untilDone(announce);
      return withResources(started, { announce });
    },
    farMac: async (port) => (await showLink(far, farNameOf(port))).address,
    async [Symbol.asyncDispose]() {
      await daemon.stop();
      await ip(`netns delete ${near}`);
      await ip(`netns delete ${far}`);
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function ip(args: string): Promise<string> {
  return (await promisify(execFile)('ip', args.split(' '))).stdout;
}

async function makeNamespace(name: string): Promise<void> {
  remover ??= startRemover();
  remover.write(`${name}\n`);
  await ip(`netns add ${name}`);
  await ip(`-n ${name} link set lo up`);
  // Only the test's own traffic may be counted: no router solicitations, no neighbour discovery.
  await promisify(execFile)('ip', ['netns', 'exec', name, 'sh', '-c', quiet]);
}

const quiet = `
  for file in /proc/sys/net/ipv6/conf/all/disable_ipv6 /proc/sys/net/ipv6/conf/default/disable_ipv6
  do [ ! -e $file ] || echo 1 >$file; done`;

async function addPort(near: string, far: string, number: number, index?: number): Promise<SnmpdPort> {
  const [name, farName] = [`p${number}`, `f${number}`];
  const at = index === undefined ? '' : ` index ${index}`;
  await ip(`-n ${near} link add ${name}${at} type veth peer name ${farName} netns ${far}`);
  await ip(`-n ${near} link set ${name} up`);
  await ip(`-n ${far} link set ${farName} up`);
  await ip(`-n ${far} address add 10.9.${number}.2/24 dev ${farName}`);
  // The address does not exist, so nothing replies; its MAC is preset, so nothing asks for it.
  await ip(`-n ${far} neighbour add 10.9.${number}.9 lladdr 02:00:00:00:00:09 nud permanent dev ${farName}`);
  const { ifindex } = await showLink(near, name);
  const alias = `cust-100${number} server${number}`;
  return { ifIndex: ifindex, name, description: name, alias, speedBitsPerSecond: 1_000_000_000 };
}

function farNameOf(port: SnmpdPort): string {
  return `f${port.name.slice(1)}`;
}

interface Link {
  readonly ifindex: number;
  readonly address: string;
  readonly flags: readonly string[];
  readonly stats64: { readonly rx: { readonly bytes: number }; readonly tx: { readonly bytes: number } };
}

async function showLink(namespace: string, name: string): Promise<Link> {
  const [link] = JSON.parse(await ip(`-n ${namespace} -json -statistics link show dev ${name}`)) as Link[];
  return link!;
}

function configOf(identity: SnmpdIdentity, ports: readonly SnmpdPort[], agentSocket: string): string {
  const { address, community, readOnlyCommunity, users, authPassword, privPassword } = identity;
  const passwords = (protocol: string, privacy = 'AES') => `${protocol} "${authPassword}" ${privacy} "${privPassword}"`;
  const ifX = '.1.3.6.1.2.1.31.1.1.1';
  return [
    `agentaddress udp:${address}:161`,
    `rwcommunity ${community}`,
    `rocommunity ${readOnlyCommunity}`,
    'view old included .1.3.6.1.2.1.1',
    'view old included .1.3.6.1.2.1.2',
    `rocommunity ${identity.oldCommunity} default -V old`,
    'view nameless included .1.3.6.1.2.1',
    `view nameless excluded ${ifX}.1`,
    `rocommunity ${identity.namelessCommunity} default -V nameless`,
    'view mixed included .1.3.6.1.2.1',
    ...[6, 10].map((column) => `view mixed excluded ${ifX}.${column}.${ports[1]!.ifIndex}`),
    `rocommunity ${identity.mixedCommunity} default -V mixed`,
    'master agentx',
    `agentXSocket ${agentSocket}`,
    `createUser ${users.sha} ${passwords('SHA')}`,
    `createUser ${users.sha256} ${passwords('SHA-256')}`,
    `createUser ${users.readOnly} ${passwords('SHA')}`,
    // With SHA, whose keys have 160 bits and need to be extended.
    `createUser ${users.blumenthal} ${passwords('SHA', 'AES-256')}`,
    `createUser ${users.reeder} ${passwords('SHA', 'AES-256-C')}`,
    `rouser ${users.blumenthal} priv`,
    `rouser ${users.reeder} priv`,
    `rwuser ${users.sha} priv`,
    `rwuser ${users.sha256} priv`,
    `rouser ${users.readOnly} priv`,
    // Linux has no ifAlias, and a veth pair has no speed.
    ...ports.map(({ ifIndex, alias }) => `override -rw ${ifX}.18.${ifIndex} octet_str "${alias}"`),
    ...ports.map(
      ({ ifIndex, speedBitsPerSecond }) => `override ${ifX}.15.${ifIndex} uinteger ${speedBitsPerSecond / 1e6}`,
    ),
    '',
  ].join('\n');
}

async function untilResponsive(address: string, community: string): Promise<void> {
  const query = ['-v2c', '-c', community, '-t', '1', '-r', '0', address, '.1.3.6.1.2.1.1.3.0'];
  await untilDone(() => promisify(execFile)('snmpget', query));
}

async function untilDone(attempt: () => Promise<unknown>): Promise<void> {
  let error: unknown;
  const isDone = async (): Promise<boolean> => {
    error = await attempt().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return error === undefined;
  };
  await until(isDone, { saw: () => error });
}

const sender = `
  const [count, length, address] = process.argv.slice(1);
  const socket = require('node:dgram').createSocket('udp4');
  const send = (left) => left === 0 ? socket.close() : socket.send(Buffer.alloc(Number(length)), 9, address, () => send(left - 1));
  send(Number(count));
`;

const removal = `
  while IFS= read -r name; do set -- "$@" "$name"; done
  for name in "$@"; do ip netns delete "$name" 2>/dev/null; done`;

let remover: Writable | undefined;

function startRemover(): Writable {
  const shell = spawn('/bin/sh', ['-c', removal], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], cwd: '/' });
  shell.unref();
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  return shell.stdin;
}
