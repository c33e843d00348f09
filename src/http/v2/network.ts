// v2: netblocks, attacks, switch ports and traffic of a service.
import type { networkV2 } from '#contract/v2/network.ts';
import { listAccountAttacks, listServiceAttacks } from '#app/network/attacks.ts';
import { getBandwidth, parseSpan, trafficSeries } from '#app/network/bandwidth.ts';
import { trafficCsv } from '#app/network/graph/csv.ts';
import { deliveryList } from '#app/network/delivery-list.ts';
import { netblockRequest, netblockRequestList } from '#app/network/netblock-requests.ts';
import { getMonthEstimate, toSampleViews } from '#app/network/traffic.ts';
import { serviceOf } from '#app/services/services.ts';
import { reverseList } from '#app/dns/reverse.ts';
import { linkStatus, livePort, portLabel, setPortStatus } from '#app/network/ports.ts';
import { respondWith, type HandlersOf } from '../handler.ts';
import { innerEnvelope } from '../responses.ts';

export const networkHandlers: HandlersOf<typeof networkV2> = {
  netblockList: (context, { service }) => reverseList(context, service),
  netblockRequest: async (context, { service, type, size }) =>
    netblockRequest(context, await serviceOf(context, service), type, size),
  netblockRequestList: async (context, { service }) => netblockRequestList(context, await serviceOf(context, service)),
  deliveryList: async (context, { service, interface: card }) =>
    deliveryList(context, await serviceOf(context, service), card),
  eventList: (context, { service, ...page }) => listServiceAttacks(context, service, page),
  anomalyList: listAccountAttacks,
  portGet: async (context, { service }) => {
    const { state } = await livePort(context, await serviceOf(context, service));
    return `${portLabel(state)} - ${capitalised(state.adminStatus)} / ${capitalised(linkStatus(state))}`;
  },
  portEnable: respondWith('Port Enabled.', async (context, { service }) =>
    setPortStatus(context, await serviceOf(context, service), undefined, 'up'),
  ),
  portDisable: respondWith('Port Disabled.', async (context, { service }) =>
    setPortStatus(context, await serviceOf(context, service), undefined, 'down'),
  ),
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
