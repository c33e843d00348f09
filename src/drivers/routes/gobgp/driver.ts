// GoBGP as the announcer of null-routes, through its gRPC API. It forgets its routes when it restarts, which `onReturn` tells.
import { Type } from 'typebox';
import { Text } from '#contract/parameters.ts';
import { hostRoute, type HostRoute, type RouteDriver } from '../driver.ts';
import { BLACKHOLE, communityNumber, families, ourAddress, pathOf, type Path, type PathAttributes } from './paths.ts';

const Community = Type.String({
  pattern:
    '^(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]):(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$',
  'x-reason': 'must be a community such as 65010:666',
});

const GobgpSettings = Type.Object(
  {
    /** Host and port of its gRPC API: 127.0.0.1:50051. */
    address: Text({ max: 261 }),
    /** Where the routes lead: an address that the routers drop. 192.0.2.1 and 100::1 unless told. */
    nextHop: Type.Optional(Type.String({ format: 'ipv4', 'x-reason': 'must be an IPv4 address' })),
    nextHop6: Type.Optional(Type.String({ format: 'ipv6', 'x-reason': 'must be an IPv6 address' })),
    /** Carried beside 65535:666. */
    communities: Type.Optional(Type.Array(Community, { maxItems: 16, 'x-reason': 'must be at most 16 communities' })),
  },
  { additionalProperties: false },
);

/** GoBGP takes about a millisecond a call, however many wait. */
const callsAtOnce = 32;

export const gobgpRouteDriver: RouteDriver<typeof GobgpSettings> = {
  name: 'gobgp',
  settings: GobgpSettings,
  open: async ({ address, nextHop = '192.0.2.1', nextHop6 = '100::1', communities = [] }) => {
    // Loaded only where it is used: a site without such a router should stay small.
    const { openGobgpClient } = await import('./client.ts');
    const client = openGobgpClient(address);
    const attributes: PathAttributes = {
      nextHop: { ipv4: nextHop, ipv6: nextHop6 },
      communities: [...new Set([BLACKHOLE, ...communities].map(communityNumber))],
    };
    const each = (addresses: readonly string[], work: (route: HostRoute) => Promise<void>): Promise<void> =>
      severalAtOnce(addresses.map(hostRoute), work);
    return {
      announce: (addresses, signal) =>
        each(addresses, (route) => client.call('AddPath', { path: pathOf(route, attributes) }, signal)),
      withdraw: (addresses, signal) =>
        each(addresses, (route) => {
          const path = pathOf(route, attributes);
          return client.call('DeletePath', { family: path.family, path }, signal);
        }),
      async list(signal) {
        const listed: string[] = [];
        for (const family of Object.values(families)) {
          const answers = await client.listPath<{ destination?: { paths?: Path[] } }>({ family }, signal);
          for (const { destination } of answers) {
            const ours = destination?.paths
              ?.map((path) => ourAddress(path, attributes))
              .find((one) => one !== undefined);
            if (ours !== undefined) listed.push(ours);
          }
        }
        return listed;
      },
      onReturn: (listener) => client.onReturn(listener),
      [Symbol.asyncDispose]: async () => client.close(),
    };
  },
};

async function severalAtOnce(routes: readonly HostRoute[], work: (route: HostRoute) => Promise<void>): Promise<void> {
  const waiting = routes.values();
  const lane = async (): Promise<void> => {
    for (const route of waiting) await work(route);
  };
  await Promise.all(Array.from({ length: Math.min(callsAtOnce, routes.length) }, lane));
}
