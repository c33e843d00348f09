// Legacy: netblocks, switch ports and null routes of a server.
import type { networkLegacy } from '#contract/legacy/network.ts';
import { serviceOfLegacyServer } from '#app/services/services.ts';
import { reverseList } from '#app/dns/reverse.ts';
import { netblockRequest } from '#app/network/netblock-requests.ts';
import { nullrouteAdd, nullrouteRemove, nullrouteList } from '#app/network/nullroutes.ts';
import { linkStatus, livePorts, portLabel, setPortStatus } from '#app/network/ports.ts';
import type { Context } from '#app/app.ts';
import { invalid } from '#lib/api-error.ts';
import type { HandlersOf } from '../handler.ts';

export const networkHandlers: HandlersOf<typeof networkLegacy> = {
  netblockList: async (context, { server, type }) => {
    const { id } = await serviceOfLegacyServer(context, server);
    const names = Object.entries(await reverseList(context, id));
    return Object.fromEntries(names.filter(([address]) => address.includes(':') === (type === 'ipv6')));
  },
  netblockRequest: async (context, { server, type, size }) =>
    netblockRequest(context, await serviceOfLegacyServer(context, server), type, size),
  portSet: async (context, { server, action, id }) => {
    const service = await serviceOfLegacyServer(context, server);
    if (action === undefined) return portList(context, service);
    if (id === undefined) throw invalid({ id: 'is required with an action' });
    await setPortStatus(context, service, id, action === 'enable' ? 'up' : 'down');
    return action === 'enable' ? ('Port Enabled.' as const) : ('Port Disabled.' as const);
  },
  nullrouteSet: async (context, { server, ip, action }) => {
    const service = await serviceOfLegacyServer(context, server);
    if (ip === undefined) {
      if (action !== undefined) throw invalid({ ip: 'is required with an action' });
      return nullrouteList(context, service);
    }
    return action === 'remove' ? nullrouteRemove(context, service, ip) : nullrouteAdd(context, service, ip);
  },
};

async function portList(context: Context, service: Parameters<typeof livePorts>[1]) {
  const ports = await livePorts(context, service);
  return Object.fromEntries(
    ports.map(({ port, state }) => [
      String(port.id),
      {
        name: portLabel(state),
        ifAdminStatus: state.adminStatus,
        ifOperStatus: linkStatus(state),
        ifSpeed: String(state.speedBitsPerSecond),
      },
    ]),
  );
}
