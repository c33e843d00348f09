// Announces null routes through GoBGP's gRPC API. GoBGP loses its routes when it restarts, which `onReconnect` reports.
import { Type } from 'typebox';
import { Text } from '#contract/parameters.ts';
import { hostRoute, type RouteDriver } from '../driver.ts';
import {
  blackholeCommunity,
  communityNumber,
  families,
  parseOwnPath,
  nullRoutePath,
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
    /** Host and port of the gRPC API, such as 127.0.0.1:50051. */
    address: Text({ max: 261 }),
    /** Next hop of the routes, an address that the routers drop. Defaults to 192.0.2.1 and 100::1. */
    nextHop: Type.Optional(Type.String({ format: 'ipv4', 'x-reason': 'must be an IPv4 address' })),
    nextHop6: Type.Optional(Type.String({ format: 'ipv6', 'x-reason': 'must be an IPv6 address' })),
    /** In addition to 65535:666. */
    communities: Type.Optional(Type.Array(Community, { maxItems: 16, 'x-reason': 'must be at most 16 communities' })),
  },
  { additionalProperties: false },
);

export const gobgpRouteDriver: RouteDriver<typeof GobgpSettings> = {
  settings: GobgpSettings,
  open: async ({ address, nextHop = '192.0.2.1', nextHop6 = '100::1', communities = [] }) => {
    // Imported on first use, to keep the memory of sites without GoBGP low.
    const { openGobgpClient } = await import('./client.ts');
    const client = openGobgpClient(address);
    const attributes: PathAttributes = {
      nextHop: { ipv4: nextHop, ipv6: nextHop6 },
      communities: [...new Set([blackholeCommunity, ...communities].map(communityNumber))],
    };
    const change = async (
      addresses: readonly string[],
      signal: AbortSignal,
      how: Pick<Path, 'is_withdraw'>,
    ): Promise<void> => {
      const paths = addresses.map((text) => ({ ...nullRoutePath(hostRoute(text), attributes), ...how }));
      if (paths.length > 0) await client.addPaths(paths, signal);
    };
    return {
      announce: (addresses, signal) => change(addresses, signal, {}),
      withdraw: (addresses, signal) => change(addresses, signal, { is_withdraw: true }),
      async list(signal) {
        const nullRouted: string[] = [];
        for (const family of Object.values(families)) {
          const responses = await client.listPath<{ destination?: { paths?: Path[] } }>({ family }, signal);
          for (const { destination } of responses) {
            const ownAddress = destination?.paths
              ?.map((path) => parseOwnPath(path, attributes))
              .find((parsed) => parsed !== undefined);
            if (ownAddress !== undefined) nullRouted.push(ownAddress);
          }
        }
        return nullRouted;
      },
      onReconnect: (listener) => client.onReconnect(listener),
      [Symbol.asyncDispose]: async () => client.close(),
    };
  },
};
