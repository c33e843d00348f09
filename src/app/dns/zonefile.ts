// Zones as BIND master files: out as they stand, in as a whole. The file's serial counts where it is ahead of the zone's; an
// old file is taken too, under a new serial, since putting back an old file is what many import for.
import { Fault, invalid } from '#kernel/fault.ts';
import { recordList } from '#store/dns/records.ts';
import type { Zone } from '#store/dns/zones.ts';
import { parseMasterFile } from '#wire/dns/masterfile-parse.ts';
import { printMasterFile } from '#wire/dns/masterfile-print.ts';
import { isComputedType } from '#wire/dns/rdata.ts';
import { groupRecords, type Rrset } from '#wire/dns/rrset.ts';
import { TYPE, typeName } from '#wire/dns/types.ts';
import { zoneProblems } from '#wire/dns/zone-rules.ts';
import { foundZone, lockedZone, serialOf, zoneLimits } from './change.ts';
import { dataOfWire, defaultTtlSeconds } from './content.ts';
import { checkSets, differenceOf, editsBetween, replaceZone, soaAmong, type Difference } from './replace.ts';
import type { Context } from '../yard.ts';

const problemsTold = 20;
const ttlSeconds = { least: 60, most: 604_800 };

export async function zoneFileGet(context: Context, domain: number): Promise<string> {
  const zone = await foundZone(context, domain);
  const records = await recordList(context.queries, zone);
  return printMasterFile(zone.name, groupRecords(records.map((record) => ({ ...record, rdata: [record.rdata] }))));
}

export interface ImportOptions {
  /** `dry_run` works it out and changes nothing. */
  readonly how: 'apply' | 'dry_run';
  /** That of the zone when the caller looked at it: what came since is not overwritten unseen. */
  readonly serial?: number | undefined;
}
export async function zoneFileImport(
  context: Context,
  domain: number,
  text: string,
  { how, serial }: ImportOptions,
): Promise<Difference> {
  const zone = how === 'apply' ? await lockedZone(context, domain) : await foundZone(context, domain);
  const present = await recordList(context.queries, zone);
  const soa = soaAmong(present);
  if (serial !== undefined && serial !== serialOf(soa))
    throw new Fault('state_conflict', {
      message: 'The zone has changed since its difference was looked at.',
      fields: { serial: `is ${serialOf(soa)} now` },
    });
  const sets = setsOfFile(zone, text);
  if (!sets.some(({ type }) => type === TYPE.SOA)) sets.push({ ...soa, rdata: [soa.rdata] });
  refuse(zoneProblems(zone.name, sets).map(({ name, type, reason }) => `${name} ${typeName(type)}: ${reason}`));
  const wanted = sets.flatMap(({ name, type, ttl, rdata }) => rdata.map((data) => dataOfWire(name, type, ttl, data)));
  checkSets(wanted);
  const edits = editsBetween(present, wanted);
  if (how === 'dry_run') return differenceOf(edits, false, serialOf(soa));
  return replaceZone(context, zone, soa, edits);
}

function setsOfFile(zone: Zone, text: string): Rrset[] {
  const { records, problems } = parseMasterFile(text, { zone: zone.name, defaultTtl: defaultTtlSeconds });
  refuse(problems.map(({ line, column, reason }) => `line ${line}, column ${column}: ${reason}`));
  if (records.length > zoneLimits.records)
    throw invalid({ zonefile: `has ${records.length} records; a zone has at most ${zoneLimits.records}` });
  const computed = records.find(({ type }) => isComputedType(type));
  if (computed !== undefined)
    throw new Fault('computed_record', {
      message: `Line ${computed.line}: the name server computes records of type ${typeName(computed.type)} itself; leave them out.`,
      fields: { zonefile: `line ${computed.line}: ${typeName(computed.type)} is computed by the name server itself` },
    });
  const { least, most } = ttlSeconds;
  refuse(
    records
      .filter(({ ttl }) => ttl < least || ttl > most)
      .map(({ line, ttl }) => `line ${line}: a TTL is ${least} to ${most} seconds, not ${ttl}`),
  );
  return groupRecords(records);
}

function refuse(problems: readonly string[]): void {
  if (problems.length === 0) return;
  const told = problems.slice(0, problemsTold);
  const rest = problems.length - told.length;
  throw invalid({ zonefile: `is not usable: ${told.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}` });
}
