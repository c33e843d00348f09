// Samples behind figures and bills, and the estimate for the current month.
import { markWords } from './graph/csv.ts';
import { mapInSlices } from '#lib/slices.ts';
import { dayNumberText } from '#lib/time.ts';
import { monthBounds, estimateMonth } from '#traffic/month.ts';
import { daySeconds, intervalsPerDay, sampleAt, type Series } from '#traffic/series.ts';
import { termsOfService } from '#store/billing/service-terms.ts';
import type { Service } from '#store/devices/services.ts';
import { trafficSeries } from './bandwidth.ts';
import { getBillingSettings } from '../billing/settings.ts';
import type { Context } from '../app.ts';

export async function toSampleViews(series: Series) {
  return mapInSlices(series.marks.keys(), (index) => {
    const { start, inBytes, outBytes, marks } = sampleAt(series, index);
    return { start: String(start), inbytes: String(inBytes), outbytes: String(outBytes), marks: markWords(marks) };
  });
}

/** Counts bursts above the committed rate by default: below it, traffic costs nothing anyway. */
export async function getMonthEstimate(context: Context, service: Service, requestedLevel: number | undefined) {
  const now = Math.floor(context.app.clock.now() / 1000);
  const month = monthBounds(now);
  const series = await trafficSeries(context, service, month);
  const { attacks } = await getBillingSettings(context.queries);
  const committed = await committedRate(context, service, now);
  const level = requestedLevel ?? (Number(committed) || undefined);
  const { soFar, projectedBitsPerSecond, leastBitsPerSecond, burst } = estimateMonth(series, now, {
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
    committed,
    days: dailyTotals(series, now),
  };
}

/** By today's terms, or the next ones. */
async function committedRate({ queries }: Context, service: Service, now: number): Promise<string> {
  const terms = await termsOfService(queries, service.account_id, service.id);
  const today = Math.floor(now / daySeconds);
  const committed = terms.find((term) => term.until_day === null || term.until_day > today)?.committed_mbits ?? null;
  return committed === null ? '' : String(committed * 1_000_000);
}

/** `series` starts at midnight. */
function dailyTotals({ start, inBytes, outBytes }: Series, now: number) {
  const sum = (bytes: Float64Array): string => String(bytes.reduce((total, value) => total + value, 0));
  return Array.from({ length: Math.ceil((now - start) / daySeconds) }, (_, index) => {
    const [first, past] = [index * intervalsPerDay, (index + 1) * intervalsPerDay];
    return {
      day: dayNumberText(start / daySeconds + index),
      inbytes: sum(inBytes.subarray(first, past)),
      outbytes: sum(outBytes.subarray(first, past)),
    };
  });
}
