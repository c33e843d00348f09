// The versions of a zone. Each holds only what it changed; an earlier state is worked out by taking the later ones back.
import type { Static } from 'typebox';
import type { ZoneVersion as VersionShape } from '#contract/shapes/dns.ts';
import { Fault } from '#kernel/fault.ts';
import { recordList } from '#store/dns/records.ts';
import { zoneVersionList, type ZoneVersion } from '#store/dns/zones.ts';
import { contentToWire } from '#wire/dns/rdata.ts';
import { typeNumber } from '#wire/dns/types.ts';
import { foundZone, lockedZone } from './change.ts';
import { dataOfWire, recordLine, type RecordData } from './content.ts';
import { editsBetween, replaceZone, soaAmong, type Difference } from './replace.ts';
import type { Context } from '../yard.ts';

type Shape = Static<typeof VersionShape>;
type Line = Shape['added'][number];

const defaultLimit = 20;

export async function zoneHistoryGet(
  context: Context,
  domain: number,
  page: { readonly limit?: number; readonly before?: number },
): Promise<Shape[]> {
  const zone = await foundZone(context, domain);
  const versions = await zoneVersionList(context.queries, zone, { limit: defaultLimit, ...page });
  return versions.map(shown);
}

export async function zoneRollBack(context: Context, domain: number, version: number): Promise<Difference> {
  const zone = await lockedZone(context, domain);
  const versions = await zoneVersionList(context.queries, zone, {});
  const place = versions.findIndex((candidate) => candidate.version === version);
  if (place < 0) throw new Fault('not_found');
  const present = await recordList(context.queries, zone);
  const lines = new Map(present.map((record) => recordLine(record)).map((line) => [identity(line), line]));
  for (const later of versions.slice(0, place)) takeBack(lines, shown(later));
  return replaceZone(context, zone, soaAmong(present), editsBetween(present, [...lines.values()].map(dataOfLine)));
}

function takeBack(lines: Map<string, Line>, { added, removed }: Shape): void {
  for (const line of added) lines.delete(identity(line));
  for (const line of removed) lines.set(identity(line), line);
}

/** A zone has one SOA, whose content moves with every serial. */
function identity({ name, type, content }: Line): string {
  return type === 'SOA' ? type : `${type} ${name} ${content}`;
}

function dataOfLine({ name, type, ttl, content }: Line): RecordData {
  const number = typeNumber(type);
  return dataOfWire(name, number, Number(ttl), contentToWire(number, content));
}

function shown(version: ZoneVersion): Shape {
  return {
    version: String(version.version),
    serial: String(version.serial),
    timestamp: new Date(version.at).toISOString(),
    operation: version.operation,
    added: JSON.parse(version.added) as Line[],
    removed: JSON.parse(version.removed) as Line[],
  };
}
