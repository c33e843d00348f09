// Simulators of all equipment of a large provider, in this process. Its virtual machines exist already.
import { sql } from 'kysely';
import { startLabBmc } from '#lab/bmc/bmc.ts';
import { startLabHypervisor, type LabHypervisorState } from '#lab/hypervisor/hypervisor.ts';
import { startLabSwitch } from '#lab/switch/switch.ts';
import { settingsAfter } from '#app/machines/network-settings.ts';
import { machineChange, machineName, machineNetworks } from '#store/devices/machines.ts';
import { serverInventory } from '#store/devices/servers.ts';
import { openStore } from '#store/open.ts';
import type { StoreLocation } from '#store/location.ts';
import type { Queries } from '#store/store.ts';
import { smallMachine } from '#test/support/machine-site.ts';
import {
  bmcLogin,
  community,
  equipmentCounts,
  hypervisorToken,
  portsPerSwitch,
  vmidOf,
  type ScaleEquipment,
} from './scale-site.ts';

const gigabit = 1_000_000_000;

export async function startScaleEquipment(services: number): Promise<ScaleEquipment & AsyncDisposable> {
  await using owned = new AsyncDisposableStack();
  const counts = equipmentCounts(services);
  const startEach = async <Device extends AsyncDisposable>(
    count: number,
    start: (index: number) => Promise<Device>,
  ): Promise<Device[]> => {
    const devices: Device[] = [];
    for (let index = 0; index < count; index++) devices.push(owned.use(await start(index)));
    return devices;
  };
  const bmcs = await startEach(counts.servers, () => startLabBmc({ admin: bmcLogin }));
  const ports = Array.from({ length: portsPerSwitch }, (_, position) => ({
    ifIndex: position + 1,
    name: `port${position + 1}`,
    alias: '',
    speedBitsPerSecond: gigabit,
  }));
  const switches = await startEach(counts.switches, () =>
    startLabSwitch({ ports, communities: { readWrite: community } }),
  );
  const hypervisors = await startEach(counts.hypervisors, (index) =>
    startLabHypervisor({
      token: hypervisorToken,
      memoryMb: 10_000_000,
      diskGb: 10_000_000,
      state: { load: () => machinesOf(index, services, counts), save: () => {} },
    }),
  );
  const devices = owned.move();
  return { bmcs, switches, hypervisors, [Symbol.asyncDispose]: () => devices.disposeAsync() };
}

function machinesOf(
  hypervisor: number,
  services: number,
  { servers, hypervisors }: ReturnType<typeof equipmentCounts>,
): LabHypervisorState {
  const { vcpus, memoryMb, diskGb } = smallMachine;
  const shape = { vcpus, memoryMb, diskGb, mac: '52:54:00:00:00:01', networks: [] };
  const system = {
    template: smallMachine.template,
    hostname: 'vps',
    rootPassword: '',
    addresses: [],
    nameServers: [],
    isWhole: true,
  };
  const machines: Record<string, LabHypervisorState[string]> = {};
  for (let index = servers; index < services; index++)
    if (index % hypervisors === hypervisor)
      machines[machineName(vmidOf(index))] = {
        shape,
        power: 'on',
        current: 'old',
        tun: 'disabled',
        networks: [],
        systems: { old: system },
      };
  return machines;
}

/**
 * Records that all machines exist and have their networks, that invoices are issued, and what servers consist of. Doing all that
 * would take longer than everything that is measured.
 */
export async function markSettled(location: StoreLocation): Promise<void> {
  const store = await openStore(location);
  await store.transaction(async (queries) => {
    await queries
      .updateTable('machines')
      .set((set) => ({ state: 'ready' as const, node: set.ref('wanted_node'), power_state: 'on' as const }))
      .execute();
    await queries.updateTable('services').set({ status: 'Active' }).where('status', '=', 'Pending').execute();
    const inventory = serverInventory.encode({ parts: {}, firmware: {}, memoryMb: null });
    await queries.updateTable('servers').set({ inventory }).execute();
    await markConfigured(queries);
    // No invoice is due for a month.
    await queries
      .updateTable('billing_accounts')
      .set((set) => ({ next_day: set('next_day', '+', 28) }))
      .execute();
    await queries.updateTable('workflows').set({ status: 'Completed', ended_at: Date.now() }).execute();
    if (store.engine === 'sqlite') await queries.deleteFrom('jobs').execute();
    else await sql`delete from pgboss.job`.execute(queries);
  });
  await store.close();
}

async function markConfigured(queries: Queries): Promise<void> {
  let page = await settingsAfter(queries, 0);
  while (page.length > 0) {
    const services = page.map(({ service }) => service);
    const networks = await machineNetworks(queries, services);
    for (const { service, digest } of page)
      await machineChange(queries, service, { networks: networks.get(service)!.join(','), addresses_digest: digest });
    page = await settingsAfter(queries, services.at(-1)!);
  }
}
