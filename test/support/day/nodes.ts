// The two instances of the day, each on a machine of its own with a small disk and the day's clock, behind HAProxy.
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Site } from '#contract/site/site.ts';
import { startDaemon, type Daemon } from '../daemon.ts';
import { temporaryFolder } from '../folder.ts';
import { startHaproxy } from '../haproxy.ts';
import type { MachineNetwork } from '../machine-network.ts';
import { withResources } from '../resources.ts';
import { mountSmallDisk, type SmallDisk } from '../small-disk.ts';
import { until } from '../until.ts';

export interface DayNode {
  readonly name: string;
  readonly url: string;
  /** Address of its name server. */
  readonly address: string;
  readonly disk: SmallDisk;
  /** Output of every process so far. */
  logs(): string;
  kill(): Promise<void>;
  start(): Promise<void>;
  isReady(): Promise<boolean>;
}

export interface DayNodes extends AsyncDisposable {
  readonly nodes: readonly DayNode[];
  /** Of the load balancer. */
  readonly url: string;
  /** Settings of the first one, for running a command next to it. */
  readonly env: NodeJS.ProcessEnv;
}

export interface NodeParts {
  readonly network: MachineNetwork;
  readonly database: string;
  readonly site: Site;
  /** Of the clock. */
  readonly env: Readonly<Record<string, string>>;
}

export const dnsPort = 5300;
const diskMb = 24;
const root = join(import.meta.dirname, '..', '..', '..');

export async function startDayNodes({ network, database, site, env }: NodeParts): Promise<DayNodes> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('day')).path;
  const siteFile = join(folder, 'site.yaml');
  const keyFile = join(folder, 'sealing.key');
  // JSON is valid YAML.
  await writeFile(siteFile, JSON.stringify(site), { mode: 0o600 });
  await writeFile(keyFile, randomBytes(32).toString('base64'), { mode: 0o600 });
  const settings = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compile'),
    HOSTYARD_DATABASE: database,
    HOSTYARD_SITE: siteFile,
    HOSTYARD_SEALING_KEY_FILE: keyFile,
    HOSTYARD_TRUSTED_PROXIES: `${network.prefix}1`,
    HOSTYARD_LOG_LEVEL: 'warn',
    ...env,
  };

  async function open(name: string, host: number): Promise<DayNode> {
    await network.add(name, host);
    const disk = owned.use(await mountSmallDisk(diskMb));
    const address = `${network.prefix}${host}`;
    const url = `http://${address}:8080`;
    let daemon: Daemon | undefined;
    let earlier = '';
    let isWanted = false;
    const stop = async (): Promise<void> => {
      isWanted = false;
      await daemon?.stop('SIGKILL');
    };
    owned.defer(stop);
    /** Starts it again whenever it exits, as systemd does. */
    const start = async (): Promise<void> => {
      isWanted = true;
      earlier += daemon?.output() ?? '';
      const own = { HOSTYARD_DATA: join(disk.path, 'data'), HOSTYARD_LISTEN: `${address}:8080` };
      const [program, ...args] = [...disk.through, ...network.on(name), process.execPath, 'src/main.ts'];
      const started = await startDaemon(program!, args, { cwd: root, env: { ...settings, ...own } });
      daemon = started;
      void started.ended.then(async () => {
        await sleep(1000);
        if (isWanted && daemon === started) await start();
      });
    };
    const isReady = async (): Promise<boolean> => {
      const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(3000) }).catch(() => undefined);
      await response?.arrayBuffer().catch(() => undefined);
      return response?.status === 200;
    };
    const logs = (): string => earlier + (daemon?.output() ?? '');
    await start();
    await until(isReady, { saw: logs });
    return { name, url, address, disk, logs, kill: stop, start, isReady };
  }

  const nodes = [await open('n1', 11), await open('n2', 12)];
  const hosts = nodes.map(({ url }) => new URL(url).host) as [string, string];
  const balancer = owned.use(await startHaproxy(hosts));
  return withResources(owned, {
    nodes,
    url: balancer.url,
    env: { ...settings, HOSTYARD_DATA: join(folder, 'command') },
  });
}
