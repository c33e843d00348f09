// Zone transfer (RFC 5936): all RRsets of a zone between two copies of its SOA, in messages small enough for name
// compression. Incremental requests (RFC 1995) get a full transfer, or only the SOA if they are up to date.
import { wireLength } from '#protocols/dns/name.ts';
import { Reader } from '#protocols/dns/reader.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';
import { isNewerSerial } from '#protocols/dns/zone-rules.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import type { Zone, ZoneSource } from './source.ts';

const maxMessageBytes = 16_000;
const recordOverheadBytes = 10;

/** Returns the records of each message, or undefined if the zone has no SOA. */
export async function transferMessages(
  zone: Zone,
  source: ZoneSource,
  since?: number,
): Promise<Iterable<Rrset[]> | undefined> {
  const rrsets = await source.wholeZone(zone);
  const soa = rrsets.find((rrset) => rrset.type === rrTypes.SOA && rrset.name === zone.name);
  if (!soa) return undefined;
  if (since !== undefined && !isNewerSerial(serialOf(soa), since)) return [[soa]];
  return splitIntoMessages([soa, ...rrsets.filter((rrset) => rrset !== soa), soa]);
}

export function serialOf(soa: Rrset): number {
  const rdata = soa.rdata[0]!;
  return new Reader(rdata, rdata.length - 20).u32();
}

function* splitIntoMessages(rrsets: readonly Rrset[]): Generator<Rrset[]> {
  let records: Rrset[] = [];
  let bytes = 0;
  for (const { name, type, ttl, rdata } of rrsets) {
    for (const data of rdata) {
      const recordBytes = wireLength(name) + recordOverheadBytes + data.length;
      if (bytes + recordBytes > maxMessageBytes && records.length > 0) {
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
