// Usage and hardware of virtual machines.
import type { Static } from 'typebox';
import type { Hardware, MachineStats } from '#contract/shapes/device.ts';
import type { MachineUsage } from '#drivers/hypervisor/driver.ts';
import { bytesThisMonth, readMachineMeter } from '#equipment/machine-meter.ts';
import { ApiError } from '#lib/api-error.ts';
import { netblockList } from '#store/network/netblocks.ts';
import { machineTrafficSet, machineName, type MachineMeter } from '#store/devices/machines.ts';
import type { Service } from '#store/devices/services.ts';
import { commandTimeout } from '#equipment/device-command.ts';
import { addressTexts } from './addresses.ts';
import { powerWord, type PowerWord } from './list.ts';
import { machineOf, type PlacedMachine } from './machines.ts';
import type { Context } from '../app.ts';

const bytesPerMb = 1024 ** 2;
const bytesPerGb = 1024 ** 3;
const meterIntervalMs = 600_000;

/** If the hypervisor does not respond, usage is omitted and the state is unknown; the rest is still returned. */
export async function machineStats(context: Context, service: Service): Promise<Static<typeof MachineStats>> {
  const machine = await machineOf(context, service);
  const { use, status } = await readUsage(context, machine);
  const meter = use === undefined ? machine : await recordTraffic(context, machine, use);
  const blocks = await netblockList(context.queries, service.account_id, service.id);
  return {
    node: machine.node,
    status,
    type: machine.kind,
    memory: usageText(use?.memoryUsed, bytesPerMb, machine.memory_mb, 'MB'),
    harddisk: usageText(use?.diskUsed, bytesPerGb, machine.disk_gb, 'GB'),
    bandwidth: usageText(bytesThisMonth(meter, context.app.clock.now()), bytesPerGb, machine.bandwidth_gb, 'GB'),
    ipaddr: addressTexts(service.ip, blocks),
  };
}

async function readUsage(
  context: Context,
  machine: PlacedMachine,
): Promise<{ use: MachineUsage | undefined; status: PowerWord }> {
  const name = machineName(machine.vmid);
  const limit = commandTimeout();
  try {
    return await context.app.hypervisors.use(machine.node, async ({ power, statistics }) => {
      const state = await power.state(name, limit);
      const use = await statistics.read(name, limit);
      return { use, status: powerWord({ ...machine, power_state: state, power_error: null }) };
    });
  } catch (error) {
    if (error instanceof ApiError) return { use: undefined, status: 'Unknown' };
    throw error;
  }
}

async function recordTraffic({ app }: Context, machine: PlacedMachine, use: MachineUsage): Promise<MachineMeter> {
  const now = app.clock.now();
  const meter = readMachineMeter(machine, use, now);
  await machineTrafficSet(app.store.queries, machine, { ...meter, next_meter_at: now + meterIntervalMs });
  return meter;
}

/** Both figures have the same unit. A figure that the hypervisor cannot report is a hyphen. */
function usageText(used: number | undefined, unitBytes: number, total: number, unit: string): string {
  const figure = used === undefined ? '-' : `${Number((used / unitBytes).toFixed(2))} ${unit}`;
  return `${figure} / ${total} ${unit}`;
}

/** Uses the categories of a physical server. */
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
