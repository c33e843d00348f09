// The cost of watching equipment from one instance, with its database on SQLite: the power of 10,000 BMCs, over sessions that
// are open already, and the counters of 1,000 switches of 48 ports, as every minute. The devices are simulated in another
// process; only the CPU time of this one counts.
//
//   node bench/polling.ts [BMCs] [switches]
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { join } from 'node:path';
import { openBmcDrivers } from '#drivers/bmc/registry.ts';
import { switchDrivers } from '#drivers/switch/registry.ts';
import { bmcSealContext, openBmcs } from '#equipment/bmcs.ts';
import { openSwitches, switchSealContext } from '#equipment/switches.ts';
import { createLog } from '#lib/log.ts';
import { secretBox } from '#lib/secrets.ts';
import { powerSync } from '#reconcilers/power-sync.ts';
import { trafficPoll } from '#reconcilers/traffic-poll.ts';
import { serverInventorySet, serverPut } from '#store/devices/servers.ts';
import { switchPut } from '#store/network/switches.ts';
import { openStore } from '#store/open.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { printFigure, startCpuWatch } from './support/figures.ts';
import { bmcLogin, community, portsPerSwitch } from './support/scale-site.ts';

const [bmcCount = 10_000, switchCount = 1000] = process.argv.slice(2).map(Number);
const address = '127.0.0.1';
const signal = new AbortController().signal;

await using owned = new AsyncDisposableStack();
const folder = owned.use(await temporaryFolder('polling'));
const store = await openStore({ dataFolder: folder.path, database: undefined });
owned.defer(() => store.close());
const secrets = secretBox(Buffer.alloc(32));
let ahead = 0;
const clock = { now: (): number => Date.now() + ahead };
const parts = { store, clock, log: createLog('error'), instanceId: 'bench', queue: { enqueue: async () => '' } };

async function startDevices(kind: 'bmc' | 'switch', count: number): Promise<{ ports: number[]; stop(): void }> {
  const script = join(import.meta.dirname, 'support', 'simulated-devices.ts');
  const child = spawn(process.execPath, [script, kind, String(count)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { ports: JSON.parse(line) as number[], stop: () => void child.stdin.end() };
}

async function measure(work: () => Promise<void>): Promise<{ cpuSeconds: number; wallSeconds: number }> {
  const startMs = performance.now();
  const cpuMs = startCpuWatch();
  await work();
  return { cpuSeconds: cpuMs() / 1000, wallSeconds: (performance.now() - startMs) / 1000 };
}

async function measureBmcs(): Promise<void> {
  const devices = await startDevices('bmc', bmcCount);
  const drivers = openBmcDrivers();
  const bmcs = openBmcs({ store, clock, secrets, drivers });
  await store.transaction(async (queries) => {
    for (const [index, port] of devices.ports.entries()) {
      const name = `server${index}`;
      const bmc_settings = secrets.seal(JSON.stringify({ address, port, ...bmcLogin }), bmcSealContext(name));
      const settings = { bmc_driver: 'ipmi', bmc_model: 'lab', console_host: 'console', parts: '{}' };
      await serverPut(queries, { name, bmc_settings, ...settings });
      await serverInventorySet(queries, name, { parts: {}, firmware: {}, memoryMb: null });
    }
  });
  let checks = 0;
  const counting: typeof bmcs = { ...bmcs, use: (name, work, revision) => (checks++, bmcs.use(name, work, revision)) };
  const sync = powerSync({ ...parts, bmcs: counting });
  const sweep = async (): Promise<void> => {
    for (let backlog = 1; backlog > 0;) ({ backlog } = await sync.run(signal));
  };
  /** In two steps, because after a longer absence the checks are spread again. */
  const sweepAll = async (): Promise<void> => {
    for (const passed of [25_000, 29_000]) {
      ahead += passed;
      await sweep();
    }
  };
  await sweep();
  await sweepAll();
  checks = 0;
  const { cpuSeconds, wallSeconds } = await measure(sweepAll);
  if (checks < bmcCount) throw new Error(`only ${checks} checks`);
  const seen = await store.queries.selectFrom('servers').select('name').where('power_error', 'is', null).execute();
  if (seen.length !== bmcCount) throw new Error(`${bmcCount - seen.length} BMCs did not respond`);
  printFigure(`sweep of ${bmcCount} BMCs, s`, wallSeconds.toFixed(1), '<= 10', wallSeconds <= 10);
  printFigure(`sweep of ${bmcCount} BMCs, s of CPU`, cpuSeconds.toFixed(1), '<= 2', cpuSeconds <= 2);
  await bmcs.close();
  devices.stop();
}

async function measureSwitches(): Promise<void> {
  const devices = await startDevices('switch', switchCount);
  const switches = openSwitches({ store, clock, secrets, drivers: switchDrivers });
  await store.transaction(async (queries) => {
    for (const [index, port] of devices.ports.entries()) {
      const name = `sw${index}`;
      const settings = JSON.stringify({ version: '2c', address, port, community });
      await switchPut(queries, { name, driver: 'snmp', settings: secrets.seal(settings, switchSealContext(name)) });
      const wire = { switch: name, service_id: null, server: `server${index}`, alias: '', speed: 0 };
      const ports = Array.from({ length: portsPerSwitch }, (_, position) => ({ ...wire, if_index: position + 1 }));
      await queries.insertInto('ports').values(ports).execute();
    }
  });
  const poll = trafficPoll({ ...parts, switches });
  const pollAll = async (): Promise<void> => {
    for (let backlog = 1; backlog > 0;) ({ backlog } = await poll.run(signal));
  };
  await pollAll();
  const costs = [];
  // The five polls of an interval, one of which stores its samples.
  for (let minute = 0; minute < 5; minute++) {
    ahead += 62_000;
    costs.push(await measure(pollAll));
  }
  const wallSeconds = Math.max(...costs.map((cost) => cost.wallSeconds));
  const cpuSeconds = costs.reduce((sum, cost) => sum + cost.cpuSeconds, 0) / costs.length;
  const failed = await store.queries
    .selectFrom('switches')
    .select('name')
    .where('poll_error', 'is not', null)
    .execute();
  if (failed.length > 0) throw new Error(`${failed.length} switches did not respond`);
  const label = `poll of ${switchCount} switches of ${portsPerSwitch} ports`;
  printFigure(`${label}, s at most`, wallSeconds.toFixed(1), '< 60', wallSeconds < 60);
  printFigure(`${label}, s of CPU a minute`, cpuSeconds.toFixed(1), '< 30', cpuSeconds < 30);
  await switches.close();
  devices.stop();
}

await measureBmcs();
await measureSwitches();
process.exit();
