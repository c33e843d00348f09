// Converts null routes to GoBGP paths and back. A path is ours if it was added locally, is for a single address and has
// all of our communities; others are left alone.
import { addressText } from '#lib/addresses.ts';
import type { HostRoute } from '../driver.ts';

/** The BLACKHOLE community of RFC 7999: receivers drop traffic to the route. */
export const blackholeCommunity = '65535:666';

export interface PathAttributes {
  readonly nextHop: { readonly ipv4: string; readonly ipv6: string };
  readonly communities: readonly number[];
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

export function nullRoutePath({ address, family, prefixLength }: HostRoute, attributes: PathAttributes): Path {
  const nlri = typedMessage('IPAddressPrefix', { prefix: address, prefix_len: prefixLength });
  const nextHop = attributes.nextHop[family];
  const nextHopAttribute =
    family === 'ipv4'
      ? typedMessage('NextHopAttribute', { next_hop: nextHop })
      : typedMessage('MpReachNLRIAttribute', { family: families.ipv6, next_hops: [nextHop], nlris: [nlri] });
  return {
    family: families[family],
    nlri,
    pattrs: [
      typedMessage('OriginAttribute', { origin: 0 }),
      nextHopAttribute,
      typedMessage('CommunitiesAttribute', { communities: attributes.communities }),
    ],
  };
}

/** Returns the null-routed address if the path is ours. */
export function parseOwnPath(path: Path, { communities }: Pick<PathAttributes, 'communities'>): string | undefined {
  if (addressText(path.neighbor_ip ?? '') !== undefined) return undefined;
  const prefix = path.nlri?.['prefix'];
  const length = path.nlri?.['prefix_len'];
  if (typeof prefix !== 'string' || length !== (prefix.includes(':') ? 128 : 32)) return undefined;
  const value = path.pattrs?.find((attribute) => attribute['@type']?.endsWith('.CommunitiesAttribute'))?.[
    'communities'
  ];
  const pathCommunities = new Set(Array.isArray(value) ? value : []);
  return communities.every((community) => pathCommunities.has(community)) ? addressText(prefix) : undefined;
}
