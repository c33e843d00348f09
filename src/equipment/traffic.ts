// Traffic of ports between the database and the arithmetic of kernel/traffic.
import { addToDay, dayStartOf, unpackDay } from '#kernel/traffic/packed-day.ts';
import { DAY_SECONDS, emptySeries, markAttack, type Sample, type Series } from '#kernel/traffic/series.ts';
import { attackSpans } from '#store/network/attacks.ts';
import type { Queries } from '#store/store.ts';
import { trafficDayPut, trafficDays } from '#store/network/traffic.ts';

/** What is known of a port's traffic within the span, in seconds since 1970. Intervals in which its service was under attack
 * are marked when they are read, so that an attack that is told of late is seen too. */
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
  for (const [dayStart, ofDay] of days) {
    const [stored] = await trafficDays(queries, port, dayStart, dayStart + DAY_SECONDS);
    await trafficDayPut(queries, {
      port_id: port,
      day_start: dayStart,
      packed: addToDay(stored?.packed, dayStart, ofDay),
    });
  }
}
