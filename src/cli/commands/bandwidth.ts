// hostyard bandwidth: the traffic of a service, in figures and as a graph.
import type { TrafficSample } from '#sdk/v2.ts';
import { apiHandler } from '../command.ts';
import { CommandError } from '../exit-codes.ts';
import { resolveServiceId } from '../lookup.ts';
import { bytesText, rateText } from '../output/amounts.ts';
import { portRows } from '../output/ports.ts';
import { fieldsText } from '../output/table.ts';
import { trafficGraph } from '../output/traffic-graph.ts';
import type { Session } from '../session.ts';
import { parseTime } from '../time.ts';

interface Options {
  readonly month?: boolean;
  readonly start?: string;
  readonly end?: string;
  readonly graph?: boolean;
}
interface Report {
  readonly figures: unknown;
  readonly fields: readonly (readonly [string, string])[];
  readonly percentile: number;
  readonly range: { readonly start: number | undefined; readonly end: number | undefined };
}

const defaultWidth = 80;

export const showBandwidth = apiHandler({
  options: (command) =>
    command
      .option('--month', 'Show the current month and its projection')
      .option('--start <time>', 'Start, such as 2026-11-01 (default: 24 hours ago)')
      .option('--end <time>', 'End (default: now)')
      .option('--graph', 'Draw a graph'),
  async run(session: Session, { service: name }: { readonly service: string }, options: Options) {
    const service = await resolveServiceId(session.client, name);
    if (options.month === true && (options.start ?? options.end) !== undefined)
      throw new CommandError('Use either --month or --start and --end.');
    const { figures, fields, percentile, range } =
      options.month === true ? await monthReport(session, service) : await rangeReport(session, service, options);
    const { client, print } = session;
    const samples = options.graph === true ? await client.trafficGet({ service, ...range }) : undefined;
    await print.value(samples === undefined ? figures : { figures, samples }, () => {
      const size = { width: print.width ?? defaultWidth, palette: print.palette };
      const graph = samples === undefined ? '' : trafficGraph(samples as readonly TrafficSample[], percentile, size);
      return fields.length === 0
        ? 'No traffic of this service is measured.\n'
        : graph + fieldsText(fields, print.palette);
    });
  },
});

async function monthReport({ client }: Session, service: string): Promise<Report> {
  const month = await client.monthGet({ service });
  const bursts = `${month.burstleft} of ${month.burstallowed} five-minute intervals above ${rateText(Number(month.level))}`;
  return {
    figures: month,
    percentile: Number(month['95pct']),
    range: { start: Number(month.start), end: Math.floor(Date.now() / 1000) },
    fields: [
      ['95th percentile', rateText(Number(month['95pct']))],
      ['projected', rateText(Number(month.projected))],
      ['minimum', rateText(Number(month.least))],
      ['bursts left', bursts],
    ],
  };
}

async function rangeReport({ client }: Session, service: string, { start, end }: Options): Promise<Report> {
  const range = {
    start: start === undefined ? undefined : parseTime(start),
    end: end === undefined ? undefined : parseTime(end),
  };
  const { result } = await client.bandwidthGet({ service, ...range });
  const ports = portRows(result);
  return {
    figures: result,
    percentile: Math.max(0, ...ports.map(({ data }) => Number(data['95pct']))),
    range,
    fields: ports.flatMap(({ port, data }) => [
      ['port', port] as const,
      ['in', `${rateText(Number(data.inbits_avg))} on average, ${bytesText(Number(data.inbytes))}`] as const,
      ['out', `${rateText(Number(data.outbits_avg))} on average, ${bytesText(Number(data.outbytes))}`] as const,
      ['95th percentile', rateText(Number(data['95pct']))] as const,
    ]),
  };
}
