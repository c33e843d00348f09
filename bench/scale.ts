// What grows with a provider, on two cores: applying the site file, applying it again, previewing it, and starting with it, for
// 1,000 to 50,000 services with their servers, switches and hypervisors; and, on each database, an idle server with 20,000
// services, all of whose equipment responds. CPU times are printed too, because other load on the machine affects them less.
//
//   node bench/scale.ts            all sizes
//   node bench/scale.ts 2000 60    this size only, with the limits for 20,000; idle for 60 seconds, after as many
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { stringify } from 'yaml';
import { temporaryFolder } from '#test/support/folder.ts';
import { freePort } from '#test/support/ports.ts';
import { startPostgres } from '#test/support/postgres.ts';
import { printFigure } from './support/figures.ts';
import { startHostyard, type Hostyard } from './support/hostyard.ts';
import { cpuSeconds, residentMegabytes } from './support/load.ts';
import { markSettled, startScaleEquipment } from './support/scale-equipment.ts';
import { equipmentCounts, scaleSite, type ScaleEquipment } from './support/scale-site.ts';

const [onlySize, idleSeconds = 300] = process.argv.slice(2).map(Number);
const limitSize = onlySize ?? 20_000;
const sizes = onlySize === undefined ? [1000, 10_000, 50_000] : [];
const maxSeconds = 10;
const maxStartSeconds = 3;
const maxMegabytes = 300;
const maxGrowth = 1.5;
const idleLimits = { percent: 5, kilobytes: 100, commits: 20 };
// The first round of sensors, which also reads their descriptions, takes five minutes.
const settleSeconds = Math.min(330, idleSeconds);
const program = join(import.meta.dirname, '..', 'bin', 'hostyard.js');

interface Usage {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly megabytes: number;
}

/** Reports the resources of a command when it ends, on a fourth file descriptor. */
const reporter = `data:text/javascript,${encodeURIComponent(`
import { writeSync } from 'node:fs';
process.on('exit', () => writeSync(3, JSON.stringify(process.resourceUsage())));`)}`;

async function runCommand(provider: Provider, ...args: string[]): Promise<Usage> {
  const startMs = performance.now();
  const child = spawn(process.execPath, ['--import', reporter, program, ...args], {
    env: { ...process.env, ...settingsOf(provider) },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const [[code], errors, report] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stderr!),
    text(child.stdio[3] as Readable),
  ]);
  if (code !== 0) throw new Error(`hostyard ${args.join(' ')}: ${code} ${errors}`);
  const usage = JSON.parse(report) as NodeJS.ResourceUsage;
  return {
    wallSeconds: (performance.now() - startMs) / 1000,
    cpuSeconds: (usage.userCPUTime + usage.systemCPUTime) / 1e6,
    megabytes: usage.maxRSS / 1024,
  };
}

/** Equipment that does not exist, for commands that never contact it. */
function absentEquipment(services: number): ScaleEquipment {
  const { servers, switches, hypervisors } = equipmentCounts(services);
  const endpoints = (network: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      address: `127.${network}.${index >> 8}.${index & 255}`,
      port: 6000,
    }));
  return { bmcs: endpoints(1, servers), switches: endpoints(2, switches), hypervisors: endpoints(3, hypervisors) };
}

interface Provider extends AsyncDisposable {
  readonly dataFolder: string;
  /** A postgres:// URL; SQLite if undefined. */
  readonly database: string | undefined;
  readonly siteFile: string;
}

async function writeProvider(services: number, equipment: ScaleEquipment, database?: string): Promise<Provider> {
  const folder = await temporaryFolder('scale');
  const { site } = scaleSite(services, equipment, await freePort());
  const siteFile = join(folder.path, 'site.yaml');
  writeFileSync(siteFile, stringify(site, { lineWidth: 0, aliasDuplicateObjects: false }), { mode: 0o600 });
  const dataFolder = join(folder.path, 'data');
  return { dataFolder, database, siteFile, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

function settingsOf({ dataFolder, database, siteFile }: Provider): Record<string, string> {
  return {
    HOSTYARD_DATA: dataFolder,
    HOSTYARD_SITE: siteFile,
    HOSTYARD_LOG_LEVEL: 'warn',
    ...(database === undefined ? {} : { HOSTYARD_DATABASE: database }),
  };
}

/** Returns the CPU seconds of each command, and of a start. */
async function measureCommands(services: number, provider: Provider): Promise<Map<string, number>> {
  const seconds = new Map<string, number>();
  const isLimit = services === limitSize;
  const print = (label: string, value: number, limit: number, digits: number): void =>
    printFigure(label, value.toFixed(digits), isLimit ? `<= ${limit}` : '', isLimit ? value <= limit : undefined);
  const commands = { apply: 'apply', 'apply again': 'apply', diff: 'diff' };
  for (const [label, command] of Object.entries(commands)) {
    const usage = await runCommand(provider, command, provider.siteFile);
    seconds.set(label, usage.cpuSeconds);
    const cpu = `${usage.cpuSeconds.toFixed(1)} s of CPU`;
    print(`${label} with ${services} services, s (${cpu})`, usage.wallSeconds, maxSeconds, 1);
    print(`${label} with ${services} services, MB`, usage.megabytes, maxMegabytes, 0);
  }
  await markSettled(provider);
  // The first start applies the file, because the server has not read it before.
  await (await startHostyard(settingsOf(provider)))[Symbol.asyncDispose]();
  await using hostyard = await startHostyard(settingsOf(provider));
  const startSeconds = cpuSeconds(hostyard.pid);
  seconds.set('start', startSeconds);
  const cpu = `${startSeconds.toFixed(1)} s of CPU`;
  print(`start with ${services} services, unchanged, s (${cpu})`, hostyard.startMs / 1000, maxStartSeconds, 1);
  return seconds;
}

async function measureGrowth(): Promise<void> {
  const results: Map<string, number>[] = [];
  for (const services of sizes) {
    await using provider = await writeProvider(services, absentEquipment(services));
    results.push(await measureCommands(services, provider));
  }
  const [, middle, large] = results;
  if (middle === undefined || large === undefined) return;
  for (const [label, seconds] of large) {
    const growth = seconds / sizes[2]! / (middle.get(label)! / sizes[1]!);
    printFigure(
      `${label}: CPU per service, ${sizes[1]} → ${sizes[2]}`,
      growth.toFixed(2),
      `<= ${maxGrowth}`,
      growth <= maxGrowth,
    );
  }
}

interface Work {
  readonly cpuSeconds: number;
  /** By the process on SQLite, and to the write-ahead log on PostgreSQL. */
  readonly writtenBytes: number;
  readonly commits: number;
  /** Transactions that changed something. */
  readonly changes: number;
}

async function readWork({ pid }: Hostyard, database: pg.Client | undefined): Promise<Work> {
  const cpu = cpuSeconds(pid);
  if (database === undefined) {
    const writtenBytes = Number(/^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))![1]);
    return { cpuSeconds: cpu, writtenBytes, commits: 0, changes: 0 };
  }
  const { rows } = await database.query<Record<'written' | 'commits' | 'changes', string>>(
    `select pg_current_wal_lsn() - '0/0' as written, xact_commit as commits, pg_snapshot_xmax(pg_current_snapshot()) as changes
    from pg_stat_database where datname = current_database()`,
  );
  const { written, commits, changes } = rows[0]!;
  return {
    cpuSeconds: cpu,
    writtenBytes: Number(written),
    commits: Number(commits),
    changes: Number(changes),
  };
}

async function measureIdle(engine: string, hostyard: Hostyard, database: pg.Client | undefined): Promise<void> {
  await sleep(settleSeconds * 1000);
  const before = await readWork(hostyard, database);
  await sleep(idleSeconds * 1000);
  const after = await readWork(hostyard, database);
  const perSecond = (of: keyof Work): number => (after[of] - before[of]) / idleSeconds;
  const percent = perSecond('cpuSeconds') * 100;
  const kilobytes = perSecond('writtenBytes') / 1024;
  const megabytes = residentMegabytes(hostyard.pid);
  const label = `idle with ${limitSize} services on ${engine}`;
  printFigure(`${label}, % of a core`, percent.toFixed(1), `<= ${idleLimits.percent}`, percent <= idleLimits.percent);
  printFigure(`${label}, MB`, megabytes.toFixed(0), `<= ${maxMegabytes}`, megabytes <= maxMegabytes);
  printFigure(
    `${label}, KB written per second`,
    kilobytes.toFixed(0),
    `< ${idleLimits.kilobytes}`,
    kilobytes < idleLimits.kilobytes,
  );
  if (database === undefined) return;
  const commits = perSecond('commits');
  printFigure(
    `${label}, commits per second (${perSecond('changes').toFixed(1)} change something)`,
    commits.toFixed(1),
    `< ${idleLimits.commits}`,
    commits < idleLimits.commits,
  );
}

await measureGrowth();
await using equipment = await startScaleEquipment(limitSize);
{
  await using provider = await writeProvider(limitSize, equipment);
  await measureCommands(limitSize, provider);
  await using hostyard = await startHostyard(settingsOf(provider));
  await measureIdle('SQLite', hostyard, undefined);
}
await using postgres = await startPostgres();
await using provider = await writeProvider(limitSize, equipment, await postgres.createDatabase());
await runCommand(provider, 'apply', provider.siteFile);
await markSettled(provider);
await using hostyard = await startHostyard(settingsOf(provider));
const database = new pg.Client(provider.database);
await database.connect();
await measureIdle('PostgreSQL', hostyard, database);
await database.end();
process.exit();
