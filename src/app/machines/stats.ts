// Usage and hardware of virtual machines.
import type { Static } from 'typebox';
import type { Hardware, MachineStats, UsageSample } from '#contract/shapes/device.ts';
import type { MachineUsage } from '#drivers/hypervisor/driver.ts';
import { commandTimeout } from '#equipment/device-command.ts';
import { readMachineSeries, spaceUnitBytes } from '#equipment/machine-samples.ts';
import { ApiError } from '#lib/api-error.ts';
import { mapInSlices } from '#lib/slices.ts';
import { netblockList } from '#store/network/netblocks.ts';
import type { MachineSeries } from '#store/network/tables.ts';
import { machineName } from '#store/devices/machines.ts';
import type { Service } from '#store/devices/services.ts';
import type { Queries } from '#store/store.ts';
import { monthBounds } from '#traffic/month.ts';
import { intervalSeconds, unmeasured, type Series } from '#traffic/series.ts';
import type { Span } from '../network/bandwidth.ts';
import { addressTexts } from './addresses.ts';
import { powerWord, type PowerWord } from './list.ts';
import { machineOf, type PlacedMachine } from './machines.ts';
import type { Context } from '../app.ts';

const bytesPerMb = 1024 ** 2;
const bytesPerGb = 1024 ** 3;

/** Bytes; undefined if unknown. */
interface UsageFigures {
  readonly memory: number | undefined;
  readonly disk: number | undefined;
  readonly traffic: number;
}

/**
 * Without a span, usage is current and traffic that of the month. If the hypervisor does not respond, the state is unknown and
 * current usage is omitted; the rest is still returned.
 */
export async function machineStats(
  context: Context,
  service: Service,
  span: Span | undefined,
): Promise<Static<typeof MachineStats>> {
  const machine = await machineOf(context, service);
  const { use, status } = await readUsage(context, machine);
  const { memory, disk, traffic } =
    span === undefined
      ? { memory: use?.memoryUsed, disk: use?.diskUsed, traffic: await trafficThisMonth(context, machine) }
      : await usageWithin(context.queries, service.id, span);
  const blocks = await netblockList(context.queries, service.account_id, service.id);
  return {
    node: machine.node,
    status,
    type: machine.kind,
    memory: usageText(memory, bytesPerMb, machine.memory_mb, 'MB'),
    harddisk: usageText(disk, bytesPerGb, machine.disk_gb, 'GB'),
    bandwidth: usageText(traffic, bytesPerGb, machine.bandwidth_gb, 'GB'),
    ipaddr: addressTexts(service.ip, blocks),
  };
}

/** Includes what was counted in this month before machines were sampled. */
export async function trafficThisMonth(
  { app, queries }: Pick<Context, 'app' | 'queries'>,
  machine: Pick<PlacedMachine, 'service_id' | 'traffic_month' | 'traffic_bytes'>,
): Promise<number> {
  const now = Math.floor(app.clock.now() / 1000);
  const { start, end } = monthBounds(now);
  const date = new Date(now * 1000);
  const isCounted = machine.traffic_month === date.getUTCFullYear() * 12 + date.getUTCMonth();
  const series = await readMachineSeries(queries, machine.service_id, 'network', start, end);
  return (isCounted ? machine.traffic_bytes : 0) + totalBytes(series);
}

/** Memory is the average of the span, disk space the last that was measured in it. */
async function usageWithin(queries: Queries, service: number, { start, end }: Span): Promise<UsageFigures> {
  const space = await readMachineSeries(queries, service, 'space', start, end);
  const memory = space.inBytes.filter((used) => used > 0);
  const disk = space.outBytes.findLast((used) => used > 0);
  return {
    memory: memory.length === 0 ? undefined : (totalOf(memory) / memory.length) * spaceUnitBytes,
    disk: disk === undefined ? undefined : disk * spaceUnitBytes,
    traffic: totalBytes(await readMachineSeries(queries, service, 'network', start, end)),
  };
}

function totalBytes({ inBytes, outBytes }: Series): number {
  return totalOf(inBytes) + totalOf(outBytes);
}

function totalOf(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Returns the five-minute samples of a span. A value that was not measured is empty. */
export async function machineUsage(
  { queries }: Context,
  service: Service,
  { start, end }: Span,
): Promise<Static<typeof UsageSample>[]> {
  const read = (series: MachineSeries) => readMachineSeries(queries, service.id, series, start, end);
  const [cpu, space, disk] = [await read('cpu'), await read('space'), await read('disk')];
  const text = (value: number, isKnown: boolean): string => (isKnown ? String(value) : '');
  return mapInSlices(cpu.marks.keys(), (index) => {
    const isMeasured = ({ marks }: Series): boolean => (marks[index]! & unmeasured) === 0;
    const [memoryUsed, diskUsed] = [space.inBytes[index]!, space.outBytes[index]!];
    return {
      start: String(cpu.start + index * intervalSeconds),
      cpu: text(Number((cpu.inBytes[index]! / (intervalSeconds * 10)).toFixed(1)), isMeasured(cpu)),
      memory: text(memoryUsed * spaceUnitBytes, memoryUsed > 0),
      disk: text(diskUsed * spaceUnitBytes, diskUsed > 0),
      diskread: text(disk.inBytes[index]!, isMeasured(disk)),
      diskwritten: text(disk.outBytes[index]!, isMeasured(disk)),
    };
  });
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
