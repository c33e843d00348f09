// Fills the name server's image of the zones from the database, and applies changes to it. Everything that belongs to one
// state of the database is read before any of it is applied, so that answers never mix two states.
import type { ZoneImage } from '#drivers/dns/builtin/image/image.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SecretBox } from '#lib/secrets.ts';
import type { Reader } from '#store/engine/reader.ts';
import { pathOf } from '#store/dns/path.ts';
import * as store from '#store/dns/zone-source.ts';
import type { ZoneChange } from '#store/dns/zone-changes.ts';
import { readSigning } from './signing-source.ts';

/** With more changed names, reading the whole zone is cheaper. */
const maxNamesAtOnce = 1000;

export interface LoadedZones {
  readonly image: ZoneImage;
  /** Opens the keys of signed zones. */
  readonly secrets: SecretBox;
  /** The serial of the catalog. */
  zonesSerial: number;
}

export async function loadZones(reader: Reader, zones: LoadedZones): Promise<void> {
  const { image } = zones;
  zones.zonesSerial = await store.sourceZonesSerial(reader);
  for (const { id, name } of await store.sourceZones(reader)) image.publish(image.createZone(id, name));
  for await (const page of store.sourceRecords(reader))
    for (const { zone_id, name, type, ttl, hex } of page)
      image.addRecord(image.zone(zone_id)!, { name, type, ttl, rdata: bytesOfHex(hex) });
  for (const record of await store.sourceAliasAddresses(reader)) image.addRecord(image.zone(record.zone_id)!, record);
  for (const [id, signing] of await readSigning(reader, zones.secrets, 'all')) image.zone(id)!.signing = signing;
}

/** Reads every zone again, one after the other, while queries are answered. */
export async function reloadZones(reader: Reader, zones: LoadedZones): Promise<void> {
  zones.zonesSerial = await store.sourceZonesSerial(reader);
  const existing = await store.sourceZones(reader);
  const ids = new Set(existing.map(({ id }) => id));
  const removed = Array.from(zones.image.zones(), ({ id }) => id).filter((id) => !ids.has(id));
  for (const id of [...removed, ...ids]) {
    (await reader.readSnapshot((snapshot) => readChange(snapshot, zones, id, 'all')))();
    await nextTurn();
  }
}

/** Reads what the changes are about, all at once, and returns a function that applies it. */
export async function readChanges(
  reader: Reader,
  zones: LoadedZones,
  changes: readonly Pick<ZoneChange, 'zone_id' | 'path'>[],
): Promise<() => void> {
  const pathsByZone = new Map<number, Set<string> | 'all'>();
  for (const { zone_id, path } of changes) {
    const paths = pathsByZone.get(zone_id) ?? new Set();
    if (paths === 'all') continue;
    if (path !== null) paths.add(path);
    pathsByZone.set(zone_id, path === null || paths.size > maxNamesAtOnce ? 'all' : paths);
  }
  const applications: (() => void)[] = [];
  if (changes.some(({ path }) => path === null)) {
    const zonesSerial = await store.sourceZonesSerial(reader);
    applications.push(() => void (zones.zonesSerial = zonesSerial));
  }
  for (const [id, paths] of pathsByZone)
    applications.push(await readChange(reader, zones, id, paths === 'all' ? paths : [...paths]));
  return () => applications.forEach((apply) => apply());
}

async function readChange(
  reader: Reader,
  { image, secrets }: LoadedZones,
  id: number,
  paths: readonly string[] | 'all',
): Promise<() => void> {
  if (paths === 'all' || image.zone(id) === undefined) {
    const zone = await store.sourceZone(reader, id);
    if (zone === undefined) {
      return () => {
        const removed = image.zone(id);
        if (removed !== undefined) image.removeZone(removed);
      };
    }
    const records = await store.sourceRecordsOf(reader, id, 'all');
    const signing = (await readSigning(reader, secrets, id)).get(id);
    return () => {
      const created = image.createZone(id, zone.name);
      created.signing = signing;
      for (const record of records) image.addRecord(created, record);
      image.publish(created);
    };
  }
  const records = await store.sourceRecordsOf(reader, id, paths);
  const byName = Map.groupBy(records, ({ name }) => name);
  return () => {
    for (const name of paths.map(pathOf)) image.replaceName(image.zone(id)!, name, byName.get(name) ?? []);
  };
}

const maxRdataBytes = 0xffff;
const hexBytes = new Uint8Array(maxRdataBytes);

/** The bytes are only valid until the next call: millions of records pass through here, one after the other. */
function bytesOfHex(hex: string): Uint8Array {
  const length = hex.length / 2;
  for (let index = 0; index < length; index++)
    hexBytes[index] = (digitOf(hex.charCodeAt(index * 2)) << 4) | digitOf(hex.charCodeAt(index * 2 + 1));
  return hexBytes.subarray(0, length);
}

/** Of a digit in either case. */
function digitOf(code: number): number {
  return code <= 0x39 ? code - 0x30 : (code | 0x20) - 0x57;
}
