// Replaces and deletes whole sets of records (all records of one type at one name), as PowerDNS's API does. All changes
// of a call are one version of the zone.
import { ApiError } from '#lib/api-error.ts';
import { mapInSlices } from '#lib/slices.ts';
import { recordsAtNames } from '#store/dns/records.ts';
import { PresentationError } from '#protocols/dns/errors.ts';
import { isWithin, parseName, toAbsolute } from '#protocols/dns/name.ts';
import { contentToWire, isComputedType } from '#protocols/dns/rdata.ts';
import { setKey } from '#protocols/dns/rrset.ts';
import { typeName, typeNumber } from '#protocols/dns/types.ts';
import type { Context } from '../app.ts';
import { checkSetSize, lockZoneOrThrow, soaAmong } from './change.ts';
import { dataOfWire, defaultTtlSeconds, ttlProblem, type RecordData } from './content.ts';
import { requireWritable, type SetName } from './limits.ts';
import { findProblem } from './record-sets.ts';
import { editsBetween, replaceZone } from './replace.ts';

/** A set as the caller wrote it. */
export interface SetChange {
  readonly name: string;
  readonly type: string;
  readonly changetype?: string | undefined;
  readonly ttl?: number | undefined;
  readonly records?: readonly { readonly content: string; readonly disabled?: boolean | undefined }[] | undefined;
}

/** A set as it will be, without records if it is deleted. */
interface NewSet extends SetName {
  readonly changetype: string;
  readonly ttl: number | undefined;
  readonly rdata: readonly Buffer[];
}

/** Makes all changes or none. A set that is changed twice gets the later change. */
export async function changeSets(context: Context, domain: number, changes: readonly SetChange[]): Promise<void> {
  const zone = await lockZoneOrThrow(context, domain);
  const parsed = await mapInSlices(changes, parseChange, 'in a transaction');
  requireWritable(context.caller.dnsLimits, zone.name, parsed);
  const sets = new Map<string, NewSet>();
  for (const set of parsed) {
    if (!isWithin(set.name, zone.name)) throw refuse(set, `the name is outside the zone ${zone.name}`);
    if (sets.get(setKey(set))?.changetype === set.changetype) throw refuse(set, 'is listed twice');
    sets.set(setKey(set), set);
  }
  const names = [...new Set([zone.name, ...[...sets.values()].map(({ name }) => name)])];
  const current = await recordsAtNames(context.queries, zone, names);
  const replaced = Map.groupBy(current, setKey);
  const target = (
    await mapInSlices(
      sets.values(),
      (set): RecordData[] => {
        const ttl = set.ttl ?? replaced.get(setKey(set))?.[0]?.ttl ?? defaultTtlSeconds;
        const records = set.rdata.map((rdata) => dataOfWire(set.name, set.type, ttl, rdata));
        checkSetSize(records);
        return records;
      },
      'in a transaction',
    )
  ).flat();
  const isReplaced = (record: SetName): boolean => sets.has(setKey(record));
  const problem = findProblem(zone.name, [...current.filter((record) => !isReplaced(record)), ...target]);
  if (problem !== undefined) throw refuse(problem, problem.reason);
  const edits = await editsBetween(current.filter(isReplaced), target);
  await replaceZone(context, zone, soaAmong(current), edits);
}

function parseChange(change: SetChange): NewSet {
  try {
    const set = { name: parseName(change.name), type: typeNumber(change.type) };
    const changetype = change.changetype?.toUpperCase() ?? '';
    if (changetype !== 'REPLACE' && changetype !== 'DELETE')
      throw new PresentationError('changetype must be REPLACE or DELETE');
    const ttlReason = changetype === 'REPLACE' ? ttlProblem(change.ttl ?? 0) : undefined;
    if (ttlReason !== undefined) throw new PresentationError(ttlReason);
    const records = changetype === 'DELETE' ? [] : (change.records ?? []);
    if (records.length > 0 && isComputedType(set.type))
      throw new ApiError('computed_record', {
        message: `${describeSet(set)} The name server generates records of this type.`,
      });
    if (records.some(({ disabled }) => disabled === true))
      throw new PresentationError('disabled records are not supported; delete the record instead');
    return {
      ...set,
      changetype,
      ttl: change.ttl,
      rdata: records.map(({ content }) => contentToWire(set.type, content)),
    };
  } catch (error) {
    if (!(error instanceof PresentationError)) throw error;
    throw refuseText(`RRset ${change.name} IN ${change.type}: ${error.message}.`);
  }
}

function refuse(set: SetName, reason: string): ApiError {
  return refuseText(`${describeSet(set)} ${reason}.`);
}

function refuseText(message: string): ApiError {
  return new ApiError('invalid_parameter', { message, fields: { rrsets: message } });
}

/** As PowerDNS words it. */
function describeSet({ name, type }: SetName): string {
  return `RRset ${toAbsolute(name)} IN ${typeName(type)}:`;
}
