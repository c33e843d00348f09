// Hostyard itself, started as a newcomer starts it: a separate process with an empty data folder and no site file, so
// that it runs the lab. Tests talk to it over HTTP and know only what lab.json contains.
//
//   await using server = await startServer();
//   const { status, body } = await request(server, 'GET', '/v2/account', { key: server.lab.customer.key });

import type { ChildProcess } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Site } from '#contract/site/site.ts';
import { startDaemon, type Daemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import { freePort } from './ports.ts';
import { withResources } from './resources.ts';
import { ensureTables } from './sqlite-tables.ts';
import { patienceMs } from './until.ts';

export interface Server extends AsyncDisposable {
  readonly url: string;
  readonly lab: Lab;
  readonly process: ChildProcess;
  /** The data folder; kept by a restart. */
  readonly data: string;
  /** Output of the current process. */
  logs(): string;
  /** Sends the signal and waits for the exit; resolves to the exit code, or null if a signal ended it. */
  kill(signal?: NodeJS.Signals): Promise<number | null>;
  /** Starts it again with the same data, database and address, after a graceful stop if it is still running. */
  restart(): Promise<void>;
}

/** The parts of lab.json that tests read. */
export interface Lab {
  url: string;
  customer: { account: string; key: string; email: string; password: string };
  stranger: { account: string; key: string; service: string };
  operator: { key: string };
  dns: { address: string; port: number };
  dedicated: {
    service: string;
    server: string;
    bmc: { address: string; port: number; username: string; password: string };
  };
  vps: { service: string };
}

export interface ServerOptions {
  /** A postgres:// URL; SQLite in the data folder if omitted. */
  database?: string;
  env?: Record<string, string>;
}

const root = join(import.meta.dirname, '..', '..');

export async function startServer({ database, env = {} }: ServerOptions = {}): Promise<Server> {
  await using owned = new AsyncDisposableStack();
  const data = owned.use(await temporaryFolder('server')).path;
  const settings = {
    ...(await environmentOf(data)),
    ...(database === undefined ? {} : { HOSTYARD_DATABASE: database }),
    ...env,
  };

  if (database === undefined) await ensureTables(data);
  let daemon: Daemon;
  let lab: Lab;
  owned.defer(() => daemon?.stop());
  const start = async () => {
    daemon = await startDaemon(process.execPath, ['src/main.ts'], { cwd: root, env: settings });
    lab = await ready(daemon, join(data, 'lab.json'));
  };
  const kill = async (signal: NodeJS.Signals = 'SIGKILL') => {
    await daemon.stop(signal);
    return daemon.ended;
  };
  const restart = async () => {
    await daemon.stop('SIGTERM');
    await start();
  };

  await start();
  return withResources(owned, {
    get url() {
      return lab.url;
    },
    get lab() {
      return lab;
    },
    get process() {
      return daemon.process;
    },
    data,
    logs: () => daemon.output(),
    kill,
    restart,
  });
}

export interface SiteServer extends AsyncDisposable {
  readonly url: string;
  readonly process: ChildProcess;
  /** Output of the current process. */
  logs(): string;
  /** Its environment, for running a command next to it. */
  readonly env: NodeJS.ProcessEnv;
  /** URL of the boot server; empty if the site configures none. */
  readonly bootUrl: string;
  /** Port of the TFTP server; empty if the site configures none. */
  readonly tftpPort: string;
  readonly data: string;
  /** Sends the signal and waits for the exit. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again with the same data, after it was killed. */
  start(): Promise<void>;
}

/** Hostyard with a provider's site file instead of the lab, on SQLite; optionally run through another program. */
export async function startSite(
  site: Site,
  env: Record<string, string> = {},
  through: readonly string[] = [],
): Promise<SiteServer> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('site')).path;
  const file = join(folder, 'site.yaml');
  const data = join(folder, 'data');
  // JSON is valid YAML.
  await writeFile(file, JSON.stringify(site), { mode: 0o600 });
  const settings = {
    ...(await environmentOf(data)),
    HOSTYARD_SITE: file,
    ...env,
  };
  if (env['HOSTYARD_DATABASE'] === undefined) await ensureTables(data);
  let daemon: Daemon;
  let url = '';
  let bootUrl = '';
  let tftpPort = '';
  owned.defer(() => daemon?.stop());
  const start = async () => {
    const [program, ...args] = [...through, process.execPath, 'src/main.ts'];
    daemon = await startDaemon(program!, args, { cwd: root, env: settings });
    await daemon.printed(site.boot === undefined ? 'Reference' : '  Boot ');
    url = /API +(http:\S+)/.exec(daemon.output())![1]!;
    bootUrl = /Boot +(http:\S+)/.exec(daemon.output())?.[1] ?? '';
    tftpPort = /TFTP \S+:([0-9]+)/.exec(daemon.output())?.[1] ?? '';
  };
  await start();
  return withResources(owned, {
    get url() {
      return url;
    },
    get process() {
      return daemon.process;
    },
    logs: () => daemon.output(),
    env: settings,
    get bootUrl() {
      return bootUrl;
    },
    get tftpPort() {
      return tftpPort;
    },
    data,
    kill: async (signal = 'SIGKILL') => daemon.stop(signal),
    start,
  });
}

/** Without a developer's own settings, which must not reach the test's server. */
async function environmentOf(data: string): Promise<NodeJS.ProcessEnv> {
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('HOSTYARD_'))),
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compile'),
    HOSTYARD_DATA: data,
    // A fixed port, so that a restart keeps the address.
    HOSTYARD_LISTEN: `127.0.0.1:${await freePort()}`,
  };
}

async function ready(daemon: Daemon, labFile: string): Promise<Lab> {
  const deadline = Date.now() + patienceMs;
  while (daemon.running() && Date.now() < deadline) {
    const lab = await readLab(labFile);
    if (lab !== undefined && (await isResponding(`${lab.url}/readyz`))) return lab;
    await sleep(20);
  }
  const reason = daemon.running() ? `was not ready within ${patienceMs} ms` : 'ended before it was ready';
  await daemon.stop();
  throw new Error(`Hostyard ${reason}:\n${daemon.output()}`);
}

async function readLab(file: string): Promise<Lab | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Lab;
  } catch {
    return undefined;
  }
}

async function isResponding(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}
