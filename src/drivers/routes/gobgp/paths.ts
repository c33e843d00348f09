// Null-routes in GoBGP's words. A path of ours was added here rather than learnt from a neighbour, is for a single
// address, and has all of our communities: what others announce is left alone.
import { addressText } from '#kernel/addresses.ts';
import type { HostRoute } from '../driver.ts';

/** RFC 7999: whoever gets the route drops what is sent to it. */
export const BLACKHOLE = '65535:666';

export interface PathAttributes {
  readonly nextHop: { readonly ipv4: string; readonly ipv6: string };
  readonly communities: readonly number[];
}

/** An attribute that our part of the API does not have has no name here. */
interface Typed {
  readonly '@type'?: string;
  readonly [field: string]: unknown;
}
export interface Path {
  readonly nlri?: Typed;
  readonly pattrs?: readonly Typed[];
  readonly family?: object;
  readonly is_withdraw?: true;
  /** Of whom it was learnt; no address where it was added here. */
  readonly neighbor_ip?: string;
}

export const families = {
  ipv4: { afi: 'AFI_IP', safi: 'SAFI_UNICAST' },
  ipv6: { afi: 'AFI_IP6', safi: 'SAFI_UNICAST' },
} as const;

const typed = (name: string, fields: object): Typed => ({ '@type': `type.googleapis.com/apipb.${name}`, ...fields });

export function communityNumber(text: string): number {
  const [high = '', low = ''] = text.split(':');
  return Number(high) * 65_536 + Number(low);
}

export function pathOf({ address, family, prefixLength }: HostRoute, attributes: PathAttributes): Path {
  const nlri = typed('IPAddressPrefix', { prefix: address, prefix_len: prefixLength });
  const nextHop = attributes.nextHop[family];
  const way =
    family === 'ipv4'
      ? typed('NextHopAttribute', { next_hop: nextHop })
      : typed('MpReachNLRIAttribute', { family: families.ipv6, next_hops: [nextHop], nlris: [nlri] });
  return {
    family: families[family],
    nlri,
    pattrs: [
      typed('OriginAttribute', { origin: 0 }),
      way,
      typed('CommunitiesAttribute', { communities: attributes.communities }),
    ],
  };
}

/** The address that a path of ours null-routes; undefined for what is not ours. */
export function ourAddress(path: Path, { communities }: Pick<PathAttributes, 'communities'>): string | undefined {
  if (addressText(path.neighbor_ip ?? '') !== undefined) return undefined;
  const prefix = path.nlri?.['prefix'];
  const length = path.nlri?.['prefix_len'];
  if (typeof prefix !== 'string' || length !== (prefix.includes(':') ? 128 : 32)) return undefined;
  const carried = path.pattrs?.find((each) => each['@type']?.endsWith('.CommunitiesAttribute'))?.['communities'];
  const has = new Set(Array.isArray(carried) ? carried : []);
  return communities.every((community) => has.has(community)) ? addressText(prefix) : undefined;
}
