// The samples behind figures and bills, and the month so far.
import { markWords } from './graph/csv.ts';
import { dayNumberText } from '#kernel/moments.ts';
import { monthAround, monthSoFar } from '#kernel/traffic/month.ts';
import { DAY_SECONDS, INTERVALS_PER_DAY, sampleAt, type Series } from '#kernel/traffic/series.ts';
import { termsOfService } from '#store/billing/service-terms.ts';
import type { Service } from '#store/devices/services.ts';
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
    committed: await committedOf(context, service, now),
    days: daysOf(series, now),
  };
}

/** By the terms that hold today, or else by those that come next. */
async function committedOf({ queries }: Context, service: Service, now: number): Promise<string> {
  const terms = await termsOfService(queries, service.account_id, service.id);
  const today = Math.floor(now / DAY_SECONDS);
  const committed = terms.find((term) => term.until_day === null || term.until_day > today)?.committed_mbits ?? null;
  return committed === null ? '' : String(committed * 1_000_000);
}

/** `series` begins with a day. */
function daysOf({ start, inBytes, outBytes }: Series, now: number) {
  const sum = (bytes: Float64Array): string => String(bytes.reduce((total, each) => total + each, 0));
  return Array.from({ length: Math.ceil((now - start) / DAY_SECONDS) }, (_, index) => {
    const [first, past] = [index * INTERVALS_PER_DAY, (index + 1) * INTERVALS_PER_DAY];
    return {
      day: dayNumberText(start / DAY_SECONDS + index),
      inbytes: sum(inBytes.subarray(first, past)),
      outbytes: sum(outBytes.subarray(first, past)),
    };
  });
}
