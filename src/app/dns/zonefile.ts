// Export and import of whole zones as BIND zone files. The file's serial is used if it is ahead of the zone's; an older
// file is accepted too, under a new serial, because restoring an old file is a common reason to import.
import type { ParsedZoneFile } from '#contract/record-parameters.ts';
import { ApiError, invalid, requireFound } from '#lib/api-error.ts';
import { groupInSlices, mapInSlices, type SlicePlace } from '#lib/slices.ts';
import { recordList, recordsByName, type DnsRecord } from '#store/dns/records.ts';
import { withdrawnRecords, withdrawnZoneFind } from '#store/dns/withdrawn-zones.ts';
import { signedZoneFind } from '#store/dns/zone-keys.ts';
import type { Zone } from '#store/dns/zones.ts';
import { collectEntries, parseMasterEntries } from '#protocols/dns/masterfile-parse.ts';
import { printMasterLines, printOrigin, type PrintedRecord } from '#protocols/dns/masterfile-print.ts';
import { isComputedType } from '#protocols/dns/rdata.ts';
import { addToSets, type Rrset, type SetsByKey } from '#protocols/dns/rrset.ts';
import { rrTypes, typeName } from '#protocols/dns/types.ts';
import { checkZone, type ZoneProblem } from '#protocols/dns/zone-rules.ts';
import type { App, Context } from '../app.ts';
import type { Caller } from '../caller.ts';
import {
  checkSetSize,
  findZone,
  linesOf,
  lockZoneOrThrow,
  serialOf,
  soaAmong,
  zoneLimits,
  type Edit,
} from './change.ts';
import { dataOfWire, defaultTtlSeconds, ttlProblem, type RecordData } from './content.ts';
import { isZoneVisible, requireEditable, visibleSets, type DnsLimits } from './limits.ts';
import { editsBetween, replaceZone, type Difference } from './replace.ts';
import { signingTypes } from './signing-types.ts';
import { readUnlocked } from './unlocked-read.ts';

/** Pages of records in the order of their names. */
type PageSource = AsyncIterable<readonly PrintedRecord[]> | Iterable<readonly PrintedRecord[]>;

const maxShownProblems = 20;

export async function zoneFileGet(context: Context, domain: number): Promise<string> {
  const { queries, caller } = context;
  const current = await readUnlocked(context, domain, (zone) =>
    printZone(zone.name, recordsByName(queries, zone), caller.dnsLimits),
  );
  if (current !== undefined) return current.content;
  // A zone that was taken from the account can still be exported.
  const copy = requireFound(await withdrawnZoneFind(queries, caller.account, domain));
  if (!isZoneVisible(caller.dnsLimits, copy.name)) throw new ApiError('not_found');
  return printZone(copy.name, [await withdrawnRecords(queries, copy)], caller.dnsLimits);
}

async function printZone(zone: string, pages: PageSource, limits: DnsLimits): Promise<string> {
  const texts = [printOrigin(zone)];
  const isVisible = visibleSets(limits, zone);
  for await (const page of pages) texts.push(printMasterLines(zone, page.filter(isVisible)));
  return texts.join('');
}

/** How a file differs from the zone at this revision. */
interface Comparison {
  readonly revision: number;
  readonly soa: DnsRecord;
  readonly edits: readonly Edit[];
}

/** Runs before the transaction of the import, which on SQLite would keep all other changes waiting. */
export async function parseZoneFile(
  app: App,
  caller: Caller,
  domain: number,
  text: string,
): Promise<ParsedZoneFile<Comparison>> {
  const call = { app, caller, queries: app.store.queries };
  const { id, name } = requireFound(await findZone(call, domain));
  const isSigned = (await signedZoneFind(call.queries, { id })) !== undefined;
  const sets = await setsOfFile(name, text, isSigned ? signingTypes : new Set());
  const hasSoa = sets.some(({ type }) => type === rrTypes.SOA);
  // Without one, the file keeps the zone's own.
  const checkedSets = hasSoa ? sets : [...sets, { name, type: rrTypes.SOA, ttl: 0, rdata: [] }];
  const setsAt = await groupInSlices(checkedSets, ({ name: owner }) => owner);
  const problems: ZoneProblem[] = [];
  await mapInSlices(checkZone(name, setsAt), (found) => void problems.push(...found));
  rejectProblems(problems.map(({ name: owner, type, reason }) => `${owner} ${typeName(type)}: ${reason}`));
  const records: RecordData[] = [];
  await mapInSlices(sets, (set) => {
    const ofSet = set.rdata.map((data) => dataOfWire(set.name, set.type, set.ttl, data));
    checkSetSize(ofSet);
    records.push(...ofSet);
  });
  const { zone, content: current } = requireFound(
    await readUnlocked(call, domain, (found) => recordList(call.queries, found, 'outside a transaction')),
  );
  const comparison = await compareZone(zone, current, records, 'outside a transaction');
  requireEditable(caller.dnsLimits, name, comparison.edits);
  return { records, comparison };
}

async function compareZone(
  { revision }: Zone,
  current: readonly DnsRecord[],
  records: ParsedZoneFile['records'],
  place: SlicePlace,
): Promise<Comparison> {
  const soa = soaAmong(current);
  const hasSoa = records.some(({ type }) => type === rrTypes.SOA);
  return { revision, soa, edits: await editsBetween(current, hasSoa ? records : [...records, soa], place) };
}

export interface ImportOptions {
  /** Computes the changes without applying them. */
  readonly how: 'apply' | 'dry_run';
  /** The zone's serial when the caller looked at it, so that later changes are not overwritten unseen. */
  readonly serial?: number | undefined;
}
export async function zoneFileImport(
  context: Context,
  domain: number,
  file: ParsedZoneFile,
  { how, serial }: ImportOptions,
): Promise<Difference> {
  // `parseZoneFile` made it.
  const comparison = file.comparison as Comparison;
  if (how === 'dry_run') {
    checkSerial(comparison, serial);
    const { soa, edits } = comparison;
    return { ...(await linesOf(edits)), applied: false, serial: String(serialOf(soa)) };
  }
  const zone = await lockZoneOrThrow(context, domain);
  const { soa, edits } = await compareAgain(context, zone, file, comparison);
  checkSerial({ soa }, serial);
  return replaceZone(context, zone, soa, edits);
}

/** Compares once more if the zone has changed since. Locking it has raised its revision by one. */
async function compareAgain(
  { queries }: Context,
  zone: Zone,
  { records }: ParsedZoneFile,
  comparison: Comparison,
): Promise<Comparison> {
  if (comparison.revision === zone.revision - 1) return comparison;
  return compareZone(zone, await recordList(queries, zone, 'in a transaction'), records, 'in a transaction');
}

function checkSerial({ soa }: Pick<Comparison, 'soa'>, expected: number | undefined): void {
  if (expected === undefined || expected === serialOf(soa)) return;
  throw new ApiError('state_conflict', {
    message: 'The zone has changed since you previewed the import. Preview it again.',
    fields: { serial: `is now ${serialOf(soa)}` },
  });
}

async function setsOfFile(zone: string, text: string, signingTypesOfZone: ReadonlySet<number>): Promise<Rrset[]> {
  const entries = parseMasterEntries(text, { zone, defaultTtl: defaultTtlSeconds });
  const { records, problems } = collectEntries(await mapInSlices(entries, (entry) => entry));
  rejectProblems(problems.map(({ line, column, reason }) => `line ${line}, column ${column}: ${reason}`));
  if (records.length > zoneLimits.records)
    throw invalid({ zonefile: `has ${records.length} records; a zone can have at most ${zoneLimits.records}` });
  const computed = records.find(({ type }) => isComputedType(type) || signingTypesOfZone.has(type));
  if (computed !== undefined)
    throw new ApiError('computed_record', {
      message: `Line ${computed.line}: the name server generates records of type ${typeName(computed.type)}. Remove them from the file.`,
      fields: { zonefile: `line ${computed.line}: ${typeName(computed.type)} is generated by the name server` },
    });
  rejectProblems(
    records.flatMap(({ line, ttl }) => {
      const problem = ttlProblem(ttl);
      return problem === undefined ? [] : [`line ${line}: ${problem}`];
    }),
  );
  const sets: SetsByKey = new Map();
  await mapInSlices(records, (record) => addToSets(sets, record));
  return [...sets.values()];
}

function rejectProblems(problems: readonly string[]): void {
  if (problems.length === 0) return;
  const shownProblems = problems.slice(0, maxShownProblems);
  const unlisted = problems.length - shownProblems.length;
  const text = `${shownProblems.join('; ')}${unlisted > 0 ? `; and ${unlisted} more` : ''}`;
  // The line comes first: it is what people look for.
  throw new ApiError('invalid_parameter', {
    message: `${text.charAt(0).toUpperCase()}${text.slice(1)}.`,
    fields: { zonefile: text },
  });
}
