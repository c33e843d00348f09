// hostyard bandwidth: what a service sent and received, as figures and drawn.
import type { TrafficSample } from '#sdk/v2.ts';
import { onCall } from '../command.ts';
import { CommandError } from '../exit-codes.ts';
import { secondsOf } from '../moments.ts';
import { serviceId } from '../named.ts';
import { bytesText, rateText } from '../output/amounts.ts';
import { portRows } from '../output/ports.ts';
import { fieldsText } from '../output/table.ts';
import { trafficGraph } from '../output/traffic-graph.ts';
import type { Session } from '../session.ts';
import type { Define } from '../table.ts';

interface Options {
  readonly month?: boolean;
  readonly start?: string;
  readonly end?: string;
  readonly graph?: boolean;
}
interface Span {
  readonly start?: number;
  readonly end?: number;
}

const defaultWidth = 80;

export const define: Define = (command, shell) => {
  command
    .option('--month', 'this month so far, with what it is going to be')
    .option('--start <moment>', 'such as 2026-11-01; 24 hours ago unless told')
    .option('--end <moment>', 'now unless told')
    .option('--graph', 'draw it');
  onCall(command, shell, async (session, options: Options, name: string) => {
    const service = await serviceId(session.client, name);
    if (options.month === true && (options.start ?? options.end) !== undefined)
      throw new CommandError('Give --month, or --start and --end.');
    const { figures, fields, percentile, span } =
      options.month === true ? await monthOf(session, service) : await spanOf(session, service, options);
    const { client, show } = session;
    const samples = options.graph === true ? await client.trafficGet({ service, ...span }) : undefined;
    await show.drawn(samples === undefined ? figures : { figures, samples }, () => {
      const drawing =
        samples === undefined
          ? ''
          : trafficGraph(samples as readonly TrafficSample[], percentile, {
              width: show.width ?? defaultWidth,
              palette: show.palette,
            });
      return drawing + fieldsText(fields, show.palette);
    });
  });
};

interface Figures {
  readonly figures: unknown;
  readonly fields: readonly (readonly [string, string])[];
  readonly percentile: number;
  readonly span: Span;
}

async function monthOf({ client }: Session, service: string): Promise<Figures> {
  const month = await client.monthGet({ service });
  return {
    figures: month,
    percentile: Number(month['95pct']),
    span: { start: Number(month.start), end: Math.floor(Date.now() / 1000) },
    fields: [
      ['95th so far', rateText(Number(month['95pct']))],
      ['projected', rateText(Number(month.projected))],
      ['at least', rateText(Number(month.least))],
      [
        'bursts left',
        `${month.burstleft} of ${month.burstallowed} five-minute intervals above ${rateText(Number(month.level))}`,
      ],
    ],
  };
}

async function spanOf({ client }: Session, service: string, { start, end }: Options): Promise<Figures> {
  const span = {
    ...(start === undefined ? {} : { start: secondsOf(start) }),
    ...(end === undefined ? {} : { end: secondsOf(end) }),
  };
  const { result } = await client.bandwidthGet({ service, ...span });
  const ports = portRows(result);
  const most = Math.max(0, ...ports.map(({ data }) => Number(data['95pct'])));
  return {
    figures: result,
    percentile: most,
    span,
    fields: ports.flatMap(({ port, data }) => [
      ['port', port] as const,
      ['in', `${rateText(Number(data.inbits_avg))} on average, ${bytesText(Number(data.inbytes))}`] as const,
      ['out', `${rateText(Number(data.outbits_avg))} on average, ${bytesText(Number(data.outbytes))}`] as const,
      ['95th', rateText(Number(data['95pct']))] as const,
    ]),
  };
}
