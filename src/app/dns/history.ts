// The versions of a zone. Each stores only its changes; an earlier state is computed by undoing the later ones.
import type { Static } from 'typebox';
import { dnsUpdate } from '#contract/dns-operations.ts';
import type { ZoneVersion as VersionShape } from '#contract/shapes/dns.ts';
import { ApiError, requireFound } from '#lib/api-error.ts';
import { JsonText, splitJsonLines, type WithJsonText } from '#lib/json-text.ts';
import { mapInSlices } from '#lib/slices.ts';
import { recordList } from '#store/dns/records.ts';
import * as store from '#store/dns/zones.ts';
import { accountFind } from '#store/account/accounts.ts';
import { contactFind } from '#store/account/contacts.ts';
import { keyOrSessionFind } from '#store/account/keys.ts';
import { contentToWire } from '#protocols/dns/rdata.ts';
import { typeNumber } from '#protocols/dns/types.ts';
import type { Context } from '../app.ts';
import { findZoneOrThrow, historyLimits, lockZoneOrThrow, soaAmong } from './change.ts';
import { dataOfWire, recordLine, type RecordData } from './content.ts';
import { visibleSets } from './limits.ts';
import { editsBetween, replaceZone, type Difference } from './replace.ts';

type Shape = Static<typeof VersionShape>;
type Line = Shape['added'][number];
type Author = Shape['author'];

const defaultLimit = 20;
/** A version of a large zone can have several megabytes. */
const maxPageBytes = 1_000_000;

export async function zoneHistoryGet(
  context: Context,
  domain: number,
  page: { readonly limit?: number; readonly before?: number },
): Promise<WithJsonText<Shape>[]> {
  const zone = await findZoneOrThrow(context, domain);
  const sizes = await store.zoneVersionSizes(context.queries, zone.id, { limit: defaultLimit, ...page });
  const versions: WithJsonText<Shape>[] = [];
  let bytes = 0;
  for (const size of sizes) {
    if (versions.length > 0 && (bytes += size.bytes) > maxPageBytes) break;
    const version = await store.zoneVersionFind(context.queries, zone, size.version);
    // Another change may have deleted it since.
    if (version !== undefined)
      versions.push(await visibleVersion(context, zone, version, await authorOf(context, version)));
  }
  return versions;
}

/** Returns the version without the records that the caller's key may not see. */
async function visibleVersion(
  { caller }: Context,
  zone: store.Zone,
  version: store.ZoneVersion,
  author: Author,
): Promise<WithJsonText<Shape>> {
  const shape = versionShape(version, author);
  if (caller.dnsLimits === undefined) return shape;
  const isVisible = visibleSets(caller.dnsLimits, zone.name);
  const visibleLines = async (text: string, { decode }: typeof store.versionAdded): Promise<Line[]> => {
    const lines = await mapInSlices(splitJsonLines(text), decode);
    return lines.flat().filter(({ name, type }) => isVisible({ name, type: typeNumber(type) }));
  };
  return {
    ...shape,
    added: await visibleLines(version.added, store.versionAdded),
    removed: await visibleLines(version.removed, store.versionRemoved),
  };
}

export async function zoneRollBack(context: Context, domain: number, version: number): Promise<Difference> {
  const zone = await lockZoneOrThrow(context, domain);
  const versions = await store.zoneVersionSizes(context.queries, zone.id, { limit: historyLimits.versions });
  const index = versions.findIndex((candidate) => candidate.version === version);
  if (index < 0) throw new ApiError('not_found');
  const records = await recordList(context.queries, zone, 'in a transaction');
  const lines = new Map(
    await mapInSlices(
      records,
      (record) => {
        const line = recordLine(record);
        return [identity(line), line] as const;
      },
      'in a transaction',
    ),
  );
  for (const later of versions.slice(0, index))
    await undoVersion(lines, requireFound(await store.zoneVersionFind(context.queries, zone, later.version)));
  const target = await mapInSlices(lines.values(), dataOfLine, 'in a transaction');
  return replaceZone(context, zone, soaAmong(records), await editsBetween(records, target));
}

async function undoVersion(lines: Map<string, Line>, { added, removed }: store.ZoneVersion): Promise<void> {
  const forEachLine = (text: string, { decode }: typeof store.versionAdded, work: (line: Line) => void) =>
    mapInSlices(splitJsonLines(text), (line) => decode(line).forEach(work), 'in a transaction');
  await forEachLine(added, store.versionAdded, (line) => lines.delete(identity(line)));
  await forEachLine(removed, store.versionRemoved, (line) => lines.set(identity(line), line));
}

/** A zone has one SOA, whose content changes with every serial. */
function identity({ name, type, content }: Line): string {
  return type === 'SOA' ? type : `${type} ${name} ${content}`;
}

function dataOfLine({ name, type, ttl, content }: Line): RecordData {
  const number = typeNumber(type);
  return dataOfWire(name, number, Number(ttl), contentToWire(number, content));
}

/** Finds the present names of people and keys. A key that is limited to certain records sees no others. */
async function authorOf({ queries, caller }: Context, version: store.ZoneVersion): Promise<Author> {
  const { author_kind: kind, author_id: id, author_name } = version;
  if (kind === null || caller.dnsLimits !== undefined) return { kind: 'unknown', name: '' };
  if (kind === 'Staff') return { kind: 'staff', name: author_name ?? '' };
  if (kind === 'Provider') return { kind: 'provider', name: '' };
  if (kind === 'Key') {
    const key = id === null ? undefined : await keyOrSessionFind(queries, caller.account, id);
    return { kind: version.operation === dnsUpdate ? 'tsig' : 'key', name: key?.name ?? '' };
  }
  const person =
    id === null ? await accountFind(queries, caller.account) : await contactFind(queries, caller.account, id);
  return { kind: 'person', name: person === undefined ? '' : `${person.firstname} ${person.lastname}` };
}

function versionShape(version: store.ZoneVersion, author: Author): WithJsonText<Shape> {
  return {
    version: String(version.version),
    serial: String(version.serial),
    timestamp: new Date(version.at).toISOString(),
    operation: version.operation,
    author,
    added: new JsonText(version.added),
    removed: new JsonText(version.removed),
  };
}
