// Traffic of ports between the database and the arithmetic of kernel/traffic.
import { addToDay, dayStartOf, unpackDay } from '#kernel/traffic/packed-day.ts';
import { DAY_SECONDS, emptySeries, type Sample, type Series } from '#kernel/traffic/series.ts';
import type { Queries } from '#store/store.ts';
import { trafficDayPut, trafficDays } from '#store/traffic.ts';

/** What is known of a port's traffic within the span, in seconds since 1970. */
export async function readTraffic(queries: Queries, port: number, start: number, end: number): Promise<Series> {
  const series = emptySeries(start, end);
  for (const { day_start, packed } of await trafficDays(queries, port, dayStartOf(start), end)) {
    unpackDay(packed, day_start, series);
  }
  return series;
}

export async function addTraffic(queries: Queries, port: number, samples: readonly Sample[]): Promise<void> {
  const days = Map.groupBy(samples, ({ start }) => dayStartOf(start));
  for (const [dayStart, ofDay] of days) {
    const [stored] = await trafficDays(queries, port, dayStart, dayStart + DAY_SECONDS);
    await trafficDayPut(queries, {
      port_id: port,
      day_start: dayStart,
      packed: addToDay(stored?.packed, dayStart, ofDay),
    });
  }
}
