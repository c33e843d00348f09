// A small provider in network namespaces: a client outside, the provider's edge router (FRR, which forwards packets by
// what it learns over BGP), a server, and a speaker that Hostyard sends its routes to. Requires root. The namespaces and
// their processes are removed even if the test process is killed.
import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chown, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runAtEnd } from './at-end.ts';
import { startDaemon, type Daemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import { withResources } from './resources.ts';
import { until } from './until.ts';

type Host = 'client' | 'edge' | 'server' | 'speaker';

export interface Speaker extends AsyncDisposable {
  stop(): Promise<void>;
  start(): Promise<void>;
}

export interface RoutedNetwork extends AsyncDisposable {
  /** Runs `ip` in the namespace of a host. */
  ip(host: Host, ...command: string[]): Promise<string>;
  /** Runs commands on the FRR of a host. */
  vtysh(host: Host, ...commands: string[]): Promise<string>;
  /** Returns whether the client gets a reply from the address. */
  reaches(address: string): Promise<boolean>;
  /** Returns the prefixes that the edge router learned over BGP, sorted. */
  learned(): Promise<string[]>;
  /** Starts a speaker that Hostyard reaches at `socket`. */
  startGobgp(): Promise<Speaker & { readonly socket: string }>;
  startFrr(): Promise<Speaker & { readonly socket: string }>;
}

const run = promisify(execFile);
const addresses: Record<Host, readonly string[]> = {
  client: ['198.51.100.2/24', '2001:db8:99::2/64'],
  edge: [],
  server: ['203.0.113.10/24', '2001:db8:1::10/48'],
  speaker: ['203.0.113.2/24', '2001:db8:1::2/48'],
};
const gateways: Partial<Record<Host, readonly string[]>> = {
  client: ['198.51.100.1', '2001:db8:99::1'],
  server: ['203.0.113.1', '2001:db8:1::1'],
  speaker: ['203.0.113.1', '2001:db8:1::1'],
};

export async function startRoutedNetwork(): Promise<RoutedNetwork> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('routed'));
  const id = randomInt(36 ** 6).toString(36);
  const hosts = ['client', 'edge', 'server', 'speaker'] as const;
  const namespaceOf = (host: Host) => `hy${id}${host}`;
  const removals = hosts.map(
    (host) => `ip netns pids ${namespaceOf(host)} | xargs -r kill -9; ip netns delete ${namespaceOf(host)}`,
  );
  owned.defer(runAtEnd(removals.join('; ')));
  const ip = async (host: Host, ...command: string[]): Promise<string> =>
    (await run('ip', ['-n', namespaceOf(host), ...command])).stdout;
  await buildLinks(hosts, namespaceOf, ip);
  // FRR gives up its privileges, and then needs a folder that it can write to.
  const frrFolder = async (name: string): Promise<string> => {
    const path = join(folder.path, name);
    await mkdir(path, { recursive: true });
    const { stdout } = await run('id', ['-u', 'frr']);
    for (const owner of [folder.path, path]) await chown(owner, Number(stdout), 0);
    return path;
  };
  const startDaemons = async (host: Host, daemons: readonly string[], configuration: string): Promise<Daemon[]> => {
    const path = await frrFolder(host);
    const file = join(path, 'bgpd.conf');
    await writeFile(file, configuration);
    const started: Daemon[] = [];
    for (const daemon of daemons) {
      await rm(join(path, `${daemon}.vty`), { force: true });
      const config = daemon === 'bgpd' ? file : '/dev/null';
      const own = ['-z', join(path, 'zserv'), '-i', join(path, `${daemon}.pid`), '--vty_socket', path, '-f', config];
      const namespace = ['netns', 'exec', namespaceOf(host), `/usr/lib/frr/${daemon}`];
      const process = await startDaemon('ip', [...namespace, ...own, '-P', '0', '--log', 'stdout']);
      await until(async () => process.running() && (await exists(join(path, `${daemon}.vty`))), {
        saw: () => process.output(),
      });
      started.push(process);
    }
    return started;
  };
  for (const daemon of await startDaemons('edge', ['zebra', 'bgpd'], edgeConfiguration)) owned.use(daemon);
  const vtysh = async (host: Host, ...commands: string[]): Promise<string> => {
    const options = ['--vty_socket', join(folder.path, host), ...commands.flatMap((command) => ['-c', command])];
    return (await run('vtysh', options)).stdout;
  };
  const established = () => {
    const sessions = () => vtysh('edge', 'show bgp ipv4 unicast summary established');
    return until(async () => (await sessions()).includes('203.0.113.2 '), { saw: sessions });
  };
  const speakerOf = async (socket: string, startAll: () => Promise<Daemon[]>) => {
    let daemons: Daemon[] = [];
    const stop = async (): Promise<void> => void (await Promise.all(daemons.map((daemon) => daemon.stop())));
    const start = async (): Promise<void> => {
      daemons = await startAll();
      await established();
    };
    await start();
    return { socket, stop, start, [Symbol.asyncDispose]: stop };
  };

  return withResources(owned, {
    ip,
    vtysh,
    reaches: (address) =>
      run('ip', ['netns', 'exec', namespaceOf('client'), 'busybox', 'ping', '-c', '1', '-W', '1', address]).then(
        () => true,
        () => false,
      ),
    learned: async () => {
      const tables = await Promise.all(
        ['ipv4', 'ipv6'].map(async (family) => JSON.parse(await vtysh('edge', `show bgp ${family} unicast json`))),
      );
      return tables.flatMap(({ routes }: { routes: object }) => Object.keys(routes)).sort();
    },
    startGobgp: async () => {
      const file = join(folder.path, 'gobgp.toml');
      await writeFile(file, gobgpConfiguration);
      const socket = join(folder.path, 'gobgp.sock');
      const command = ['gobgpd', '-f', file, '--api-hosts', `unix://${socket}`, '--pprof-disable'];
      return speakerOf(socket, async () => {
        // Left behind when it is killed.
        await rm(socket, { force: true });
        const daemon = await startDaemon('ip', ['netns', 'exec', namespaceOf('speaker'), ...command]);
        await until(async () => daemon.running() && (await exists(socket)), { saw: () => daemon.output() });
        return [daemon];
      });
    },
    startFrr: () =>
      speakerOf(join(folder.path, 'speaker', 'staticd.vty'), () =>
        startDaemons('speaker', ['zebra', 'staticd', 'bgpd'], speakerConfiguration),
      ),
  });
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** The server and the speaker share a segment with the edge router; the client is behind it. */
async function buildLinks(
  hosts: readonly Host[],
  namespaceOf: (host: Host) => string,
  ip: RoutedNetwork['ip'],
): Promise<void> {
  for (const host of hosts) {
    await run('ip', ['netns', 'add', namespaceOf(host)]);
    const forwarding = ['net.ipv4.ip_forward=1', 'net.ipv6.conf.all.forwarding=1', 'net.ipv6.conf.all.accept_dad=0'];
    const dad = 'net.ipv6.conf.default.accept_dad=0';
    await run('ip', ['netns', 'exec', namespaceOf(host), 'sysctl', '-qw', ...forwarding, dad]);
    await ip(host, 'link', 'set', 'lo', 'up');
  }
  await ip('edge', 'link', 'add', 'lan', 'type', 'bridge');
  for (const host of ['server', 'speaker', 'client'] as const) {
    const near = host === 'client' ? 'outside' : `to-${host}`;
    await ip('edge', 'link', 'add', near, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespaceOf(host));
    if (host !== 'client') await ip('edge', 'link', 'set', near, 'master', 'lan');
    await ip('edge', 'link', 'set', near, 'up');
    await ip(host, 'link', 'set', 'eth0', 'up');
  }
  await ip('edge', 'link', 'set', 'lan', 'up');
  for (const [link, address] of [
    ['lan', '203.0.113.1/24'],
    ['lan', '2001:db8:1::1/48'],
    ['outside', '198.51.100.1/24'],
    ['outside', '2001:db8:99::1/64'],
  ] as const)
    await ip('edge', 'address', 'add', address, 'dev', link);
  for (const host of hosts) {
    for (const address of addresses[host]) await ip(host, 'address', 'add', address, 'dev', 'eth0');
    for (const gateway of gateways[host] ?? []) await ip(host, 'route', 'add', 'default', 'via', gateway);
  }
  // The next hops of null routes.
  await ip('edge', 'route', 'add', 'blackhole', '192.0.2.1');
  await ip('edge', 'route', 'add', 'blackhole', '100::1');
}

const neighbour = (address: string, as: number) => ` no bgp ebgp-requires-policy
 neighbor ${address} remote-as ${as}
 neighbor ${address} timers connect 1
 neighbor ${address} ebgp-multihop 2
 neighbor ${address} disable-connected-check
`;
const family6 = (address: string, more: string) =>
  ` address-family ipv6 unicast\n  neighbor ${address} activate\n${more} exit-address-family\n`;

const edgeConfiguration = `router bgp 65020
 bgp router-id 10.0.0.2
${neighbour('203.0.113.2', 65_010)}${family6('203.0.113.2', '')}`;

const redistribution = '  redistribute static route-map hostyard\n';
const speakerConfiguration = `router bgp 65010
 bgp router-id 10.0.0.1
${neighbour('203.0.113.1', 65_020)} address-family ipv4 unicast
${redistribution} exit-address-family
${family6('203.0.113.1', redistribution)}route-map hostyard permit 10
 match tag 666
 set community blackhole
route-map hostyard permit 20
 match tag 4470
`;

const gobgpConfiguration = `[global.config]
  as = 65010
  router-id = "10.0.0.1"
[[neighbors]]
  [neighbors.config]
    neighbor-address = "203.0.113.1"
    peer-as = 65020
  [neighbors.timers.config]
    connect-retry = 1
    idle-hold-time-after-reset = 1
${['ipv4-unicast', 'ipv6-unicast']
  .map((name) => `  [[neighbors.afi-safis]]\n    [neighbors.afi-safis.config]\n      afi-safi-name = "${name}"\n`)
  .join('')}`;
