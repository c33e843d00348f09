// Two machines with PostgreSQL under Patroni, an etcd, and HAProxy in front, all with the shipped configuration. Each
// machine can crash or be cut off. Requires root.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { startDaemon, type Daemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import { openMachineNetwork, type MachineNetwork } from './machine-network.ts';
import { findBinary } from './needs.ts';
import { freePort } from './ports.ts';
import { account } from './postgres.ts';
import { withResources } from './resources.ts';
import type { SmallDisk } from './small-disk.ts';
import { until } from './until.ts';

export type Machine = 'db1' | 'db2';

export interface PatroniOptions {
  /** The network of both machines, for tests that add others; its own if omitted. */
  readonly network?: MachineNetwork;
  /** Creates the disk of each PostgreSQL server; in the temporary folder if omitted. */
  readonly disk?: () => Promise<SmallDisk>;
}

export interface PatroniCluster extends AsyncDisposable {
  /** A new database, through HAProxy. */
  readonly database: string;
  leader(): Promise<Machine>;
  /** Kills everything on a machine. */
  crash(machine: Machine): Promise<void>;
  /** Starts Patroni on a machine that crashed. */
  start(machine: Machine): Promise<void>;
  /** Takes the network from a machine, or returns it. */
  setLink(machine: Machine, state: 'up' | 'down'): Promise<void>;
  /** Returns what Patroni printed if it gave up, after which the old primary returns. */
  switchOver(): Promise<string | undefined>;
  /** Waits until another machine than this one is the primary. */
  untilReplaced(machine: Machine): Promise<void>;
  /** The disk of a machine, if the options have one. */
  diskOf(machine: Machine): SmallDisk;
  /** Waits until there are a primary and a synchronous standby. */
  untilRedundant(): Promise<void>;
}

interface Member {
  readonly name: Machine;
  readonly role: string;
  readonly state: string;
}

const run = promisify(execFile);
const machines = ['db1', 'db2'] as const;
/** The address of HAProxy on the network. */
export const balancerHost = 32;
const shipped = (name: string): Promise<string> =>
  readFile(new URL(`../../packaging/${name}`, import.meta.url), 'utf8');

export async function startPatroni(options: PatroniOptions = {}): Promise<PatroniCluster> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('patroni'));
  const at = (name: string): string => join(folder.path, name);
  const network = options.network ?? owned.use(await openMachineNetwork());
  const { prefix } = network;
  // Hostyard, etcd and HAProxy run on this machine. The latter have addresses that others can be cut off from.
  for (const host of [31, balancerHost]) await network.addAddress(host);
  for (const [index, machine] of machines.entries()) await network.add(machine, 21 + index);
  const disks = new Map<Machine, SmallDisk>();
  if (options.disk !== undefined) for (const machine of machines) disks.set(machine, owned.use(await options.disk()));

  const etcdUrls = { client: `http://${prefix}31:2379`, peer: `http://${prefix}31:2380` };
  const etcd = ['--data-dir', at('etcd'), '--listen-peer-urls', etcdUrls.peer, '--initial-advertise-peer-urls'];
  const etcdClients = ['--listen-client-urls', etcdUrls.client, '--advertise-client-urls', etcdUrls.client];
  const unusual = { ...process.env, ETCD_UNSUPPORTED_ARCH: process.arch };
  owned.use(
    await startDaemon(
      'etcd',
      [...etcd, etcdUrls.peer, '--initial-cluster', `default=${etcdUrls.peer}`, ...etcdClients],
      { env: unusual },
    ),
  );

  await run('chown', [`${account.user}:`, folder.path]);
  const template = await shipped('patroni.yml');
  const daemons = new Map<Machine, Daemon>();
  owned.defer(async () => {
    await Promise.all([...daemons].map(([machine, daemon]) => stop(machine, daemon)));
  });
  // Ends PostgreSQL too, in an orderly way, or by force if Patroni no longer recognises it as its own.
  async function stop(machine: Machine, daemon: Daemon): Promise<void> {
    if (daemon.process.kill('SIGTERM')) await once(daemon.process, 'exit');
    await network.crash(machine);
    await daemon.ended;
  }
  async function start(machine: Machine): Promise<void> {
    const home = at(`${machine}-home`);
    const disk = disks.get(machine);
    await mkdir(home, { recursive: true });
    await run('chown', [`${account.user}:`, home]);
    const config = template
      .replace('name: db1', `name: ${machine}`)
      .replaceAll('10.0.0.21', `${prefix}${21 + machines.indexOf(machine)}`)
      .replace(/hosts: \[.*\]/, `hosts: ['${prefix}31:2379']`)
      .replaceAll('10.0.0.', prefix)
      .replace(/bin_dir: .*/, `bin_dir: ${dirname(await realpath(findBinary('postgres')!))}`)
      .replace(
        /data_dir: .*/,
        `data_dir: ${join(disk?.path ?? folder.path, machine)}\n  parameters: { unix_socket_directories: '${home}' }`,
      );
    await writeFile(at(`${machine}.yml`), config);
    const user = [`--reuid=${account.user}`, `--regid=${account.user}`, '--clear-groups'];
    const way = [...(disk?.through ?? []), ...network.on(machine)];
    const [program, ...args] = [...way, 'setpriv', ...user, 'patroni', at(`${machine}.yml`)];
    const env = { ...process.env, HOME: home };
    daemons.set(machine, await startDaemon(program!, args, { cwd: home, env, stopSignal: 'SIGTERM' }));
  }
  const outputs = (): string => [...daemons.values()].map((daemon) => daemon.output().slice(-4000)).join('\n');

  async function members(): Promise<readonly Member[]> {
    for (const index of machines.keys()) {
      const url = `http://${prefix}${21 + index}:8008/cluster`;
      const listed = await fetch(url, { signal: AbortSignal.timeout(5000) })
        .then((response) => response.json() as Promise<{ members: Member[] }>)
        .catch(() => undefined);
      if (listed !== undefined) return listed.members;
    }
    return [];
  }
  const leaderOf = (all: readonly Member[]): Machine | undefined =>
    all.find(({ role, state }) => role === 'leader' && state === 'running')?.name;
  async function leader(): Promise<Machine> {
    const name = leaderOf(await members());
    if (name === undefined) throw new Error(`the cluster has no leader:\n${outputs()}`);
    return name;
  }
  const untilRedundant = (): Promise<void> =>
    until(
      async () => {
        const all = await members();
        return (
          leaderOf(all) !== undefined && all.some(({ role, state }) => role === 'sync_standby' && state === 'running')
        );
      },
      { patienceMs: 180_000, saw: outputs },
    );

  const untilReplaced = (machine: Machine): Promise<void> =>
    until(
      async () => {
        const name = leaderOf(await members());
        return name !== undefined && name !== machine;
      },
      { saw: outputs },
    );

  // The first one creates the cluster, and the second one copies it.
  await start('db1');
  await until(async () => leaderOf(await members()) === 'db1', { patienceMs: 120_000, saw: outputs });
  await start('db2');
  await untilRedundant();

  const port = await freePort();
  const listen = `${prefix}${balancerHost}:${port}`;
  const balancer = (await shipped('haproxy-postgres.cfg'))
    .replace('127.0.0.1:5000', listen)
    .replaceAll('10.0.0.', prefix);
  await writeFile(at('haproxy.cfg'), balancer);
  const haproxy = owned.use(await startDaemon('haproxy', ['-db', '-f', at('haproxy.cfg')]));
  const admin = `postgres://postgres:change-me-1@${listen}/postgres`;
  // Until its first checks are done, HAProxy uses the standby too.
  await haproxy.printed(' is DOWN');
  await execute(admin, `create role hostyard login password 'change-me-3'`);
  await execute(admin, 'create database hostyard owner hostyard');

  return withResources(owned, {
    database: `postgres://hostyard:change-me-3@${listen}/hostyard?target_session_attrs=read-write`,
    leader,
    async crash(machine) {
      await network.crash(machine);
      await daemons.get(machine)!.ended;
    },
    start,
    setLink: network.setLink,
    diskOf: (machine) => disks.get(machine)!,
    async switchOver() {
      const from = await leader();
      const url = `http://${prefix}${21 + machines.indexOf(from)}:8008/switchover`;
      const response = await fetch(url, { method: 'POST', body: JSON.stringify({ leader: from }) });
      const text = await response.text();
      if (response.status === 503) return `${text}\n${outputs()}`;
      if (!response.ok) throw new Error(`the switchover was rejected: ${text}`);
      return undefined;
    },
    untilReplaced,
    untilRedundant,
  });
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
