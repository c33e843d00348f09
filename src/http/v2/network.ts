// Version 2: netblocks, attacks, switch ports and traffic of a service.
import type { Handlers } from '#contract/endpoint.ts';
import type { networkV2 } from '#contract/v2/network.ts';
import { attacksOfAccount, attacksOfService } from '#app/network/attacks.ts';
import { bandwidth, spanOf, trafficSeries } from '#app/network/bandwidth.ts';
import { trafficCsv } from '#app/network/graph/csv.ts';
import { monthShown, samplesShown } from '#app/network/traffic.ts';
import { serviceOf } from '#app/services/services.ts';
import { reverseList } from '#app/dns/reverse.ts';
import { linkStatus, livePort, portSwitch } from '#app/network/ports.ts';
import type { Context, Visitor } from '#app/yard.ts';
import { innerEnvelope } from '../answers.ts';

export const networkHandlers: Handlers<typeof networkV2, Context, Visitor> = {
  netblockList: (context, { service }) => reverseList(context, service),
  eventList: (context, { service, ...page }) => attacksOfService(context, service, page),
  anomalyList: attacksOfAccount,
  portGet: async (context, { service }) => {
    const { state } = await livePort(context, await serviceOf(context, service));
    return `${state.alias} - ${capitalised(state.adminStatus)} / ${capitalised(linkStatus(state))}`;
  },
  portEnable: async (context, { service }) => {
    await portSwitch(context, await serviceOf(context, service), undefined, 'up');
    return 'Port Enabled.' as const;
  },
  portDisable: async (context, { service }) => {
    await portSwitch(context, await serviceOf(context, service), undefined, 'down');
    return 'Port Disabled.' as const;
  },
  bandwidthGet: async (context, { service, start, end }) => {
    const span = spanOf(context, start, end, 'end');
    return innerEnvelope(await bandwidth(context, await serviceOf(context, service), span, 'with graphs'));
  },
  trafficGet: async (context, { service, start, end, format }) => {
    const series = await trafficSeries(context, await serviceOf(context, service), spanOf(context, start, end, 'end'));
    return format === 'csv' ? trafficCsv(series) : samplesShown(series);
  },
  monthGet: async (context, { service, level }) => monthShown(context, await serviceOf(context, service), level),
};

function capitalised(status: 'up' | 'down'): 'Up' | 'Down' {
  return status === 'up' ? 'Up' : 'Down';
}
