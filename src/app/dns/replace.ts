// Turns a zone into a given state with as few edits as possible: for zone files, earlier versions and records that
// change together.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Static } from 'typebox';
import type { ChangeSetResult, ZoneDifference } from '#contract/shapes/dns.ts';
import type { WithJsonText } from '#lib/json-text.ts';
import { groupInSlices, mapInSlices, type SlicePlace } from '#lib/slices.ts';
import type { DnsRecord } from '#store/dns/records.ts';
import type { Zone } from '#store/dns/zones.ts';
import { setKey } from '#protocols/dns/rrset.ts';
import { isNewerSerial } from '#protocols/dns/zone-rules.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import type { Context } from '../app.ts';
import { changeZone, serialOf, zoneWork, type Edit } from './change.ts';
import type { RecordData } from './content.ts';

export type Difference = WithJsonText<Static<typeof ZoneDifference>>;
/** The difference of one zone of several. */
export type NamedDifference = WithJsonText<Static<typeof ChangeSetResult>[number]>;

export function unchanged(soa: DnsRecord): Difference {
  return { added: [], removed: [], applied: true, serial: String(serialOf(soa)) };
}

/** Returns the edits that turn `current` into `target`. Records of the same name and type are updated in place. */
export async function editsBetween(
  current: readonly DnsRecord[],
  target: readonly RecordData[],
  place: SlicePlace = 'in a transaction',
): Promise<Edit[]> {
  const missing = new Map<string, RecordData>();
  await mapInSlices(target, (record) => void missing.set(identity(record), record), place);
  const edits: Edit[] = [];
  const changed: DnsRecord[] = [];
  await mapInSlices(
    current,
    (before) => {
      const id = identity(before);
      const after = missing.get(id);
      missing.delete(id);
      if (after === undefined) changed.push(before);
      else if (!isSame(before, after)) edits.push({ before, after });
    },
    place,
  );
  const replaceable = await groupInSlices(changed, setKey, place);
  await mapInSlices(
    missing.values(),
    (after) => {
      const before = replaceable.get(setKey(after))?.pop();
      edits.push(before === undefined ? { after } : { before, after });
    },
    place,
  );
  await mapInSlices(
    replaceable.values(),
    (left) => {
      for (const before of left) edits.push({ before });
    },
    place,
  );
  return edits;
}

export async function replaceZone(
  context: Context,
  zone: Zone,
  soa: DnsRecord,
  edits: readonly Edit[],
): Promise<Difference> {
  if (edits.length === 0) return unchanged(soa);
  const { added, removed, ...change } = await changeZone(zoneWork(context), zone, soa, edits);
  const serial = String(change.serial);
  // Recording the version and building the response each take a separate turn.
  await nextTurn();
  context.emit('dns.zone.changed', {
    domain_id: String(zone.id),
    name: zone.name,
    serial,
    added: added.count,
    removed: removed.count,
    changed: edits.filter(({ before, after }) => before !== undefined && after !== undefined).length,
  });
  return { added, removed, applied: true, serial };
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
