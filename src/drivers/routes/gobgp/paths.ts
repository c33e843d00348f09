// Converts routes to GoBGP paths and back. A path is ours if it was added locally and has all communities of our null
// routes, for a single address, or that of our other routes; paths of others are left alone.
import { networkText } from '#lib/address-ranges.ts';
import { addressText, parseNetwork } from '#lib/addresses.ts';
import type { Prefix, Route } from '../driver.ts';

/** The BLACKHOLE community of RFC 7999: receivers drop traffic to the route. */
export const blackholeCommunity = '65535:666';

export interface PathAttributes {
  /** Of null routes. */
  readonly nextHop: { readonly ipv4: string; readonly ipv6: string };
  /** Of null routes. */
  readonly communities: readonly number[];
  /** Of routes to devices. */
  readonly routeCommunity: number;
}

/** Attributes that our copy of the API lacks have no type name. */
interface TypedMessage {
  readonly '@type'?: string;
  readonly [field: string]: unknown;
}
export interface Path {
  readonly nlri?: TypedMessage;
  readonly pattrs?: readonly TypedMessage[];
  readonly family?: object;
  readonly is_withdraw?: true;
  /** The neighbour that announced the path; not an address if it was added locally. */
  readonly neighbor_ip?: string;
}

export const families = {
  ipv4: { afi: 'AFI_IP', safi: 'SAFI_UNICAST' },
  ipv6: { afi: 'AFI_IP6', safi: 'SAFI_UNICAST' },
} as const;

const typedMessage = (name: string, fields: object): TypedMessage => ({
  '@type': `type.googleapis.com/apipb.${name}`,
  ...fields,
});

export function communityNumber(text: string): number {
  const [high = '', low = ''] = text.split(':');
  return Number(high) * 65_536 + Number(low);
}

/** Returns the path of a route; a withdrawal needs only the prefix. */
export function pathOf({ address, family, length, ...route }: Prefix & Partial<Route>, own: PathAttributes): Path {
  const nlri = typedMessage('IPAddressPrefix', { prefix: address, prefix_len: length });
  const nextHop = route.nextHop ?? own.nextHop[family];
  const nextHopAttribute =
    family === 'ipv4'
      ? typedMessage('NextHopAttribute', { next_hop: nextHop })
      : typedMessage('MpReachNLRIAttribute', { family: families.ipv6, next_hops: [nextHop], nlris: [nlri] });
  const communities = route.nextHop === undefined ? own.communities : [own.routeCommunity];
  return {
    family: families[family],
    nlri,
    pattrs: [
      typedMessage('OriginAttribute', { origin: 0 }),
      nextHopAttribute,
      typedMessage('CommunitiesAttribute', { communities }),
    ],
  };
}

/** Returns the route if the path is ours. */
export function parseOwnPath(path: Path, own: Omit<PathAttributes, 'nextHop'>): Route | undefined {
  if (addressText(path.neighbor_ip ?? '') !== undefined) return undefined;
  const network = parseNetwork(`${String(path.nlri?.['prefix'])}/${String(path.nlri?.['prefix_len'])}`);
  if (network === undefined) return undefined;
  const prefix = networkText(network);
  const communities = attributeOf(path, 'CommunitiesAttribute')?.['communities'];
  const present = new Set(Array.isArray(communities) ? communities : []);
  const isHost = network.prefixLength === (network.base.kind() === 'ipv4' ? 32 : 128);
  if (isHost && own.communities.every((community) => present.has(community))) return { prefix, nextHop: undefined };
  if (!present.has(own.routeCommunity)) return undefined;
  const nextHops = attributeOf(path, 'MpReachNLRIAttribute')?.['next_hops'];
  const nextHop = Array.isArray(nextHops) ? nextHops[0] : attributeOf(path, 'NextHopAttribute')?.['next_hop'];
  return { prefix, nextHop: addressText(String(nextHop)) ?? '' };
}

function attributeOf(path: Path, name: string): TypedMessage | undefined {
  return path.pattrs?.find((attribute) => attribute['@type']?.endsWith(`.${name}`));
}
