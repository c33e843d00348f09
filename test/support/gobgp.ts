// Real GoBGP daemons: a speaker that Hostyard configures, and a neighbour that learns its routes over BGP. Each uses a
// random loopback address, so that pairs never collide.
import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startDaemon, type Daemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import { until } from './until.ts';
import { withResources } from './resources.ts';

export interface ReceivedRoute {
  readonly prefix: string;
  readonly nextHop: string;
  readonly communities: readonly string[];
}

export interface Gobgp extends AsyncDisposable {
  /** Address of the gRPC API; unchanged after a restart. */
  readonly api: string;
  /** All routes of one table, as `gobgp` prints them. */
  routes(): Promise<ReceivedRoute[]>;
  run(...command: string[]): Promise<string>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

export interface GobgpPair extends AsyncDisposable {
  readonly speaker: Gobgp;
  readonly neighbour: Gobgp;
  /** Resolves when the session is established. */
  established(): Promise<void>;
}

const ports = { bgp: 1790, api: 50_051 };

export async function startGobgpPair(): Promise<GobgpPair> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('gobgp'));
  const network = `127.${randomInt(64, 250)}.${randomInt(256)}`;
  const speakers = { as: 65_010, routerId: '10.0.0.1', address: `${network}.1` };
  const neighbours = { as: 65_020, routerId: '10.0.0.2', address: `${network}.2` };
  const daemons: Gobgp[] = [];
  for (const [own, peer] of [
    [speakers, neighbours],
    [neighbours, speakers],
  ] as const) {
    const file = join(folder.path, `${own.as}.toml`);
    await writeFile(file, configuration(own, peer));
    daemons.push(owned.use(await startGobgp(file, own.address)));
  }
  const [speaker, neighbour] = daemons as [Gobgp, Gobgp];
  return withResources(owned, {
    speaker,
    neighbour,
    established: () => {
      const session = () => neighbour.run('neighbor');
      return until(async () => /Establ/.test(await session()), { saw: session });
    },
  });
}

async function startGobgp(file: string, address: string): Promise<Gobgp> {
  const api = `${address}:${ports.api}`;
  const run = async (...command: string[]): Promise<string> =>
    (await promisify(execFile)('gobgp', ['--host', address, '--port', String(ports.api), ...command])).stdout;
  let daemon: Daemon;
  const start = async (): Promise<void> => {
    daemon = await startDaemon('gobgpd', ['-f', file, '--api-hosts', api, '--pprof-disable']);
    const isReady = () =>
      run('global').then(
        (text) => text !== '',
        () => false,
      );
    await until(async () => daemon.running() && (await isReady()), { saw: () => daemon.output() });
  };
  await start();
  return {
    api,
    run,
    routes: async () => [
      ...routesIn(await run('--json', 'global', 'rib', '--address-family', 'ipv4')),
      ...routesIn(await run('--json', 'global', 'rib', '--address-family', 'ipv6')),
    ],
    stop: () => daemon.stop(),
    start,
    [Symbol.asyncDispose]: () => daemon.stop(),
  };
}

interface Rib {
  readonly [prefix: string]: readonly {
    attrs: readonly { type: number; nexthop?: string; communities?: readonly number[] }[];
  }[];
}

function routesIn(text: string): ReceivedRoute[] {
  return Object.entries(JSON.parse(text) as Rib).map(([prefix, [path]]) => ({
    prefix,
    nextHop: path?.attrs.find(({ nexthop }) => nexthop !== undefined)?.nexthop ?? '',
    communities: (path?.attrs.flatMap(({ communities = [] }) => communities) ?? []).map(
      (number) => `${Math.floor(number / 65_536)}:${number % 65_536}`,
    ),
  }));
}

interface Side {
  readonly as: number;
  readonly routerId: string;
  readonly address: string;
}

function configuration({ as, routerId, address }: Side, peer: Side): string {
  const family = (name: string) =>
    `  [[neighbors.afi-safis]]\n    [neighbors.afi-safis.config]\n      afi-safi-name = "${name}"\n`;
  return `[global.config]
  as = ${as}
  router-id = "${routerId}"
  port = ${ports.bgp}
  local-address-list = ["${address}"]
[[neighbors]]
  [neighbors.config]
    neighbor-address = "${peer.address}"
    peer-as = ${peer.as}
  [neighbors.timers.config]
    connect-retry = 1
    hold-time = 30
    idle-hold-time-after-reset = 1
  [neighbors.transport.config]
    local-address = "${address}"
    remote-port = ${ports.bgp}
  [neighbors.ebgp-multihop.config]
    enabled = true
    multihop-ttl = 5
${family('ipv4-unicast')}${family('ipv6-unicast')}`;
}
