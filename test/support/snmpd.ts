// Debian's snmpd as a switch: in a network namespace, with veth pairs as ports whose far ends are in another one.
// Requires root. The namespaces are removed even if the test process is killed: a shell waits on a pipe that closes
// with the process, and removing a namespace removes its links.

import { execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startDaemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import { needs, type SuiteOptions } from './needs.ts';

export interface SnmpdPort {
  readonly ifIndex: number;
  readonly name: string;
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
  /** SNMPv3 users with AES; all share the same two passwords. */
  readonly users: { readonly sha: string; readonly sha256: string; readonly readOnly: string };
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
}

const portCount = 3;
const headerBytes = 14 + 20 + 8;
const startTimeoutMs = 20_000;

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
  const ports: SnmpdPort[] = [];
  for (let number = 1; number <= portCount; number++) ports.push(await addPort(near, far, number));

  const identity: SnmpdIdentity = {
    address,
    port: 161,
    community: 'witness-rw',
    readOnlyCommunity: 'witness-ro',
    oldCommunity: 'witness-old',
    users: { sha: 'user-sha', sha256: 'user-sha256', readOnly: 'user-ro' },
    authPassword: 'authentication-1',
    privPassword: 'privacy-1',
  };
  // Not named snmpd.conf: snmpd writes its own state under that name in the same folder.
  const config = join(folder.path, 'agent.conf');
  await writeFile(config, configOf(identity, ports));
  const start = async () => {
    const env = { ...process.env, MIBS: '', SNMP_PERSISTENT_DIR: folder.path };
    const args = ['netns', 'exec', near, 'snmpd', '-f', '-Lo', '-C', '-c', config, '-p', join(folder.path, 'pid')];
    const daemon = await startDaemon('ip', args, { env });
    try {
      await daemon.printed('NET-SNMP version', startTimeoutMs);
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
    ports,
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

async function addPort(near: string, far: string, number: number): Promise<SnmpdPort> {
  const [name, farName] = [`p${number}`, `f${number}`];
  await ip(`-n ${near} link add ${name} type veth peer name ${farName} netns ${far}`);
  await ip(`-n ${near} link set ${name} up`);
  await ip(`-n ${far} link set ${farName} up`);
  await ip(`-n ${far} address add 10.9.${number}.2/24 dev ${farName}`);
  // The address does not exist, so nothing replies; its MAC is preset, so nothing asks for it.
  await ip(`-n ${far} neighbour add 10.9.${number}.9 lladdr 02:00:00:00:00:09 nud permanent dev ${farName}`);
  const { ifindex } = await showLink(near, name);
  return { ifIndex: ifindex, name, alias: `cust-100${number} server${number}`, speedBitsPerSecond: 1_000_000_000 };
}

function farNameOf(port: SnmpdPort): string {
  return `f${port.name.slice(1)}`;
}

interface Link {
  readonly ifindex: number;
  readonly flags: readonly string[];
  readonly stats64: { readonly rx: { readonly bytes: number }; readonly tx: { readonly bytes: number } };
}

async function showLink(namespace: string, name: string): Promise<Link> {
  const [link] = JSON.parse(await ip(`-n ${namespace} -json -statistics link show dev ${name}`)) as Link[];
  return link!;
}

function configOf(identity: SnmpdIdentity, ports: readonly SnmpdPort[]): string {
  const { address, community, readOnlyCommunity, oldCommunity, users, authPassword, privPassword } = identity;
  const passwords = (protocol: string) => `${protocol} "${authPassword}" AES "${privPassword}"`;
  const ifX = '.1.3.6.1.2.1.31.1.1.1';
  return [
    `agentaddress udp:${address}:161`,
    `rwcommunity ${community}`,
    `rocommunity ${readOnlyCommunity}`,
    'view old included .1.3.6.1.2.1.1',
    'view old included .1.3.6.1.2.1.2',
    `rocommunity ${oldCommunity} default -V old`,
    `createUser ${users.sha} ${passwords('SHA')}`,
    `createUser ${users.sha256} ${passwords('SHA-256')}`,
    `createUser ${users.readOnly} ${passwords('SHA')}`,
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
  const giveUpAt = Date.now() + startTimeoutMs;
  const query = () =>
    promisify(execFile)('snmpget', ['-v2c', '-c', community, '-t', '1', '-r', '0', address, '.1.3.6.1.2.1.1.3.0']);
  for (;;) {
    try {
      return void (await query());
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await sleep(50);
    }
  }
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
