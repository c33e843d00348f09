// Samples of virtual machines: their traffic, disk transfers and processor time are counters, metered like those of a switch
// port; memory and disk space are read at the end of each interval.
import type { MachineUsage } from '#drivers/hypervisor/driver.ts';
import { readMeter, type CounterReading, type Meter } from '#traffic/meter.ts';
import { unmeasured, type Sample, type Series } from '#traffic/series.ts';
import { machineDays, machineDaysPut } from '#store/network/machine-samples.ts';
import type { MachineSeries } from '#store/network/tables.ts';
import type { Queries } from '#store/store.ts';
import type { MemberSample } from '#traffic/sample-block.ts';
import { readBlocks, type AddSamples } from './sample-blocks.ts';
import { addSamples, addTraffic, readSeries, type SeriesDays } from './traffic.ts';

export type MachineCounters = Exclude<MachineSeries, 'space'>;
export type MachineMeters = Readonly<Partial<Record<MachineCounters, Meter>>>;
export type MachineSamples = Readonly<Record<MachineSeries, readonly Sample[]>>;

/** Numbers of the series in blocks. They are stored, so none may ever change. */
const seriesNumbers: Record<MachineSeries, number> = { network: 0, disk: 1, cpu: 2, space: 3 };
const seriesByNumber = Object.keys(seriesNumbers) as readonly MachineSeries[];

/** The values of a series instead of bytes in and out. */
const countersOf: Record<MachineCounters, (usage: MachineUsage) => readonly [number | undefined, number | undefined]> =
  {
    network: ({ received, sent }) => [received, sent],
    disk: ({ diskRead, diskWritten }) => [diskRead, diskWritten],
    /** In milliseconds. */
    cpu: ({ cpuMs }) => [cpuMs, 0],
  };
/** The unit of the series `space`, which has used memory and disk space; 0 if unknown. */
export const spaceUnitBytes = 2 ** 20;
const kind = { counterBits: 64, speedBitsPerSecond: 0 } as const;

/** Meters a reading. A counter that the hypervisor does not report leaves a gap; a machine that is off counts nothing. */
export function sampleMachine(
  before: MachineMeters,
  usage: MachineUsage,
  time: Pick<CounterReading, 'atMs' | 'upTimeTicks'>,
): { readonly meters: MachineMeters; readonly samples: MachineSamples } {
  const meters: Partial<Record<MachineCounters, Meter>> = { ...before };
  const samples: Record<MachineSeries, readonly Sample[]> = { network: [], disk: [], cpu: [], space: [] };
  for (const series of ['network', 'disk', 'cpu'] as const) {
    const [counterIn, counterOut] = usage.run === undefined ? [0, 0] : countersOf[series](usage);
    if (counterIn === undefined || counterOut === undefined) continue;
    const octets = { inOctets: toCounter(counterIn), outOctets: toCounter(counterOut) };
    const result = readMeter(before[series], { ...time, run: usage.run ?? 'off', ...octets }, kind);
    meters[series] = result.meter;
    samples[series] = result.samples;
  }
  const last = samples.cpu.at(-1);
  if (last !== undefined && (last.marks & unmeasured) === 0)
    samples.space = [
      { start: last.start, inBytes: toSpace(usage.memoryUsed), outBytes: toSpace(usage.diskUsed), marks: 0 },
    ];
  return { meters, samples };
}

function toCounter(value: number): bigint {
  return BigInt(Math.max(0, Math.round(value)));
}

function toSpace(bytes: number | undefined): number {
  return Math.ceil((bytes ?? 0) / spaceUnitBytes);
}

/** Returns the series of a sample in a block of machines. */
export function machineSeriesOf({ series }: Pick<MemberSample, 'series'>): MachineSeries | undefined {
  return seriesByNumber[series];
}

function daysOf(queries: Queries, service: number, series: MachineSeries): SeriesDays {
  return {
    list: (from, to) => machineDays(queries, service, series, from, to),
    put: (days) =>
      machineDaysPut(
        queries,
        days.map((day) => ({ service_id: service, series, ...day })),
      ),
    recent: (from, to) => readBlocks(queries, 'machine', { member: service, from, to }, seriesNumbers[series]),
  };
}

export async function addMachineSamples(queries: Queries, service: number, samples: MachineSamples): Promise<void> {
  for (const [series, added] of Object.entries(samples))
    if (added.length > 0) await addSamples(daysOf(queries, service, series as MachineSeries), added);
}

/** Returns the samples of a machine as a block has them. */
export function memberSamples(service: number, samples: MachineSamples): MemberSample[] {
  return Object.entries(samples).flatMap(([series, added]) =>
    added.map((sample) => ({ ...sample, member: service, series: seriesNumbers[series as MachineSeries] })),
  );
}

/** Moves samples to the days of their series before the machine gets another hypervisor: blocks are found by the current one. */
export async function mergeMachineBlocks(queries: Queries, service: number): Promise<void> {
  const recent = await readBlocks(queries, 'machine', { member: service, from: 0, to: Number.MAX_SAFE_INTEGER });
  for (const [series, samples] of Map.groupBy(recent, (sample) => sample.series))
    await mergeSamples(queries, 'machine', service, series, samples);
}

/** Merges samples from blocks into the days of their series, of ports and machines alike. */
export const mergeSamples: AddSamples = (queries, kind, member, series, samples) =>
  kind === 'port'
    ? addTraffic(queries, member, samples)
    : addSamples(daysOf(queries, member, seriesByNumber[series]!), samples);

/** Returns a series in a span of Unix seconds; `in` of the series `network` is what the machine receives. */
export function readMachineSeries(
  queries: Queries,
  service: number,
  series: MachineSeries,
  start: number,
  end: number,
): Promise<Series> {
  return readSeries(daysOf(queries, service, series), start, end);
}
