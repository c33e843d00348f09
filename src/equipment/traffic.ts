// Reads and writes the traffic of switch ports as time series.
import { addToDay, dayStartOf, unpackDay } from '#traffic/packed-day.ts';
import { daySeconds, emptySeries, markAttack, type Sample, type Series } from '#traffic/series.ts';
import { attackSpans } from '#store/network/attacks.ts';
import type { Queries } from '#store/store.ts';
import { trafficDayPut, trafficDays } from '#store/network/traffic.ts';

/** Returns a port's traffic in a span of Unix seconds. Attack intervals are marked on reading, so that an attack that was
 * reported late is included. */
export async function readTraffic(queries: Queries, port: number, start: number, end: number): Promise<Series> {
  const series = emptySeries(start, end);
  for (const { day_start, packed } of await trafficDays(queries, port, dayStartOf(start), end)) {
    unpackDay(packed, day_start, series);
  }
  for (const { started_at, ended_at } of await attackSpans(queries, port, start * 1000, end * 1000))
    markAttack(series, started_at / 1000, ended_at === null ? end : ended_at / 1000);
  return series;
}

export async function addTraffic(queries: Queries, port: number, samples: readonly Sample[]): Promise<void> {
  const days = Map.groupBy(samples, ({ start }) => dayStartOf(start));
  for (const [dayStart, daySamples] of days) {
    const [stored] = await trafficDays(queries, port, dayStart, dayStart + daySeconds);
    await trafficDayPut(queries, {
      port_id: port,
      day_start: dayStart,
      packed: addToDay(stored?.packed, dayStart, daySamples),
    });
  }
}
