// What a virtual machine uses of what it has, and what it is made of.
import type { Static } from 'typebox';
import type { Hardware, MachineStats } from '#contract/shapes/device.ts';
import type { MachineUse } from '#drivers/hypervisor/driver.ts';
import { metered, movedThisMonth } from '#equipment/machine-meter.ts';
import { Fault } from '#kernel/fault.ts';
import { netblockList } from '#store/network/netblocks.ts';
import { machineMetered, machineName, type MachineMeter } from '#store/devices/machines.ts';
import type { Service } from '#store/devices/services.ts';
import { commandLimit } from '../services/command-limit.ts';
import { addressTexts } from './addresses.ts';
import { powerWord, type PowerWord } from './list.ts';
import { machineOf, type PlacedMachine } from './machines.ts';
import type { Context } from '../yard.ts';

const bytesPerMb = 1024 ** 2;
const bytesPerGb = 1024 ** 3;
const meterAgainMs = 600_000;

/** A node that does not answer leaves the figures out and the state unknown: the rest is known all the same. */
export async function machineStats(context: Context, service: Service): Promise<Static<typeof MachineStats>> {
  const machine = await machineOf(context, service);
  const { use, status } = await liveUse(context, machine);
  const meter = use === undefined ? machine : await count(context, machine, use);
  const blocks = await netblockList(context.queries, service.account_id, service.id);
  return {
    node: machine.node,
    status,
    type: machine.kind,
    memory: usage(use?.memoryUsed, bytesPerMb, machine.memory_mb, 'MB'),
    harddisk: usage(use?.diskUsed, bytesPerGb, machine.disk_gb, 'GB'),
    bandwidth: usage(movedThisMonth(meter, context.yard.clock.now()), bytesPerGb, machine.bandwidth_gb, 'GB'),
    ipaddr: addressTexts(service.ip, blocks),
  };
}

async function liveUse(
  context: Context,
  machine: PlacedMachine,
): Promise<{ use: MachineUse | undefined; status: PowerWord }> {
  const name = machineName(machine.vmid);
  const limit = commandLimit();
  try {
    return await context.yard.nodes.use(machine.node, async (node) => {
      const state = await node.power.state(name, limit);
      const use = await node.statistics.read(name, limit);
      return { use, status: powerWord({ ...machine, power_state: state, power_error: null }) };
    });
  } catch (error) {
    if (error instanceof Fault) return { use: undefined, status: 'Unknown' };
    throw error;
  }
}

async function count({ yard }: Context, machine: PlacedMachine, use: MachineUse): Promise<MachineMeter> {
  const now = yard.clock.now();
  const meter = metered(machine, use, now);
  await machineMetered(yard.store.queries, machine, { ...meter, next_meter_at: now + meterAgainMs });
  return meter;
}

/** In one unit on both sides. What the node cannot tell is a hyphen. */
function usage(used: number | undefined, unitBytes: number, total: number, unit: string): string {
  const figure = used === undefined ? '-' : `${Number((used / unitBytes).toFixed(2))} ${unit}`;
  return `${figure} / ${total} ${unit}`;
}

/** In the categories of a physical server. */
export async function machineHardware(context: Context, service: Service): Promise<Static<typeof Hardware>> {
  const { vcpus, memory_mb, disk_gb, mac, kind } = await machineOf(context, service);
  return {
    parts: {
      CPU: [`${vcpus} virtual ${vcpus === 1 ? 'CPU' : 'CPUs'}`],
      Motherboard: [kind === 'Xen' ? 'Virtual machine' : 'Container'],
      RAM: [`${memory_mb} MB`],
      'Hard Drive': [`${disk_gb} GB`],
      'Network Card': [`Virtual, ${mac}`],
    },
    ports: {},
  };
}
