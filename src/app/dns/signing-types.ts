// The record types that belong to the name server if it signs the zone.
import { rrTypes } from '#protocols/dns/types.ts';

export const signingTypes: ReadonlySet<number> = new Set([
  rrTypes.DNSKEY,
  rrTypes.CDS,
  rrTypes.CDNSKEY,
  rrTypes.RRSIG,
  rrTypes.NSEC,
  rrTypes.NSEC3,
  rrTypes.NSEC3PARAM,
]);
