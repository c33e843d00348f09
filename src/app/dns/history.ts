// The versions of a zone. Each stores only its changes; an earlier state is computed by undoing the later ones.
import type { Static } from 'typebox';
import type { ZoneVersion as VersionShape } from '#contract/shapes/dns.ts';
import { ApiError } from '#lib/api-error.ts';
import { recordList } from '#store/dns/records.ts';
import { zoneVersionList, type ZoneVersion, versionAdded, versionRemoved } from '#store/dns/zones.ts';
import { contentToWire } from '#protocols/dns/rdata.ts';
import { typeNumber } from '#protocols/dns/types.ts';
import type { Context } from '../app.ts';
import { findZoneOrThrow, lockZoneOrThrow, soaAmong } from './change.ts';
import { dataOfWire, recordLine, type RecordData } from './content.ts';
import { editsBetween, replaceZone, type Difference } from './replace.ts';

type Shape = Static<typeof VersionShape>;
type Line = Shape['added'][number];

const defaultLimit = 20;

export async function zoneHistoryGet(
  context: Context,
  domain: number,
  page: { readonly limit?: number; readonly before?: number },
): Promise<Shape[]> {
  const zone = await findZoneOrThrow(context, domain);
  const versions = await zoneVersionList(context.queries, zone, { limit: defaultLimit, ...page });
  return versions.map(versionShape);
}

export async function zoneRollBack(context: Context, domain: number, version: number): Promise<Difference> {
  const zone = await lockZoneOrThrow(context, domain);
  const versions = await zoneVersionList(context.queries, zone, {});
  const index = versions.findIndex((candidate) => candidate.version === version);
  if (index < 0) throw new ApiError('not_found');
  const records = await recordList(context.queries, zone);
  const lines = new Map(records.map(recordLine).map((line) => [identity(line), line]));
  for (const later of versions.slice(0, index)) undoVersion(lines, versionShape(later));
  return replaceZone(context, zone, soaAmong(records), editsBetween(records, [...lines.values()].map(dataOfLine)));
}

function undoVersion(lines: Map<string, Line>, { added, removed }: Shape): void {
  for (const line of added) lines.delete(identity(line));
  for (const line of removed) lines.set(identity(line), line);
}

/** A zone has one SOA, whose content changes with every serial. */
function identity({ name, type, content }: Line): string {
  return type === 'SOA' ? type : `${type} ${name} ${content}`;
}

function dataOfLine({ name, type, ttl, content }: Line): RecordData {
  const number = typeNumber(type);
  return dataOfWire(name, number, Number(ttl), contentToWire(number, content));
}

function versionShape(version: ZoneVersion): Shape {
  return {
    version: String(version.version),
    serial: String(version.serial),
    timestamp: new Date(version.at).toISOString(),
    operation: version.operation,
    added: versionAdded.decode(version.added),
    removed: versionRemoved.decode(version.removed),
  };
}
