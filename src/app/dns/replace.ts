// Making a whole zone what it shall be, by as few edits as that takes: for zone files, earlier versions and
// records that go together.
import type { Static } from 'typebox';
import type { ZoneDifference } from '#contract/shapes/dns.ts';
import type { DnsRecord } from '#store/dns/records.ts';
import type { Zone } from '#store/dns/zones.ts';
import { serialIsNewer } from '#wire/dns/serial.ts';
import { TYPE } from '#wire/dns/types.ts';
import { changeZone, checkSetSize, serialOf, zoneWork, type Edit } from './change.ts';
import { recordLine, type RecordData } from './content.ts';
import type { Context } from '../yard.ts';

export type Difference = Static<typeof ZoneDifference>;

/** The zone's SOA among its records. */
export function soaAmong(records: readonly DnsRecord[]): DnsRecord {
  const soa = records.find((record) => record.type === TYPE.SOA);
  if (soa === undefined) throw new Error('the zone has no SOA');
  return soa;
}

/** What must be done for `present` to become `wanted`. */
export function editsBetween(present: readonly DnsRecord[], wanted: readonly RecordData[]): Edit[] {
  const missing = new Map(wanted.map((record) => [identity(record), record]));
  const edits: Edit[] = [];
  for (const before of present) {
    const after = missing.get(identity(before));
    missing.delete(identity(before));
    if (after === undefined) edits.push({ before });
    else if (!isSame(before, after)) edits.push({ before, after });
  }
  return [...edits, ...[...missing.values()].map((after) => ({ after }))];
}

export function checkSets(wanted: readonly RecordData[]): void {
  for (const set of Map.groupBy(wanted, ({ name, type }) => `${type} ${name}`).values()) checkSetSize(set);
}

export function differenceOf(edits: readonly Edit[], applied: boolean, serial: number): Difference {
  const added = edits.flatMap(({ after }) => (after ? [recordLine(after)] : []));
  const removed = edits.flatMap(({ before }) => (before ? [recordLine(before)] : []));
  return { added, removed, applied, serial: String(serial) };
}

export async function replaceZone(
  context: Context,
  zone: Zone,
  soa: DnsRecord,
  edits: readonly Edit[],
): Promise<Difference> {
  if (edits.length === 0) return differenceOf(edits, true, serialOf(soa));
  const { serial } = await changeZone(zoneWork(context), zone, soa, edits);
  const difference = differenceOf(edits, true, serial);
  context.tell('dns.zone.changed', {
    domain_id: String(zone.id),
    name: zone.name,
    serial: difference.serial,
    added: difference.added.length,
    removed: difference.removed.length,
  });
  return difference;
}

/** A zone has one SOA, whatever stands in it. */
function identity({ name, type, rdata }: Pick<RecordData, 'name' | 'type' | 'rdata'>): string {
  return type === TYPE.SOA ? 'SOA' : `${type} ${name} ${rdata.toString('latin1')}`;
}

/** An SOA that differs only by a serial that is not ahead asks for nothing. */
function isSame(before: DnsRecord, after: RecordData): boolean {
  if (before.ttl !== after.ttl) return false;
  if (before.type !== TYPE.SOA) return true;
  if (serialIsNewer(serialOf(after), serialOf(before))) return false;
  const rest = ({ rdata }: Pick<RecordData, 'rdata'>): string =>
    rdata.toString('latin1', 0, rdata.length - 20) + rdata.toString('latin1', rdata.length - 16);
  return rest(before) === rest(after);
}
