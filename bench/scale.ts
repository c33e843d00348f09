// What grows with a provider, on SQLite and two cores: applying the site file, applying it again, previewing it, and
// starting with it, for 1,000 to 50,000 services with their servers, switches and hypervisors; an idle server with 20,000
// services, all of whose equipment responds; and lists and pages, next to their cost with 100 services. CPU times are
// printed too, because other load on the machine affects them less.
//
//   node bench/scale.ts         all sizes
//   node bench/scale.ts 2000    this size only, with the limits for 20,000
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'yaml';
import { temporaryFolder } from '#test/support/folder.ts';
import { freePort } from '#test/support/ports.ts';
import { printFigure } from './support/figures.ts';
import { startHostyard, type Hostyard } from './support/hostyard.ts';
import { cpuSeconds, load, residentMegabytes } from './support/load.ts';
import { markMachinesCreated, startScaleEquipment } from './support/scale-equipment.ts';
import { equipmentCounts, scaleSite, type ScaleEquipment } from './support/scale-site.ts';

const [onlySize] = process.argv.slice(2).map(Number);
const limitSize = onlySize ?? 20_000;
const sizes = onlySize === undefined ? [1000, 10_000, 50_000] : [];
const smallSize = 100;
const maxSeconds = 10;
const maxMegabytes = 300;
const maxGrowth = 1.5;
const settleSeconds = 120;
const idleSeconds = 60;
const loadSeconds = 5;
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

async function runCommand(dataFolder: string, ...args: string[]): Promise<Usage> {
  const startMs = performance.now();
  const child = spawn(process.execPath, ['--import', reporter, program, ...args], {
    env: { ...process.env, HOSTYARD_DATA: dataFolder },
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
  readonly siteFile: string;
  readonly customerKey: string;
  readonly staffKey: string;
}

async function writeProvider(services: number, equipment: ScaleEquipment): Promise<Provider> {
  const folder = await temporaryFolder('scale');
  const { site, ...keys } = scaleSite(services, equipment, await freePort());
  const siteFile = join(folder.path, 'site.yaml');
  writeFileSync(siteFile, stringify(site, { lineWidth: 0, aliasDuplicateObjects: false }), { mode: 0o600 });
  const dataFolder = join(folder.path, 'data');
  return { dataFolder, siteFile, ...keys, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

/** Returns the CPU seconds of each command. */
async function measureCommands(services: number, { dataFolder, siteFile }: Provider): Promise<Map<string, number>> {
  const seconds = new Map<string, number>();
  const commands = { apply: 'apply', 'apply again': 'apply', diff: 'diff' };
  for (const [label, command] of Object.entries(commands)) {
    const usage = await runCommand(dataFolder, command, siteFile);
    seconds.set(label, usage.cpuSeconds);
    const isLimit = services === limitSize;
    const cpu = `${usage.cpuSeconds.toFixed(1)} s of CPU`;
    printFigure(
      `${label} with ${services} services, s (${cpu})`,
      usage.wallSeconds.toFixed(1),
      isLimit ? `<= ${maxSeconds}` : '',
      isLimit ? usage.wallSeconds <= maxSeconds : undefined,
    );
    printFigure(
      `${label} with ${services} services, MB`,
      usage.megabytes.toFixed(0),
      isLimit ? `<= ${maxMegabytes}` : '',
      isLimit ? usage.megabytes <= maxMegabytes : undefined,
    );
  }
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

function settingsOf({ dataFolder, siteFile }: Provider): Record<string, string> {
  return { HOSTYARD_DATA: dataFolder, HOSTYARD_SITE: siteFile, HOSTYARD_LOG_LEVEL: 'warn' };
}

function writtenBytes(pid: number): number {
  return Number(/^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))![1]);
}

async function measureIdle({ pid }: Hostyard): Promise<void> {
  await sleep(settleSeconds * 1000);
  const before = { cpu: cpuSeconds(pid), written: writtenBytes(pid) };
  await sleep(idleSeconds * 1000);
  const percent = ((cpuSeconds(pid) - before.cpu) / idleSeconds) * 100;
  const kilobytes = (writtenBytes(pid) - before.written) / idleSeconds / 1024;
  const megabytes = residentMegabytes(pid);
  printFigure('idle, % of a core', percent.toFixed(1), '<= 5', percent <= 5);
  printFigure('idle, KB written per second', kilobytes.toFixed(0), '< 100', kilobytes < 100);
  printFigure('idle, MB', megabytes.toFixed(0), `<= ${maxMegabytes}`, megabytes <= maxMegabytes);
}

const pages = {
  "a customer's devices": ['customer', '/v2/device/list'],
  "a customer's states": ['customer', '/v2/device/state'],
  'services of all customers, a page': ['staff', '/operator/service?limit=10'],
  'services, searched by host name': ['staff', '/operator/service?search=host7.example.net'],
  'accounts, a page': ['staff', '/operator/account?limit=10'],
  'devices, a page': ['staff', '/operator/device?limit=10'],
  'the fleet': ['staff', '/operator/fleet'],
  'the installation': ['staff', '/operator/installation'],
} as const;

/** Returns microseconds of CPU per request. */
function measurePages(hostyard: Hostyard, { customerKey, staffKey }: Provider): Map<string, number> {
  const costs = Object.entries(pages).map(([label, [as, path]]) => {
    const key = as === 'customer' ? customerKey : staffKey;
    const { microseconds } = load({ url: hostyard.url + path, pid: hostyard.pid }, `x-api-key: ${key}`, loadSeconds);
    return [label, microseconds] as const;
  });
  return new Map(costs);
}

async function measureServer(services: number, isLarge: boolean): Promise<Map<string, number>> {
  await using equipment = await startScaleEquipment(services);
  await using provider = await writeProvider(services, equipment);
  if (isLarge) await measureCommands(services, provider);
  else await runCommand(provider.dataFolder, 'apply', provider.siteFile);
  await markMachinesCreated({ dataFolder: provider.dataFolder, database: undefined });
  // The first start applies the file, because the server has not read it before.
  await (await startHostyard(settingsOf(provider)))[Symbol.asyncDispose]();
  await using hostyard = await startHostyard(settingsOf(provider));
  if (isLarge) {
    const seconds = hostyard.startMs / 1000;
    printFigure(`start with an unchanged file of ${services} services, s`, seconds.toFixed(1), '<= 3', seconds <= 3);
    await measureIdle(hostyard);
  }
  return measurePages(hostyard, provider);
}

await measureGrowth();
const small = await measureServer(smallSize, false);
const large = await measureServer(limitSize, true);
for (const [label, cost] of large) {
  const growth = cost / small.get(label)!;
  const costs = `${small.get(label)!.toFixed(0)} → ${cost.toFixed(0)} µs of CPU`;
  printFigure(
    `${label}, ${smallSize} → ${limitSize} (${costs})`,
    growth.toFixed(2),
    `<= ${maxGrowth}`,
    growth <= maxGrowth,
  );
}
process.exit();
