// Lists of virtual machines: some that are made on a lab node and listed, and many on several nodes, read over HTTP out of the
// store while the nodes are quiet, and while they do not answer.
import { machinesMade } from '#app/site/machines.ts';
import { startLabNode, type LabNode, type LabNodeState } from '#lab/node/node.ts';
import { machineSync } from '#reconcilers/machine-sync.ts';
import { machineSite, smallMachine } from '../../test/support/machine-site.ts';
import { request } from '../../test/support/request.ts';
import { openTestYard, type TestYard } from '../../test/support/yard.ts';
import { median } from './load.ts';

const timing = { bootMs: 0, buildMs: 0, softOffMs: 0 };
const room = { memoryMb: 1_000_000, diskGb: 1_000_000 };
const token = 'bench-secret';
const rounds = 30;
const patienceMs = 300_000;

/** From the site file to the last machine that runs and the list of all, in milliseconds. */
export async function makeMachinesMs(count: number): Promise<number> {
  await using node = await startLabNode({ token, timing, ...room });
  const { site, key } = machineSite([described(node, 0)], Array<typeof smallMachine>(count).fill(smallMachine));
  const began = performance.now();
  await using yard = await openTestYard({ worksOffJobs: true, site });
  await machinesMade(yard.parts, patienceMs);
  await list(yard, key, count);
  return performance.now() - began;
}

export interface ListFigures {
  /** Medians of the list of all machines, in milliseconds, on quiet nodes and while all of them are silent. */
  readonly quietMs: number;
  readonly silentMs: number;
}

export async function listMachines(nodeCount: number, machineCount: number): Promise<ListFigures> {
  await using owned = new AsyncDisposableStack();
  const nodes: LabNode[] = [];
  for (let index = 0; index < nodeCount; index++) {
    const state = { load: () => stateOf(index, nodeCount, machineCount), save: () => {} };
    nodes.push(owned.use(await startLabNode({ token, timing, state, ...room })));
  }
  const machines = Array.from({ length: machineCount }, (_, index) => ({
    ...smallMachine,
    node: nodeName(index % nodeCount),
  }));
  const { site, key } = machineSite(nodes.map(described), machines);
  const yard = owned.use(await openTestYard({ site }));
  const sync = machineSync(yard.parts, async () => {});
  await sync.run(AbortSignal.timeout(patienceMs));
  const quietMs = await lists(yard, key, machineCount);
  for (const node of nodes) node.setFaults({ isSilent: true });
  await yard.parts.store.queries.updateTable('nodes').set({ next_look_at: 0 }).execute();
  const silence = new AbortController();
  const looking = sync.run(silence.signal).catch(() => {});
  const silentMs = await lists(yard, key, machineCount);
  silence.abort();
  await looking;
  return { quietMs, silentMs };
}

const nodeName = (index: number): string => `node${index + 1}`;

function described({ address, port }: LabNode, index: number) {
  return { name: nodeName(index), driver: 'lab', settings: { address, port, token } };
}

/** Every so many-th machine, as a node keeps it that has had it for long. */
function stateOf(first: number, step: number, count: number): LabNodeState {
  const { vcpus, memoryMb, diskGb } = smallMachine;
  const shape = { vcpus, memoryMb, diskGb, mac: '52:54:00:00:00:01' };
  const system = { template: 'debian-12', hostname: 'vps', rootPassword: token, addresses: [], nameServers: [] };
  const state = { shape, power: 'on', current: 'old', tun: 'disabled' } as const;
  const machines: Record<string, LabNodeState[string]> = {};
  for (let index = first; index < count; index += step)
    machines[`vm-${101 + index}`] = { ...state, systems: { old: { ...system, isWhole: true } } };
  return machines;
}

async function lists(yard: TestYard, key: string, count: number): Promise<number> {
  const taken: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = performance.now();
    await list(yard, key, count);
    taken.push(performance.now() - before);
  }
  return median(taken);
}

async function list(yard: TestYard, key: string, count: number): Promise<void> {
  const { body } = await request<{ result: { status: string }[] }>(yard, 'GET', '/vps/list', { key });
  if (body.result.length !== count) throw new Error(`${body.result.length} machines are listed`);
}
