// Zone transfer (RFC 5936): all sets of a zone between two copies of its SOA, in messages of a size that name compression
// still reaches. An incremental request (RFC 1995) is answered in full, or with the SOA alone where the asker is up to date.
import { wireLength } from '#wire/dns/name.ts';
import { Reader } from '#wire/dns/reader.ts';
import type { Rrset } from '#wire/dns/rrset.ts';
import { serialIsNewer } from '#wire/dns/serial.ts';
import { TYPE } from '#wire/dns/types.ts';
import type { Zone, ZoneSource } from './source.ts';

const MESSAGE_BYTES = 16_000;
const RECORD_OVERHEAD_BYTES = 10;

/** The records of each message; undefined where the zone is broken. */
export async function transferOf(
  zone: Zone,
  source: ZoneSource,
  since?: number,
): Promise<Iterable<Rrset[]> | undefined> {
  const rrsets = await source.wholeZone(zone);
  const soa = rrsets.find((rrset) => rrset.type === TYPE.SOA && rrset.name === zone.name);
  if (!soa) return undefined;
  if (since !== undefined && !serialIsNewer(serialOf(soa), since)) return [[soa]];
  return inMessages([soa, ...rrsets.filter((rrset) => rrset !== soa), soa]);
}

export function serialOf(soa: Rrset): number {
  const rdata = soa.rdata[0]!;
  return new Reader(rdata, rdata.length - 20).u32();
}

function* inMessages(rrsets: readonly Rrset[]): Generator<Rrset[]> {
  let records: Rrset[] = [];
  let bytes = 0;
  for (const { name, type, ttl, rdata } of rrsets) {
    for (const data of rdata) {
      const recordBytes = wireLength(name) + RECORD_OVERHEAD_BYTES + data.length;
      if (bytes + recordBytes > MESSAGE_BYTES && records.length > 0) {
        yield records;
        records = [];
        bytes = 0;
      }
      records.push({ name, type, ttl, rdata: [data] });
      bytes += recordBytes;
    }
  }
  yield records;
}
