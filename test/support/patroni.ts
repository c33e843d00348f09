// Two machines with PostgreSQL under Patroni, an etcd, and HAProxy in front, all with the shipped configuration. Each
// machine is a network namespace on a bridge, so it can crash or be cut off. Requires root.
import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { runAtEnd } from './at-end.ts';
import { startDaemon, type Daemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import { findBinary } from './needs.ts';
import { freePort } from './ports.ts';
import { account } from './postgres.ts';
import { withResources } from './resources.ts';
import { until } from './until.ts';

type Machine = 'db1' | 'db2';

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
  switchOver(): Promise<void>;
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
const shipped = (name: string): Promise<string> =>
  readFile(new URL(`../../packaging/${name}`, import.meta.url), 'utf8');

export async function startPatroni(): Promise<PatroniCluster> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('patroni'));
  const at = (name: string): string => join(folder.path, name);
  const id = randomInt(36 ** 5).toString(36);
  const network = `10.${randomInt(128, 255)}.${randomInt(1, 255)}.`;
  const bridge = `hyb${id}`;
  const namespaceOf = (machine: Machine): string => `hy${id}${machine}`;
  const linkOf = (machine: Machine): string => `hy${id}${machine}`;
  const killAll = (machine: Machine): string => `ip netns pids ${namespaceOf(machine)} | xargs -r kill -9`;
  const removals = machines.map((machine) => `${killAll(machine)}; ip netns delete ${namespaceOf(machine)}`);
  owned.defer(runAtEnd([...removals, `ip link delete ${bridge}`].join('; ')));

  await run('ip', ['link', 'add', bridge, 'type', 'bridge']);
  // HAProxy and Hostyard run on this machine, and so does etcd.
  for (const host of [1, 31]) await run('ip', ['address', 'add', `${network}${host}/24`, 'dev', bridge]);
  await run('ip', ['link', 'set', bridge, 'up']);
  for (const [index, machine] of machines.entries()) {
    const inside = ['-n', namespaceOf(machine)];
    await run('ip', ['netns', 'add', namespaceOf(machine)]);
    const peer = ['peer', 'name', 'eth0', 'netns', namespaceOf(machine)];
    await run('ip', ['link', 'add', linkOf(machine), 'type', 'veth', ...peer]);
    await run('ip', ['link', 'set', linkOf(machine), 'master', bridge, 'up']);
    await run('ip', [...inside, 'address', 'add', `${network}${21 + index}/24`, 'dev', 'eth0']);
    for (const link of ['lo', 'eth0']) await run('ip', [...inside, 'link', 'set', link, 'up']);
  }

  const etcdUrls = { client: `http://${network}31:2379`, peer: `http://${network}31:2380` };
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
  // Ends PostgreSQL too, in an orderly way.
  owned.defer(async () => {
    await Promise.all([...daemons.values()].map((daemon) => daemon.stop('SIGTERM')));
  });
  async function start(machine: Machine): Promise<void> {
    const home = at(`${machine}-home`);
    await mkdir(home, { recursive: true });
    await run('chown', [`${account.user}:`, home]);
    const config = template
      .replace('name: db1', `name: ${machine}`)
      .replaceAll('10.0.0.21', `${network}${21 + machines.indexOf(machine)}`)
      .replace(/hosts: \[.*\]/, `hosts: ['${network}31:2379']`)
      .replaceAll('10.0.0.', network)
      .replace(/bin_dir: .*/, `bin_dir: ${dirname(findBinary('postgres')!)}`)
      .replace(/data_dir: .*/, `data_dir: ${at(machine)}\n  parameters: { unix_socket_directories: '${home}' }`);
    await writeFile(at(`${machine}.yml`), config);
    const user = [`--reuid=${account.user}`, `--regid=${account.user}`, '--clear-groups'];
    const command = ['netns', 'exec', namespaceOf(machine), 'setpriv', ...user, 'patroni', at(`${machine}.yml`)];
    const env = { ...process.env, HOME: home };
    daemons.set(machine, await startDaemon('ip', command, { cwd: home, env, stopSignal: 'SIGTERM' }));
  }
  const outputs = (): string => [...daemons.values()].map((daemon) => daemon.output().slice(-4000)).join('\n');

  async function members(): Promise<readonly Member[]> {
    for (const index of machines.keys()) {
      const url = `http://${network}${21 + index}:8008/cluster`;
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

  // The first one creates the cluster, and the second one copies it.
  await start('db1');
  await until(async () => leaderOf(await members()) === 'db1', { patienceMs: 120_000, saw: outputs });
  await start('db2');
  await untilRedundant();

  const port = await freePort();
  const balancer = (await shipped('haproxy-postgres.cfg'))
    .replace('127.0.0.1:5000', `127.0.0.1:${port}`)
    .replaceAll('10.0.0.', network);
  await writeFile(at('haproxy.cfg'), balancer);
  const haproxy = owned.use(await startDaemon('haproxy', ['-db', '-f', at('haproxy.cfg')]));
  const admin = `postgres://postgres:change-me-1@127.0.0.1:${port}/postgres`;
  // Until its first checks are done, HAProxy uses the standby too.
  for (const statement of [
    `create role hostyard login password 'change-me-3'`,
    'create database hostyard owner hostyard',
  ]) {
    const isExecuted = (): Promise<boolean> =>
      execute(admin, statement)
        .then(() => true)
        .catch(() => false);
    await until(isExecuted, { saw: () => haproxy.output() });
  }

  return withResources(owned, {
    database: `postgres://hostyard:change-me-3@127.0.0.1:${port}/hostyard?target_session_attrs=read-write`,
    leader,
    async crash(machine) {
      await run('sh', ['-c', killAll(machine)]);
      await daemons.get(machine)!.ended;
    },
    start,
    setLink: async (machine, state) => void (await run('ip', ['link', 'set', linkOf(machine), state])),
    async switchOver() {
      const from = await leader();
      const url = `http://${network}${21 + machines.indexOf(from)}:8008/switchover`;
      const response = await fetch(url, { method: 'POST', body: JSON.stringify({ leader: from }) });
      if (!response.ok) throw new Error(`the switchover failed: ${await response.text()}`);
    },
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
