// The samples behind figures and bills, and the month so far.
import { markWords } from './graph/csv.ts';
import { monthAround, monthSoFar } from '#kernel/traffic/month.ts';
import { sampleAt, type Series } from '#kernel/traffic/series.ts';
import type { Service } from '#store/services.ts';
import { trafficSeries } from './bandwidth.ts';
import { billingSettings } from '../billing/settings.ts';
import type { Context } from '../yard.ts';

export function samplesShown(series: Series) {
  return Array.from(series.marks, (_, index) => {
    const { start, inBytes, outBytes, marks } = sampleAt(series, index);
    return { start: String(start), inbytes: String(inBytes), outbytes: String(outBytes), marks: markWords(marks) };
  });
}

export async function monthShown(context: Context, service: Service, level: number | undefined) {
  const now = Math.floor(context.yard.clock.now() / 1000);
  const month = monthAround(now);
  const series = await trafficSeries(context, service, month);
  const { attacks } = await billingSettings(context.queries);
  const { soFar, projectedBitsPerSecond, leastBitsPerSecond, burst } = monthSoFar(series, now, {
    attacks,
    ...(level === undefined ? {} : { levelBitsPerSecond: level }),
  });
  const digits = (value: number): string => String(Math.round(value));
  return {
    start: digits(month.start),
    end: digits(month.end),
    '95pct': digits(soFar.bitsPerSecond),
    projected: digits(projectedBitsPerSecond),
    least: digits(leastBitsPerSecond),
    level: digits(burst.levelBitsPerSecond),
    burstallowed: digits(burst.allowed),
    burstused: digits(burst.used),
    burstleft: digits(burst.left),
  };
}
