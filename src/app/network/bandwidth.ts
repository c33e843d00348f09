// Traffic of a service as figures and graphs, by switch and port, or by hypervisor and machine.
import type { Static } from 'typebox';
import type { PortTraffic } from '#contract/shapes/device.ts';
import { invalid } from '#lib/api-error.ts';
import { emptySeries, sumSeries, type Series } from '#traffic/series.ts';
import { computeStatistics, type TrafficStatistics } from '#traffic/statistics.ts';
import type { Service } from '#store/devices/services.ts';
import { getBillingSettings } from '../billing/settings.ts';
import { chartSvg } from './graph/chart.ts';
import { svgToPng } from './graph/png.ts';
import { readHeldTraffic, type TrafficPort } from './held-traffic.ts';
import type { Context } from '../app.ts';

const daySeconds = 86_400;
const maxSpanSeconds = 400 * daySeconds;

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Defaults to the last 24 hours. `endName` is the name of the end parameter. */
export function parseSpan(
  context: Context,
  start: number | undefined,
  end: number | undefined,
  endName: 'end' | 'stop',
): Span {
  const now = Math.floor(context.app.clock.now() / 1000);
  const until = end ?? now;
  const from = start ?? until - daySeconds;
  if (from > until) throw invalid({ start: `must not be after ${endName}` });
  if (until - from > maxSpanSeconds) throw invalid({ start: 'must be at most 400 days before the end' });
  return { start: Math.max(0, from), end: until };
}

/** Returns figures and, on request, a graph of every port, by switch name. */
export async function getBandwidth(
  context: Context,
  service: Service,
  span: Span,
  graphs: 'with graphs' | 'without graphs',
): Promise<Static<typeof PortTraffic>> {
  const policy = await getBillingSettings(context.queries);
  const result: Record<string, Static<typeof PortTraffic>[string]> = {};
  for (const { port, series } of await readHeldTraffic(context.queries, service, span)) {
    const statistics = computeStatistics(series, policy);
    const chart = { title: portTitle(port), series, statistics, speedBitsPerSecond: port.speed };
    const graph = graphs === 'with graphs' ? (await svgToPng(chartSvg(chart))).toString('base64') : '';
    (result[port.switch] ??= {})[String(port.if_index)] = { name: port.alias, data: figures(statistics), graph };
  }
  return result;
}

/** Returns the traffic of all ports of a service, summed per interval. */
export async function trafficSeries(context: Context, service: Service, span: Span): Promise<Series> {
  const seriesByPort = (await readHeldTraffic(context.queries, service, span)).map(({ series }) => series);
  return seriesByPort.length === 0 ? emptySeries(span.start, span.end) : sumSeries(seriesByPort);
}

function portTitle({ switch: name, if_index, alias }: TrafficPort): string {
  return alias === '' ? `${name} port ${if_index}` : `${alias} (${name} port ${if_index})`;
}

function figures({ inBytes, outBytes, totalBytes, percentile, ...rates }: TrafficStatistics) {
  const digits = (value: number): string => String(Math.round(value));
  return {
    inbits_last: digits(rates.inLastBitsPerSecond),
    outbits_last: digits(rates.outLastBitsPerSecond),
    inbits_avg: digits(rates.inAverageBitsPerSecond),
    outbits_avg: digits(rates.outAverageBitsPerSecond),
    inbytes: digits(inBytes),
    outbytes: digits(outBytes),
    totalbytes: digits(totalBytes),
    '95pct': digits(percentile.bitsPerSecond),
  };
}
