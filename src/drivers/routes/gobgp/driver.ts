// Announces routes through GoBGP's gRPC API. GoBGP loses its routes when it restarts, which `onReconnect` reports.
import { Type } from 'typebox';
import { Text } from '#contract/parameters.ts';
import { parsePrefix, parseRoute, type Route, type RouteDriver } from '../driver.ts';
import {
  blackholeCommunity,
  communityNumber,
  families,
  parseOwnPath,
  pathOf,
  type Path,
  type PathAttributes,
} from './paths.ts';

const Community = Type.String({
  pattern:
    '^(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]):(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$',
  'x-reason': 'must be a community such as 65010:666',
});

const GobgpSettings = Type.Object(
  {
    /** Host and port of the gRPC API, such as 127.0.0.1:50051, or unix: and the path of its socket. */
    address: Text({ max: 261 }),
    /** Next hop of null routes, an address that the routers drop. Defaults to 192.0.2.1 and 100::1. */
    nextHop: Type.Optional(Type.String({ format: 'ipv4', 'x-reason': 'must be an IPv4 address' })),
    nextHop6: Type.Optional(Type.String({ format: 'ipv6', 'x-reason': 'must be an IPv6 address' })),
    /** Of null routes, in addition to 65535:666. */
    communities: Type.Optional(Type.Array(Community, { maxItems: 16, 'x-reason': 'must be at most 16 communities' })),
    /** Marks the routes to customers' devices, and must not be on other routes; 64512:4470 by default. */
    routeCommunity: Type.Optional(Community),
  },
  { additionalProperties: false },
);

export const gobgpRouteDriver: RouteDriver<typeof GobgpSettings> = {
  settings: GobgpSettings,
  open: async ({
    address,
    nextHop = '192.0.2.1',
    nextHop6 = '100::1',
    communities = [],
    routeCommunity = '64512:4470',
  }) => {
    // Imported on first use, to keep the memory of sites without GoBGP low.
    const { openGobgpClient } = await import('./client.ts');
    const client = openGobgpClient(address);
    const attributes: PathAttributes = {
      nextHop: { ipv4: nextHop, ipv6: nextHop6 },
      communities: [...new Set([blackholeCommunity, ...communities].map(communityNumber))],
      routeCommunity: communityNumber(routeCommunity),
    };
    const send = async (paths: readonly Path[], signal: AbortSignal): Promise<void> => {
      if (paths.length > 0) await client.addPaths(paths, signal);
    };
    return {
      announce: async (routes, signal) =>
        send(
          routes.map((route) => pathOf(parseRoute(route), attributes)),
          signal,
        ),
      withdraw: async (prefixes, signal) =>
        send(
          prefixes.map((prefix) => ({ ...pathOf(parsePrefix(prefix), attributes), is_withdraw: true })),
          signal,
        ),
      async list(signal) {
        const routes: Route[] = [];
        for (const family of Object.values(families)) {
          const responses = await client.listPath<{ destination?: { paths?: Path[] } }>({ family }, signal);
          for (const { destination } of responses) {
            const own = destination?.paths
              ?.map((path) => parseOwnPath(path, attributes))
              .find((parsed) => parsed !== undefined);
            if (own !== undefined) routes.push(own);
          }
        }
        return routes;
      },
      onReconnect: (listener) => client.onReconnect(listener),
      [Symbol.asyncDispose]: async () => client.close(),
    };
  },
};
