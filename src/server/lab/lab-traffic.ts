// Seeds the lab with a month of traffic and usage, so that its graphs are not empty.
import { addMachineSamples } from '#equipment/machine-samples.ts';
import { addTraffic } from '#equipment/traffic.ts';
import { labPastUsage } from '#lab/hypervisor/load.ts';
import { labPastTraffic, labSwitchName } from '#lab/network.ts';
import type { App } from '#app/app.ts';
import { machineName, machinesAll } from '#store/devices/machines.ts';
import { machineDays } from '#store/network/machine-samples.ts';
import { portsOfSwitch } from '#store/network/switches.ts';
import { trafficDays } from '#store/network/traffic.ts';

const pastSeconds = 31 * 86_400;

export async function seedLabTraffic(app: App): Promise<void> {
  const now = Math.floor(app.clock.now() / 1000);
  await app.store.transaction(async (queries) => {
    for (const port of await portsOfSwitch(queries, labSwitchName)) {
      if ((await trafficDays(queries, port.id, 0, now)).length > 0) continue;
      await addTraffic(queries, port.id, labPastTraffic(port.if_index, now - pastSeconds, now));
    }
    for (const { service_id, vmid, vcpus, memory_mb, disk_gb } of await machinesAll(queries)) {
      const shape = { vcpus, memoryMb: memory_mb, diskGb: disk_gb };
      if ((await machineDays(queries, service_id, 'network', 0, now)).length > 0) continue;
      await addMachineSamples(queries, service_id, labPastUsage(machineName(vmid), shape, now - pastSeconds, now));
    }
  });
}
