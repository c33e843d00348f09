// Changes of several zones in one call: all of them are made, or none. Together with the reverse DNS of addresses, which is in the
// provider's zones, so that an address and its name never disagree.
import type { InputOf } from '#contract/endpoint.ts';
import type { dnsV2 } from '#contract/v2/dns.ts';
import { ApiError, conflict, invalid } from '#lib/api-error.ts';
import { mapInSlices } from '#lib/slices.ts';
import { runAndRollBack } from '#store/engine/rehearsal.ts';
import { recordsAtNames, type DnsRecord } from '#store/dns/records.ts';
import { zonesNamed, type Zone } from '#store/dns/zones.ts';
import { ancestorNames, isWithin, parseName } from '#protocols/dns/name.ts';
import { setKey } from '#protocols/dns/rrset.ts';
import { rrTypes, typeName } from '#protocols/dns/types.ts';
import type { Context } from '../app.ts';
import { checkSetSize, lockZoneOrThrow, serialOf, soaAmong } from './change.ts';
import { dataOfWire, defaultTtlSeconds, readable, recordData, type RecordData } from './content.ts';
import { isZoneVisible, requireWritable, type SetName } from './limits.ts';
import { findProblem } from './record-sets.ts';
import { editsBetween, replaceZone, type Difference, type NamedDifference } from './replace.ts';
import { canonicalNames, setNames, type ReverseName } from './reverse.ts';

type Input = InputOf<(typeof dnsV2)['changeSetApply']>;
type Change = NonNullable<Input['changes']>[number];

export async function changeSetApply(context: Context, input: Input): Promise<NamedDifference[]> {
  if (input.changes === undefined && input.addresses === undefined)
    throw invalid({ changes: 'is required without addresses' });
  if (input.dry_run !== true) return applyChanges(context, input);
  // A preview makes the changes too, so that it shows and rejects exactly what they would do.
  const { changedZones: _, ...rest } = context;
  const rehearsal = { ...rest, emit: () => {}, afterCommit: () => {} };
  const differences = await runAndRollBack(context.queries, () => applyChanges(rehearsal, input));
  const preview: NamedDifference[] = [];
  for (const difference of differences)
    preview.push({ ...difference, applied: false, serial: await currentSerial(context, difference.zone) });
  return preview;
}

async function currentSerial({ queries }: Context, name: string): Promise<string> {
  const [zone] = await zonesNamed(queries, [name]);
  return String(serialOf(soaAmong(await recordsAtNames(queries, zone!, [name]))));
}

/** Locks the provider's zones first and then the account's, each in one order, so that two calls never wait for each other. */
async function applyChanges(context: Context, input: Input): Promise<NamedDifference[]> {
  const names = await canonicalNames(context, 'addresses', input.addresses ?? []);
  const differences = names.length === 0 ? [] : await setNames(context, names);
  const changes = [...(input.changes ?? []), ...names.map(forwardChange)];
  const changesOf = Map.groupBy(await findZones(context, changes), ({ zone }) => zone);
  const serials = new Map(input.serials?.map(({ zone, serial }) => [readName('serials', zone), serial]));
  for (const zone of [...changesOf.keys()].toSorted((left, right) => (left.name < right.name ? -1 : 1))) {
    const difference = await changeOneZone(context, zone.id, changesOf.get(zone)!, serials.get(zone.name));
    serials.delete(zone.name);
    differences.push({ domain_id: String(zone.id), zone: zone.name, ...difference });
  }
  const [unused] = serials.keys();
  if (unused !== undefined) throw invalid({ serials: `has ${unused}, which is not affected by any change` });
  return differences;
}

function forwardChange({ ip, record }: ReverseName): Change {
  return { action: 'add', name: record, type: ip.includes(':') ? 'AAAA' : 'A', content: ip };
}

interface PlacedChange {
  readonly change: Change;
  readonly zone: Zone;
}

/** Finds the zone of each change: the one that it names, or else the closest one that encloses its name. */
async function findZones({ queries, caller }: Context, changes: readonly Change[]): Promise<PlacedChange[]> {
  const candidates = changes.map(({ zone, name }) =>
    zone === undefined ? ancestorNames(readName('changes', name)) : [readName('changes', zone)],
  );
  const zones = new Map((await zonesNamed(queries, [...new Set(candidates.flat())])).map((zone) => [zone.name, zone]));
  return changes.map((change, index) => {
    const closest = candidates[index]!.find((name) => zones.has(name));
    const zone = closest === undefined ? undefined : zones.get(closest);
    const isOwn = zone?.account_id === caller.account && isZoneVisible(caller.dnsLimits, zone.name);
    if (!isOwn) throw rejectChange(change, 'is not in a zone of this account');
    return { change, zone: zone! };
  });
}

/** The records of one name and type that the call changes. */
interface SetTarget extends SetName {
  readonly ttl: number;
  readonly records: readonly RecordData[];
}

async function changeOneZone(
  context: Context,
  id: number,
  placed: readonly PlacedChange[],
  expectedSerial: number | undefined,
): Promise<Difference> {
  const zone = await lockZoneOrThrow(context, id);
  const changes = await mapInSlices(placed, ({ change }) => parseChange(zone, change), 'in a transaction');
  requireWritable(context.caller.dnsLimits, zone.name, changes);
  // With the names above them, at one of which may be a DNAME.
  const names = new Set(changes.flatMap(({ name }) => ancestorNames(name, zone.name)));
  const current = await recordsAtNames(context.queries, zone, [...names]);
  const soa = soaAmong(current);
  if (expectedSerial !== undefined && expectedSerial !== serialOf(soa))
    throw new ApiError('state_conflict', {
      message: `The zone ${zone.name} has changed. Its serial is now ${serialOf(soa)}.`,
      fields: { serials: `${zone.name} is now ${serialOf(soa)}` },
    });
  const currentOf = Map.groupBy(current, setKey);
  const targets = await mapInSlices(
    Map.groupBy(changes, setKey),
    ([key, ofSet]) => targetOf(ofSet, currentOf.get(key) ?? []),
    'in a transaction',
  );
  const changedKeys = new Set(targets.map(setKey));
  const others = current.filter((record) => !changedKeys.has(setKey(record)));
  const target = targets.flatMap(({ records }) => records);
  const problem = findProblem(zone.name, [...others, ...target]);
  if (problem !== undefined) throw conflict(`${problem.name} ${typeName(problem.type)}: ${problem.reason}.`);
  const edits = await editsBetween(
    current.filter((record) => changedKeys.has(setKey(record))),
    target,
  );
  return replaceZone(context, zone, soa, edits);
}

interface ParsedChange extends SetName {
  readonly source: Change;
  /** Undefined to remove all records of the name and type. */
  readonly rdata: Buffer | undefined;
}

function parseChange(zone: Zone, change: Change): ParsedChange {
  const { action, name, type, content } = change;
  try {
    if (content === undefined) {
      if (action !== 'remove') throw invalid({ content: 'is required' });
      if (!isWithin(parseName(name), zone.name)) throw invalid({ name: 'is outside the zone' });
      return { source: change, name: parseName(name), type: rrTypes[type], rdata: undefined };
    }
    const data = recordData(zone, { nameField: 'record', name, type, content, ttl: change.ttl });
    return { source: change, name: data.name, type: data.type, rdata: data.rdata };
  } catch (error) {
    if (!(error instanceof ApiError) || error.fields === undefined) throw error;
    const [[field, reason] = ['', '']] = Object.entries(error.fields);
    throw rejectChange(change, `${field} ${reason}`, error.code);
  }
}

/** Returns what the records of one name and type will be. */
function targetOf(changes: readonly ParsedChange[], current: readonly DnsRecord[]): SetTarget {
  const [{ name, type, source }] = changes as [ParsedChange];
  const replacements = changes.filter(({ source: { action } }) => action === 'replace');
  if (replacements.length > 0 && replacements.length < changes.length)
    throw rejectChange(source, 'cannot be both replaced and changed in another way');
  const ttl =
    changes.findLast((change) => change.source.ttl !== undefined)?.source.ttl ?? current[0]?.ttl ?? defaultTtlSeconds;
  const rdata = new Map(replacements.length > 0 ? [] : current.map((record) => [hexOf(record.rdata), record.rdata]));
  for (const change of changes) {
    if (change.rdata === undefined) rdata.clear();
    else if (change.source.action === 'remove') rdata.delete(hexOf(change.rdata));
    else rdata.set(hexOf(change.rdata), change.rdata);
  }
  const records = [...rdata.values()].map((data) => dataOfWire(name, type, ttl, data));
  checkSetSize(records);
  return { name, type, ttl, records };
}

/** `field` is the parameter that contained the name. */
function readName(field: string, name: string): string {
  return readable(field, () => parseName(name));
}

function hexOf(rdata: Buffer): string {
  return rdata.toString('hex');
}

function rejectChange(
  { action, name, type }: Change,
  reason: string,
  code: ApiError['code'] = 'invalid_parameter',
): ApiError {
  const text = `${action} ${name} ${type}: ${reason}`;
  return new ApiError(code, { message: `${text}.`, fields: { changes: text } });
}
