// The machine sync at a scale where it must not hold up requests.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Hypervisors } from '#equipment/hypervisors.ts';
import { ApiError } from '#lib/api-error.ts';
import { systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { hypervisorFind, hypervisorPut } from '#store/devices/hypervisors.ts';
import { machineFind, machineName, machinesInsert } from '#store/devices/machines.ts';
import { createFeed } from '#store/feed.ts';
import type { Store } from '#store/store.ts';
import { addAccount, addService } from '#test/support/accounts.ts';
import { openOwnedStore } from '#test/support/store.ts';
import { countTurns } from '#test/support/turns.ts';
import { machineSync } from './machine-sync.ts';
import type { Reconciler } from './reconciler.ts';

const count = 500;
const node = 'kvm01';
const forEver = new AbortController().signal;

describe('the machine sync', () => {
  const owned = new AsyncDisposableStack();
  let store: Store;
  let reconciler: Reconciler;
  let error: ApiError | undefined;
  const started: number[] = [];
  const logged: object[] = [];

  before(async () => {
    store = await openOwnedStore(owned, 'machine-sync');
    const account = await addAccount(store, 1);
    const size = { vcpus: 1, memory_mb: 1, disk_gb: 1, bandwidth_gb: 0, wanted_node: null, template: 'debian-12' };
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    await store.transaction(async (queries) => {
      for (const id of numbers) await addService({ ...store, queries }, account, id, { type: 'vps', vmid: id });
      await machinesInsert(
        queries,
        numbers.map((id) => ({ service_id: id, account_id: account, vmid: id, kind: 'Xen', mac: '', ...size })),
      );
    });
    await hypervisorPut(store.queries, { name: node, driver: 'lab', settings: '', name_servers: '[]' });
    reconciler = openSync();
  });
  after(() => owned.disposeAsync());

  async function sync(): Promise<void> {
    await store.queries.updateTable('nodes').set({ next_look_at: 0 }).execute();
    await reconciler.run(forEver);
  }

  function openSync(): Reconciler {
    const machines = {
      list: async () =>
        Array.from({ length: count }, (_, index) => ({ name: machineName(index + 1), power: 'on', isFiltered: true })),
    };
    const hypervisors = {
      use: async (_: string, work: (hypervisor: object) => unknown) => {
        if (error !== undefined) throw error;
        return work({ machines, hostTotals: async () => ({}), freeCapacity: async () => ({ memoryMb: 1, diskGb: 1 }) });
      },
    } as unknown as Hypervisors;
    const log = createLog('silent');
    log.warn = ((fields: object) => void logged.push(fields)) as never;
    const leaseFeed = createFeed({ store, log }, async () => new Map());
    owned.defer(() => leaseFeed.close());
    const queue = { enqueue: async () => '' };
    const parts = { store, clock: systemClock, log, instanceId: 'test', queue, hypervisors, leaseFeed };
    return machineSync(parts, async (_queries, service) => void started.push(service));
  }

  it('starts the creation of pending machines a few at a time, each once', async () => {
    await sync();
    assert.ok(started.length > 0 && started.length < count / 2, `started ${started.length} at once`);
    for (let run = 0; run < 5; run++) await sync();
    assert.deepEqual(
      started.toSorted((left, right) => left - right),
      Array.from({ length: count }, (_, index) => index + 1),
    );
  });

  it('lets requests run between slices, and writes nothing for machines that did not change', async () => {
    const networks = '203.0.113.10/32';
    const ready = { state: 'ready', node, power_state: 'on', power_seen_at: 1, networks } as const;
    await store.queries.updateTable('machines').set(ready).execute();
    const rows = () => store.queries.selectFrom('machines').selectAll().execute();
    const unchanged = await rows();
    assert.ok((await countTurns(sync())) > 4);
    assert.deepEqual(await rows(), unchanged);
    assert.ok((await hypervisorFind(store.queries, node))!.seen_at !== null);
  });

  it('says nothing about a hypervisor if the check was aborted', async () => {
    const rows = async () => [await hypervisorFind(store.queries, node), await machineFind(store.queries, 1)];
    await store.queries.updateTable('nodes').set({ next_look_at: 0 }).execute();
    const known = await rows();
    error = new ApiError('node_unreachable');
    await reconciler.run(AbortSignal.abort());
    assert.deepEqual(await rows(), known);
    assert.deepEqual(logged, []);
  });

  it('logs what a hypervisor says once, and keeps when its machines were last seen', async () => {
    const { seen_at } = (await hypervisorFind(store.queries, node))!;
    error = new ApiError('node_error', { internal: 'end of file while reading data' });
    for (let run = 0; run < 2; run++) await sync();
    const { power_state, power_error, power_seen_at } = (await machineFind(store.queries, 1))!;
    assert.deepEqual([power_state, power_error, power_seen_at], ['on', 'node_error', seen_at]);
    assert.deepEqual(logged, [{ device: node, code: 'node_error', detail: 'end of file while reading data' }]);
  });
});
