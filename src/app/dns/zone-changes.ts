// The difference between two versions of a zone, for incremental transfers (RFC 1995): all versions in between as one.
import type { ZoneChanges, Zone } from '#drivers/dns/builtin/source.ts';
import { serialOf } from '#drivers/dns/builtin/transfer.ts';
import type { Reader } from '#store/engine/reader.ts';
import * as store from '#store/dns/signed-requests.ts';
import { contentToWire } from '#protocols/dns/rdata.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';
import { rrTypes, typeNumber } from '#protocols/dns/types.ts';
import type { RecordLine } from './content.ts';

/** Larger differences are sent as the whole zone, which is read at once and needs no parsing. */
const maxBytes = 500_000;

/** Returns undefined if the earlier version is not kept, or the difference is large. `soa` is the current one. */
export async function readZoneChanges(
  reader: Reader,
  zone: Zone,
  since: number,
  soa: Rrset,
): Promise<ZoneChanges | undefined> {
  const id = Number(zone.id);
  const versions = await store.sourceVersions(reader, id);
  const current = versions.findIndex(({ serial }) => serial === serialOf(soa));
  const former = versions.findIndex(({ serial }) => serial === since);
  const between = current < 0 ? [] : versions.slice(current, Math.max(former, 0));
  const bytes = between.reduce((sum, version) => sum + version.bytes, 0);
  if (between.length === 0 || bytes > maxBytes || (await store.sourceIsComputed(reader, id, rrTypes.ALIAS)))
    return undefined;
  const range = { after: versions[former]!.version, upTo: versions[current]!.version };
  // Signatures or resolved addresses changed in between, which raises the serial without a version.
  if (range.upTo - range.after > between.length) return undefined;
  const lines = await store.sourceVersionLines(reader, id, range);
  // Deleted since the first query.
  if (lines.length < between.length) return undefined;
  // The addresses that were served instead are in no version.
  if (lines.some(({ added, removed }) => `${added}${removed}`.includes('"type":"ALIAS"'))) return undefined;
  return mergeLines(lines, since, soa);
}

function mergeLines(versions: readonly store.SourceLines[], since: number, soa: Rrset): ZoneChanges {
  const removed = new Map<string, RecordLine>();
  const added = new Map<string, RecordLine>();
  let formerSoa: Rrset | undefined;
  for (const version of versions) {
    for (const line of parseLines(version.removed)) {
      if (line.type === 'SOA') formerSoa ??= rrsetOf(line);
      else if (!added.delete(keyOf(line))) removed.set(keyOf(line), line);
    }
    for (const line of parseLines(version.added))
      if (line.type !== 'SOA' && !removed.delete(keyOf(line))) added.set(keyOf(line), line);
  }
  return {
    formerSoa: withSerial(formerSoa ?? soa, since),
    removed: [...removed.values()].map(rrsetOf),
    added: [...added.values()].map(rrsetOf),
  };
}

function parseLines(text: string): RecordLine[] {
  return JSON.parse(text) as RecordLine[];
}

function keyOf({ name, type, ttl, content }: RecordLine): string {
  return `${type} ${name} ${ttl} ${content}`;
}

function rrsetOf({ name, type, ttl, content }: RecordLine): Rrset {
  const number = typeNumber(type);
  return { name, type: number, ttl: Number(ttl), rdata: [contentToWire(number, content)] };
}

function withSerial(soa: Rrset, serial: number): Rrset {
  const rdata = Buffer.from(soa.rdata[0]!);
  rdata.writeUInt32BE(serial, rdata.length - 20);
  return { ...soa, rdata: [rdata] };
}
