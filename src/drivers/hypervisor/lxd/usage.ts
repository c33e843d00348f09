// What LXD's instances use. The daemon reports 0 or nothing if it does not know.
import { Type, type Static } from 'typebox';
import type { MachineStatistics, MachineUsage } from '../driver.ts';
import type { LxdApi } from './api.ts';
import { Instance, instancePath, isStopped, listedName, parseSize } from './instances.ts';
import { requireInstance } from './machines.ts';

const Counters = Type.Object({ bytes_received: Type.Number(), bytes_sent: Type.Number() });
const State = Type.Object({
  pid: Type.Optional(Type.Integer()),
  cpu: Type.Optional(Type.Object({ usage: Type.Optional(Type.Number()) })),
  memory: Type.Optional(Type.Object({ usage: Type.Optional(Type.Number()) })),
  disk: Type.Optional(
    Type.Union([Type.Record(Type.String(), Type.Object({ usage: Type.Optional(Type.Number()) })), Type.Null()]),
  ),
  network: Type.Optional(
    Type.Union([Type.Record(Type.String(), Type.Object({ type: Type.String(), counters: Counters })), Type.Null()]),
  ),
});
/** The state is null if the cluster member does not respond. */
const InstanceWithState = Type.Intersect([
  Instance,
  Type.Object({ state: Type.Optional(Type.Union([State, Type.Null()])) }),
]);

export function createStatistics(api: LxdApi): MachineStatistics {
  return {
    async read(name, signal) {
      const instance = await requireInstance(api, name, signal);
      return usageOf(instance, await api.get(`${instancePath(instance.name)}/state`, State, signal));
    },
    async readAll(signal) {
      const instances = await api.get('/1.0/instances?recursion=2', Type.Array(InstanceWithState), signal);
      const usages = new Map<string, MachineUsage>();
      const adopted = await api.names.adopted();
      for (const instance of instances) {
        const name = listedName(instance, adopted);
        if (name !== undefined && instance.state) usages.set(name, usageOf(instance, instance.state));
      }
      return usages;
    },
  };
}

/** The transfers of the disk are unknown. */
function usageOf(instance: Instance, { pid, cpu, memory, disk, network }: Static<typeof State>): MachineUsage {
  const cards = Object.values(network ?? {}).filter(({ type }) => type !== 'loopback');
  const sumCounter = (key: 'bytes_received' | 'bytes_sent'): number | undefined =>
    cards.length === 0 ? undefined : cards.reduce((sum, { counters }) => sum + counters[key], 0);
  return {
    run: isStopped(instance) ? undefined : `${instance.location ?? ''} ${instance.name} ${pid ?? 0}`,
    cpuMs: cpu?.usage === undefined ? undefined : cpu.usage / 1e6,
    memoryUsed: memory?.usage || undefined,
    memoryTotal: parseSize(instance.expanded_config['limits.memory']) ?? 0,
    diskUsed: disk?.['root']?.usage || undefined,
    diskTotal: parseSize(instance.expanded_devices['root']?.['size']) ?? 0,
    received: sumCounter('bytes_received'),
    sent: sumCounter('bytes_sent'),
    diskRead: undefined,
    diskWritten: undefined,
  };
}
