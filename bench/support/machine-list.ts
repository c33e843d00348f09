// Lists of virtual machines: some that are created on a lab hypervisor and listed, and many on several hypervisors,
// read over HTTP from the store while the hypervisors are idle and while they do not respond.
import { waitForMachines } from '#app/site/machines.ts';
import { startLabHypervisor, type LabHypervisor, type LabHypervisorState } from '#lab/hypervisor/hypervisor.ts';
import { machineSync } from '#reconcilers/machine-sync.ts';
import { machineSite, smallMachine } from '../../test/support/machine-site.ts';
import { request } from '../../test/support/request.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { median } from './figures.ts';

const timing = { bootMs: 0, buildMs: 0, softOffMs: 0 };
const capacity = { memoryMb: 1_000_000, diskGb: 1_000_000 };
const token = 'bench-secret';
const rounds = 30;
const timeoutMs = 300_000;

/** Measures from applying the site file until the last machine runs and all are listed, in milliseconds. */
export async function measureCreateMs(count: number): Promise<number> {
  await using hypervisor = await startLabHypervisor({ token, timing, ...capacity });
  const { site, key } = machineSite(
    [siteHypervisor(hypervisor, 0)],
    Array<typeof smallMachine>(count).fill(smallMachine),
  );
  const startMs = performance.now();
  await using app = await openTestApp({ worksOffJobs: true, site });
  await waitForMachines(app.parts, timeoutMs);
  await listMachines(app, key, count);
  return performance.now() - startMs;
}

export interface ListFigures {
  /** Median time of listing all machines in milliseconds, with idle and with silent hypervisors. */
  readonly idleMs: number;
  readonly silentMs: number;
}

export async function measureLists(hypervisorCount: number, machineCount: number): Promise<ListFigures> {
  await using owned = new AsyncDisposableStack();
  const hypervisors: LabHypervisor[] = [];
  for (let index = 0; index < hypervisorCount; index++) {
    const state = { load: () => stateOf(index, hypervisorCount, machineCount), save: () => {} };
    hypervisors.push(owned.use(await startLabHypervisor({ token, timing, state, ...capacity })));
  }
  const machines = Array.from({ length: machineCount }, (_, index) => ({
    ...smallMachine,
    node: hypervisorName(index % hypervisorCount),
  }));
  const { site, key } = machineSite(hypervisors.map(siteHypervisor), machines);
  const app = owned.use(await openTestApp({ site }));
  const sync = machineSync(app.parts, async () => {});
  await sync.run(AbortSignal.timeout(timeoutMs));
  const idleMs = await measureListMs(app, key, machineCount);
  for (const hypervisor of hypervisors) hypervisor.setMalfunctions({ isSilent: true });
  await app.parts.store.queries.updateTable('nodes').set({ next_look_at: 0 }).execute();
  const silence = new AbortController();
  const polling = sync.run(silence.signal).catch(() => {});
  const silentMs = await measureListMs(app, key, machineCount);
  silence.abort();
  await polling;
  return { idleMs, silentMs };
}

const hypervisorName = (index: number): string => `node${index + 1}`;

function siteHypervisor({ address, port }: LabHypervisor, index: number) {
  return { name: hypervisorName(index), driver: 'lab', settings: { address, port, token } };
}

/** Returns the state of a long-running hypervisor that has every `step`-th machine. */
function stateOf(first: number, step: number, count: number): LabHypervisorState {
  const { vcpus, memoryMb, diskGb } = smallMachine;
  const shape = { vcpus, memoryMb, diskGb, mac: '52:54:00:00:00:01', networks: [] };
  const system = { template: 'debian-12', hostname: 'vps', rootPassword: token, addresses: [], nameServers: [] };
  const state = { shape, power: 'on', current: 'old', tun: 'disabled' } as const;
  const machines: Record<string, LabHypervisorState[string]> = {};
  for (let index = first; index < count; index += step)
    machines[`vm-${101 + index}`] = { ...state, systems: { old: { ...system, isWhole: true } } };
  return machines;
}

async function measureListMs(app: TestApp, key: string, count: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const startMs = performance.now();
    await listMachines(app, key, count);
    times.push(performance.now() - startMs);
  }
  return median(times);
}

async function listMachines(app: TestApp, key: string, count: number): Promise<void> {
  const { body } = await request<{ result: { status: string }[] }>(app, 'GET', '/vps/list', { key });
  if (body.result.length !== count) throw new Error(`${body.result.length} machines were listed`);
}
