// Reads and writes the traffic of switch ports as time series, in packed days that virtual machines share (machine-samples.ts).
// Recent samples are in blocks (sample-blocks.ts).
import type { Meter } from '#traffic/meter.ts';
import { addToDay, dayStartOf, unpackDay } from '#traffic/packed-day.ts';
import { daySeconds, emptySeries, putSamples, type Sample, type Series } from '#traffic/series.ts';
import type { Queries } from '#store/store.ts';
import { trafficDaysPut, trafficDays, type StoredMeter } from '#store/network/traffic.ts';
import { readBlocks } from './sample-blocks.ts';

/** The place where the samples of one series are stored. */
export interface SeriesDays {
  /** Returns the days that start within the span of Unix seconds. */
  list(from: number, to: number): Promise<readonly { readonly day_start: number; readonly packed: Buffer }[]>;
  put(days: readonly { readonly day_start: number; readonly packed: Buffer }[]): Promise<void>;
  /** Returns the samples in the span of Unix seconds that are not in the days yet. */
  recent(from: number, to: number): Promise<readonly Sample[]>;
}

function portDays(queries: Queries, port: number): SeriesDays {
  return {
    list: (from, to) => trafficDays(queries, port, from, to),
    put: (days) =>
      trafficDaysPut(
        queries,
        days.map((day) => ({ port_id: port, ...day })),
      ),
    recent: (from, to) => readBlocks(queries, 'port', { member: port, from, to }),
  };
}

/** Returns a port's traffic in a span of Unix seconds. */
export function readTraffic(queries: Queries, port: number, start: number, end: number): Promise<Series> {
  return readSeries(portDays(queries, port), start, end);
}

export function addTraffic(queries: Queries, port: number, samples: readonly Sample[]): Promise<void> {
  return addSamples(portDays(queries, port), samples);
}

export async function readSeries(days: SeriesDays, start: number, end: number): Promise<Series> {
  const series = emptySeries(start, end);
  // Before the days: samples that are merged in between are then read twice, not missed.
  const recent = await days.recent(series.start, end);
  for (const { day_start, packed } of await days.list(dayStartOf(start), end)) unpackDay(packed, day_start, series);
  putSamples(series, recent);
  return series;
}

export async function addSamples(days: SeriesDays, samples: readonly Sample[]): Promise<void> {
  const samplesByDay = Map.groupBy(samples, ({ start }) => dayStartOf(start));
  const starts = [...samplesByDay.keys()].toSorted((a, b) => a - b);
  const stored = await days.list(starts[0] ?? 0, (starts.at(-1) ?? 0) + daySeconds);
  const storedByDay = new Map(stored.map(({ day_start, packed }) => [day_start, packed]));
  await days.put(
    starts.map((start) => ({
      day_start: start,
      packed: addToDay(storedByDay.get(start), start, samplesByDay.get(start)!),
    })),
  );
}

/** Counters exceed JSON's safe integers, so they are stored as text. */
export function toStoredMeter(meter: Meter): StoredMeter {
  const { last } = meter;
  return { ...meter, last: { ...last, inOctets: String(last.inOctets), outOctets: String(last.outOctets) } };
}

export function fromStoredMeter(meter: StoredMeter): Meter {
  const { inOctets, outOctets, ...last } = meter.last;
  return { ...meter, last: { ...last, inOctets: BigInt(inOctets), outOctets: BigInt(outOctets) } };
}
