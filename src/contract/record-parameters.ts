// Parameters of DNS records: zone files and TTLs.
import { Type } from 'typebox';
import { Text, Whole } from './parameters.ts';

/** The records of a zone file, checked, with content as text and in wire format. */
export interface ParsedZoneFile<Comparison = unknown> {
  readonly records: readonly {
    readonly name: string;
    readonly type: number;
    readonly ttl: number;
    readonly content: string;
    readonly rdata: Buffer;
    /** For a reverse record: the address in sortable form. */
    readonly address: string | null;
  }[];
  /** How the file differs from the zone. */
  readonly comparison: Comparison;
}
/** The zone file of `domain`. It is parsed and compared before the transaction starts, because a large one takes long. */
export const ZoneFile = Type.Unsafe<ParsedZoneFile>({ ...Text({ max: 1_000_000 }), 'x-parsed': true });
/** Of a record, however it is written. */
export const maxTtlSeconds = 604_800;
export const TimeToLive = Whole(0, maxTtlSeconds);
