// Orders of machines by a customer through the API, and pages of an account's machines.
import assert from 'node:assert/strict';
import { waitForMachines } from '#app/site/machines.ts';
import { startLabHypervisor, type LabHypervisor } from '#lab/hypervisor/hypervisor.ts';
import { machineSync } from '#reconcilers/machine-sync.ts';
import { openTestApp } from '../../test/support/app.ts';
import { machineSite, smallMachine } from '../../test/support/machine-site.ts';
import { requestResult } from '../../test/support/request.ts';
import { median } from './figures.ts';

const timing = { bootMs: 0, buildMs: 0, softOffMs: 0 };
const token = 'bench-secret';
const rounds = 100;
const pageLength = 10;
const timeoutMs = 300_000;

export interface OrderFigures {
  readonly totalMs: number;
  /** How many machines each hypervisor got. */
  readonly spread: readonly number[];
}

/** Measures from the first order until all machines run. */
export async function measureOrders(count: number, hypervisorCount: number): Promise<OrderFigures> {
  await using owned = new AsyncDisposableStack();
  const hypervisors: LabHypervisor[] = [];
  for (let index = 0; index < hypervisorCount; index++)
    hypervisors.push(owned.use(await startLabHypervisor({ token, timing })));
  const nodes = hypervisors.map(({ address, port }, index) => ({
    name: `node${index + 1}`,
    driver: 'lab',
    settings: { address, port, token },
  }));
  const { site, key } = machineSite(nodes, []);
  const machine = { vcpus: 1, memoryMb: 512, diskGb: 10, addresses: '/32', order: true } as const;
  const app = owned.use(
    await openTestApp({
      worksOffJobs: true,
      site: {
        ...site,
        netblocks: [{ cidr: '10.64.0.0/16', pool: 'assign' }],
        orders: { machines: count },
        plans: [{ name: 'Small', price: '5.00', cycle: 'monthly', machine }],
      },
    }),
  );
  await machineSync(app.parts, async () => {}).run(AbortSignal.timeout(timeoutMs));
  const startMs = performance.now();
  for (let number = 0; number < count; number++) {
    const params = { plan: 'Small', system: 'debian-12', hostname: `vps${number}.example.net` };
    await requestResult(app, 'POST', '/v2/machine', { key, params });
  }
  await waitForMachines(app.parts, timeoutMs);
  return { totalMs: performance.now() - startMs, spread: hypervisors.map(({ machines }) => machines.size) };
}

/** Returns the median time of a page in the middle of an account's machines, in milliseconds. */
export async function measureMachinePageMs(machineCount: number): Promise<number> {
  const node = { name: 'node1', driver: 'lab', settings: { address: '127.0.0.1', port: 1, token } };
  const machines = Array.from({ length: machineCount }, () => ({ ...smallMachine, node: node.name }));
  const { site, key } = machineSite([node], machines);
  await using app = await openTestApp({ site });
  const after = 2000 + Math.max(0, machineCount / 2 - pageLength / 2);
  const params = { after, limit: pageLength };
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const startMs = performance.now();
    const page = await requestResult<unknown[]>(app, 'GET', '/v2/machine', { key, params });
    times.push(performance.now() - startMs);
    assert.ok(page.length > 0);
  }
  return median(times);
}
