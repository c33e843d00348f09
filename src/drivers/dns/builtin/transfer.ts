// Zone transfers (RFC 5936): all RRsets of a zone between two copies of its SOA, in messages small enough for name
// compression. An incremental request (RFC 1995) gets the differences since its version if they are known, or only the
// SOA if it is up to date.
import { wireLength } from '#protocols/dns/name.ts';
import { Reader } from '#protocols/dns/reader.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';
import { isNewerSerial } from '#protocols/dns/zone-rules.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import type { SignedZones } from './sign-zones.ts';
import type { Zone, ZoneSource } from './source.ts';

const maxMessageBytes = 16_000;
const recordOverheadBytes = 10;

export type TransferMessages = Iterable<Rrset[]> | AsyncIterable<Rrset[]>;

/** Returns the records of each message, or undefined if the zone has no SOA. */
export async function transferMessages(
  zone: Zone,
  source: ZoneSource,
  since?: number,
  signedZones?: SignedZones,
): Promise<TransferMessages | undefined> {
  const signing = signedZones && (await source.signing?.(zone));
  if (since !== undefined) {
    const apex = (await source.nodesAt(zone, [zone.name])).get(zone.name);
    const soa = apex?.find((rrset) => rrset.type === rrTypes.SOA);
    if (!soa) return undefined;
    if (!isNewerSerial(serialOf(soa), since)) return [[soa]];
    // Of a signed zone, signatures change too, so it is transferred as a whole.
    const changes = signing ? undefined : await source.changesSince?.(zone, since, soa);
    if (changes) {
      const { formerSoa, removed, added } = changes;
      return splitIntoMessages([soa, formerSoa, ...removed, soa, ...added, soa]);
    }
  }
  if (signing) return splitSigned(signedZones.transfer(zone));
  const rrsets = await source.wholeZone(zone);
  const soa = rrsets.find((rrset) => rrset.type === rrTypes.SOA && rrset.name === zone.name);
  return soa && splitIntoMessages([soa, ...rrsets.filter((rrset) => rrset !== soa), soa]);
}

export function serialOf(soa: Rrset): number {
  const rdata = soa.rdata[0]!;
  return new Reader(rdata, rdata.length - 20).u32();
}

function* splitIntoMessages(rrsets: readonly Rrset[]): Generator<Rrset[]> {
  const batch = new Batch();
  for (const rrset of rrsets) yield* batch.add(rrset);
  yield batch.records;
}

async function* splitSigned(rrsets: AsyncIterable<Rrset>): AsyncGenerator<Rrset[]> {
  const batch = new Batch();
  for await (const rrset of rrsets) yield* batch.add(rrset);
  yield batch.records;
}

/** Collects the records of a message. */
class Batch {
  records: Rrset[] = [];
  #bytes = 0;

  /** Yields the records of each message that is complete without this set. */
  *add({ name, type, ttl, rdata }: Rrset): Generator<Rrset[]> {
    for (const data of rdata) {
      const recordBytes = wireLength(name) + recordOverheadBytes + data.length;
      if (this.#bytes + recordBytes > maxMessageBytes && this.records.length > 0) {
        yield this.records;
        this.records = [];
        this.#bytes = 0;
      }
      this.records.push({ name, type, ttl, rdata: [data] });
      this.#bytes += recordBytes;
    }
  }
}
