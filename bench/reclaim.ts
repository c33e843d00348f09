// Erasing 100 servers at once, in the lab: the API answers customers as before, and other workflows run as before. The simulators
// and the load run in this process, on the other core.
//
//   node bench/reclaim.ts
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLabBmc } from '#lab/bmc/bmc.ts';
import { labNetworkBoot } from '#lab/network-boot.ts';
import { createKeyText } from '#lib/key-text.ts';
import { adaWithKey } from '#test/support/customer-fixture.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { freePort } from '#test/support/ports.ts';
import { median, printFigure } from './support/figures.ts';
import { startHostyard } from './support/hostyard.ts';
import { cores, pin } from './support/load.ts';

const erased = 100;
const untouched = 4;
const eraseMs = 5000;
const quietReads = 1000;
const readPauseMs = 5;
const quietCycles = 12;
const target = 2;

await using owned = new AsyncDisposableStack();
const folder = owned.use(await temporaryFolder('reclaim')).path;
const bootPort = await freePort();
const admin = { username: 'provider', password: 'secret-enough' };
const servers = await Promise.all(
  Array.from({ length: erased + untouched }, async (_, index) => {
    const hex = index.toString(16).padStart(4, '0');
    const mac = `52:54:00:00:${hex.slice(0, 2)}:${hex.slice(2)}`;
    const disks = [
      { serial: `DISK${index}A`, sizeGb: 480 },
      { serial: `DISK${index}B`, sizeGb: 480 },
    ];
    const bootUrl = `http://127.0.0.1:${bootPort}`;
    const whenServed = Promise.resolve(bootUrl);
    const onBoot = labNetworkBoot({
      mac,
      uuid: '',
      url: () => bootUrl,
      whenServed,
      installMs: eraseMs,
      memoryMb: 16_384,
    });
    const timing = { bootMs: 10, cycleOffMs: 10, softOffMs: 10 };
    const { address, port } = owned.use(await startLabBmc({ admin, timing, disks, onBoot }));
    return {
      name: `dc${twoDigits(Math.floor(index / 50) + 1)}r01ds${twoDigits((index % 50) + 1)}`,
      bmc: { driver: 'ipmi', settings: { address, port, ...admin } },
      macs: [mac],
      disks,
    };
  }),
);
function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

const { customer, key } = adaWithKey({ rate: 100_000, burst: 1_000_000 });
const staff = createKeyText();
const file = (name: string): { file: string } => {
  writeFileSync(join(folder, name), name);
  return { file: join(folder, name) };
};
const services = servers.map(({ name: server }, index) => ({
  id: 1001 + index,
  customer: customer.id,
  type: 'dedicated',
  name: 'Server',
  hostname: `server${index}.example.net`,
  ip: `10.0.${Math.floor(index / 250)}.${(index % 250) + 1}`,
  server,
}));
const site = {
  provider: { name: 'Bench', currency: { code: 'EUR' } },
  keyLimits: { rate: 100_000, burst: 1_000_000 },
  operators: [{ name: 'bench', role: 'owner', id: staff.printableId, hash: staff.secretHash.toString('hex') }],
  servers,
  customers: [customer],
  services,
  boot: { listen: `127.0.0.1:${bootPort}` },
  systems: [{ name: 'Rescue', value: 'rescue', kind: 'rescue', kernel: file('kernel'), initrd: file('initrd') }],
};
const siteFile = join(folder, 'site.yaml');
writeFileSync(siteFile, JSON.stringify(site), { mode: 0o600 });
const hostyard = owned.use(await startHostyard({ HOSTYARD_SITE: siteFile }));
pin(hostyard.pid, cores.measured);
pin(process.pid, cores.other);

async function call<Result>(method: string, path: string, as: string, params?: object): Promise<Result> {
  const headers = { 'x-api-key': as, 'content-type': 'application/json' };
  const response = await fetch(`${hostyard.url}${path}`, {
    method,
    headers,
    ...(params === undefined ? {} : { body: JSON.stringify(params) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return (JSON.parse(text) as { result: Result }).result;
}

async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Reads the account while `isBusy`, and cycles the power of the servers that stay. */
async function measure(isBusy: (reads: number, cycles: number) => boolean) {
  const reads: number[] = [];
  const cycles: number[] = [];
  const going = (): boolean => isBusy(reads.length, cycles.length);
  const cycler = (async () => {
    for (let next = 0; going(); next++) {
      const { id: service } = services[erased + (next % untouched)]!;
      cycles.push(await timeMs(() => call('POST', '/v2/device/power', key, { service, action: 'cycle' })));
    }
  })();
  while (going()) {
    reads.push(await timeMs(() => call('GET', '/v2/account', key)));
    await sleep(readPauseMs);
  }
  await cycler;
  return { read: median(reads), cycle: median(cycles), reads: reads.length };
}

const quiet = await measure((reads, cycles) => reads < quietReads || cycles < quietCycles);
const states = async (): Promise<string[]> =>
  (await call<{ state: string }[]>('GET', '/operator/device?limit=1000', staff.text)).map(({ state }) => state);
let isErasing = true;
const startMs = performance.now();
const erasing = (async () => {
  for (const { id, hostname } of services.slice(0, erased))
    await call('DELETE', '/operator/service', staff.text, { id, hostname });
  while ((await states()).filter((state) => state === 'available').length < erased) {
    if ((await states()).includes('quarantined')) throw new Error('a server is in quarantine');
    await sleep(500);
  }
  isErasing = false;
})();
const busy = await measure(() => isErasing);
await erasing;
const seconds = (performance.now() - startMs) / 1000;
console.log(
  `${erased} servers terminated, erased and available after ${seconds.toFixed(1)} s, ${busy.reads} reads in that time`,
);
printRatio('GET /v2/account while they are erased, times quiet', busy.read, quiet.read);
printRatio('a power cycle of another server, times quiet', busy.cycle, quiet.cycle);

function printRatio(label: string, busyMs: number, quietMs: number): void {
  const ratio = busyMs / quietMs;
  console.log(`${busyMs.toFixed(2)} ms, quiet ${quietMs.toFixed(2)} ms`);
  printFigure(label, ratio.toFixed(2), `<= ${target}`, ratio <= target, 'without erasures');
}
