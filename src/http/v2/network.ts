// v2: netblocks, attacks, switch ports and traffic of a service.
import type { Handlers } from '#contract/endpoint.ts';
import type { networkV2 } from '#contract/v2/network.ts';
import { listAccountAttacks, listServiceAttacks } from '#app/network/attacks.ts';
import { getBandwidth, parseSpan, trafficSeries } from '#app/network/bandwidth.ts';
import { trafficCsv } from '#app/network/graph/csv.ts';
import { getMonthEstimate, toSampleViews } from '#app/network/traffic.ts';
import { serviceOf } from '#app/services/services.ts';
import { reverseList } from '#app/dns/reverse.ts';
import { linkStatus, livePort, setPortStatus } from '#app/network/ports.ts';
import type { Context, Visitor } from '#app/app.ts';
import { innerEnvelope } from '../responses.ts';

export const networkHandlers: Handlers<typeof networkV2, Context, Visitor> = {
  netblockList: (context, { service }) => reverseList(context, service),
  eventList: (context, { service, ...page }) => listServiceAttacks(context, service, page),
  anomalyList: listAccountAttacks,
  portGet: async (context, { service }) => {
    const { state } = await livePort(context, await serviceOf(context, service));
    return `${state.alias} - ${capitalised(state.adminStatus)} / ${capitalised(linkStatus(state))}`;
  },
  portEnable: async (context, { service }) => {
    await setPortStatus(context, await serviceOf(context, service), undefined, 'up');
    return 'Port Enabled.' as const;
  },
  portDisable: async (context, { service }) => {
    await setPortStatus(context, await serviceOf(context, service), undefined, 'down');
    return 'Port Disabled.' as const;
  },
  bandwidthGet: async (context, { service, start, end }) => {
    const span = parseSpan(context, start, end, 'end');
    return innerEnvelope(await getBandwidth(context, await serviceOf(context, service), span, 'with graphs'));
  },
  trafficGet: async (context, { service, start, end, format }) => {
    const series = await trafficSeries(
      context,
      await serviceOf(context, service),
      parseSpan(context, start, end, 'end'),
    );
    return format === 'csv' ? trafficCsv(series) : toSampleViews(series);
  },
  monthGet: async (context, { service, level }) => getMonthEstimate(context, await serviceOf(context, service), level),
};

function capitalised(status: 'up' | 'down'): 'Up' | 'Down' {
  return status === 'up' ? 'Up' : 'Down';
}
