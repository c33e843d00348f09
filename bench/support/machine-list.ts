// Lists of virtual machines: a hundred that are made on lab nodes and listed, and a thousand on ten nodes, read over HTTP out
// of the store while the nodes are looked at in the background, and while they do not answer.
import { machinesMade } from '#app/site-machines.ts';
import { startLabNode, type LabNode } from '#lab/node/node.ts';
import { machineSync } from '#reconcilers/machine-sync.ts';
import { machineSite, smallMachine } from '../../test/support/machine-site.ts';
import { request } from '../../test/support/request.ts';
import { openTestYard } from '../../test/support/yard.ts';
import { median } from './load.ts';

const timing = { bootMs: 0, buildMs: 0, softOffMs: 0 };
const token = 'bench-secret';
const rounds = 50;
const patienceMs = 300_000;

export interface MachineListFigures {
  /** From the site file to the last machine that runs, and the list of all. */
  readonly makeMs: number;
  /** Medians of the list of all machines, in milliseconds, on quiet nodes and while all of them are silent. */
  readonly listMs: number;
  readonly listWhileSilentMs: number;
  /** One look at all nodes. */
  readonly lookMs: number;
}

export async function machineListFigures(nodeCount: number, machineCount: number): Promise<MachineListFigures> {
  await using owned = new AsyncDisposableStack();
  const nodes: LabNode[] = [];
  const room = { memoryMb: 1_000_000, diskGb: 1_000_000 };
  for (let index = 0; index < nodeCount; index++) nodes.push(owned.use(await startLabNode({ token, timing, ...room })));
  const described = nodes.map(({ address, port }, index) => ({
    name: `node${index + 1}`,
    driver: 'lab',
    settings: { address, port, token },
  }));
  const { site, key } = machineSite(
    described,
    Array.from({ length: machineCount }, () => smallMachine),
  );
  const began = performance.now();
  const yard = owned.use(await openTestYard({ worksOffJobs: true, site }));
  await machinesMade(yard.parts, patienceMs);
  const list = async (): Promise<number> => {
    const before = performance.now();
    const { body } = await request<{ result: unknown[] }>(yard, 'GET', '/vps/list', { key });
    if (body.result.length !== machineCount) throw new Error(`${body.result.length} machines are listed`);
    return performance.now() - before;
  };
  await list();
  const makeMs = performance.now() - began;
  const lists = async (): Promise<number> => {
    const taken: number[] = [];
    for (let round = 0; round < rounds; round++) taken.push(await list());
    return median(taken);
  };
  const sync = machineSync(yard.parts, async () => {});
  const look = async (): Promise<number> => {
    await yard.parts.store.queries.updateTable('nodes').set({ next_look_at: 0 }).execute();
    const before = performance.now();
    await sync.run(AbortSignal.timeout(patienceMs));
    return performance.now() - before;
  };
  await look();
  const lookMs = await look();
  const listMs = await lists();
  for (const node of nodes) node.setFaults({ isSilent: true });
  await yard.parts.store.queries.updateTable('nodes').set({ next_look_at: 0 }).execute();
  const silence = new AbortController();
  const looking = sync.run(silence.signal).catch(() => {});
  const listWhileSilentMs = await lists();
  silence.abort();
  await looking;
  return { makeMs, listMs, listWhileSilentMs, lookMs };
}
