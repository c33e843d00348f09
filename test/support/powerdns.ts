// A real PowerDNS with its SQLite backend, for the duration of a test.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { findBinary } from '#test/support/needs.ts';
import { patienceMs } from './until.ts';

const schemaFile = '/usr/share/doc/pdns-backend-sqlite3/schema.sqlite3.sql';
const startAttempts = 5;

export interface PowerDns extends AsyncDisposable {
  readonly address: string;
  readonly port: number;
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly pid: number;
  /** Runs pdnsutil on the same database. */
  util(...args: string[]): Promise<string>;
  /** Kills it, like a crash. */
  kill(): Promise<void>;
  /** Starts it again after a kill, with the same ports and data. */
  restart(): Promise<void>;
  /** Suspends it (SIGSTOP) or resumes it: a name server that is up but does not respond. */
  stall(): void;
  resume(): void;
}

/** `settings` are additional lines of pdns.conf. Tries other ports if another process took them. */
export async function startPowerDns(settings: readonly string[] = []): Promise<PowerDns> {
  for (let attempt = 1; ; attempt++) {
    const folder = await mkdtemp(join(tmpdir(), 'hostyard-pdns-'));
    try {
      return await startIn(folder, settings);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      if (attempt === startAttempts) throw error;
    }
  }
}

async function startIn(folder: string, settings: readonly string[]): Promise<PowerDns> {
  const address = '127.0.0.1';
  const apiKey = 'key-of-this-test';
  const database = join(folder, 'pdns.sqlite3');
  const db = new Database(database);
  db.exec(await readFile(schemaFile, 'utf8'));
  db.close();
  const [port, apiPort] = await freePorts();
  const apiUrl = `http://${address}:${apiPort}`;
  const config = [
    'launch=gsqlite3',
    `gsqlite3-database=${database}`,
    'gsqlite3-dnssec=yes',
    'gsqlite3-pragma-synchronous=0',
    `local-address=${address}`,
    `local-port=${port}`,
    `socket-dir=${folder}`,
    'api=yes',
    `api-key=${apiKey}`,
    'webserver=yes',
    `webserver-address=${address}`,
    `webserver-port=${apiPort}`,
    'webserver-allow-from=127.0.0.0/8',
    'primary=yes',
    'cache-ttl=0',
    'query-cache-ttl=0',
    'negquery-cache-ttl=0',
    'guardian=no',
    'daemon=no',
    'disable-syslog=yes',
    'version-string=anonymous',
    'security-poll-suffix=',
    ...settings,
  ];
  await writeFile(join(folder, 'pdns.conf'), `${config.join('\n')}\n`);
  let daemon = await run(folder, apiUrl, apiKey);
  return {
    address,
    port,
    apiUrl,
    apiKey,
    get pid() {
      return daemon.pid!;
    },
    async util(...args) {
      const { stdout } = await promisify(execFile)(findBinary('pdnsutil')!, [`--config-dir=${folder}`, ...args]);
      return stdout;
    },
    kill: () => end(daemon),
    async restart() {
      daemon = await run(folder, apiUrl, apiKey);
    },
    stall: () => void daemon.kill('SIGSTOP'),
    resume: () => void daemon.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      await end(daemon);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function run(folder: string, apiUrl: string, apiKey: string): Promise<ChildProcess> {
  const daemon = spawn(findBinary('pdns_server')!, [`--config-dir=${folder}`], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const keep = (chunk: Buffer) => void (output = (output + chunk.toString()).slice(-4000));
  daemon.stdout.on('data', keep);
  daemon.stderr.on('data', keep);
  const giveUpAt = Date.now() + patienceMs;
  while (daemon.exitCode === null && Date.now() < giveUpAt) {
    const ready = await fetch(`${apiUrl}/api/v1/servers/localhost`, { headers: { 'X-API-Key': apiKey } }).then(
      async (response) => (await response.text(), response.ok),
      () => false,
    );
    if (ready) return daemon;
    await sleep(50);
  }
  await end(daemon);
  throw new Error(`PowerDNS did not start:\n${output}`);
}

async function end(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return;
  const ended = once(daemon, 'exit');
  daemon.kill('SIGKILL');
  await ended;
}

/** Returns a port that is free for UDP and TCP, and one for TCP. Both are held until both are known, so they differ. */
async function freePorts(): Promise<[number, number]> {
  const [dnsTcp, apiTcp] = [createServer(), createServer()];
  const dnsUdp = createSocket('udp4');
  try {
    const ports: number[] = [];
    for (const server of [dnsTcp, apiTcp]) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      ports.push(typeof address === 'object' && address ? address.port : 0);
    }
    dnsUdp.bind(ports[0], '127.0.0.1');
    await once(dnsUdp, 'listening');
    return [ports[0]!, ports[1]!];
  } finally {
    dnsTcp.close();
    apiTcp.close();
    dnsUdp.close();
  }
}
