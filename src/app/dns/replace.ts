// Turns a zone into a given state with as few edits as possible: for zone files, earlier versions and records that
// change together.
import type { Static } from 'typebox';
import type { ZoneDifference } from '#contract/shapes/dns.ts';
import type { DnsRecord } from '#store/dns/records.ts';
import type { Zone } from '#store/dns/zones.ts';
import { isNewerSerial } from '#protocols/dns/zone-rules.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import type { Context } from '../app.ts';
import { changeZone, checkSetSize, linesOf, serialOf, zoneWork, type Edit } from './change.ts';
import type { RecordData } from './content.ts';

export type Difference = Static<typeof ZoneDifference>;

/** Returns the edits that turn `current` into `target`. */
export function editsBetween(current: readonly DnsRecord[], target: readonly RecordData[]): Edit[] {
  const missing = new Map(target.map((record) => [identity(record), record]));
  const edits: Edit[] = [];
  for (const before of current) {
    const after = missing.get(identity(before));
    missing.delete(identity(before));
    if (after === undefined) edits.push({ before });
    else if (!isSame(before, after)) edits.push({ before, after });
  }
  return [...edits, ...[...missing.values()].map((after) => ({ after }))];
}

export function checkSets(target: readonly RecordData[]): void {
  for (const set of Map.groupBy(target, ({ name, type }) => `${type} ${name}`).values()) checkSetSize(set);
}

export function differenceOf(edits: readonly Edit[], applied: boolean, serial: number): Difference {
  return { ...linesOf(edits), applied, serial: String(serial) };
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
  context.emit('dns.zone.changed', {
    domain_id: String(zone.id),
    name: zone.name,
    serial: difference.serial,
    added: difference.added.length,
    removed: difference.removed.length,
  });
  return difference;
}

/** A zone has one SOA, whatever its content. */
function identity({ name, type, rdata }: Pick<RecordData, 'name' | 'type' | 'rdata'>): string {
  return type === rrTypes.SOA ? 'SOA' : `${type} ${name} ${rdata.toString('latin1')}`;
}

/** An SOA that differs only by a serial that is not ahead changes nothing. */
function isSame(before: DnsRecord, after: RecordData): boolean {
  if (before.ttl !== after.ttl) return false;
  if (before.type !== rrTypes.SOA) return true;
  if (isNewerSerial(serialOf(after), serialOf(before))) return false;
  const withoutSerial = ({ rdata }: Pick<RecordData, 'rdata'>): string =>
    rdata.toString('latin1', 0, rdata.length - 20) + rdata.toString('latin1', rdata.length - 16);
  return withoutSerial(before) === withoutSerial(after);
}
