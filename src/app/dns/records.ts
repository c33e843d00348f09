// Records of a zone: created and updated one at a time, deleted alone or together. All records of a set (one type at
// one name) have one TTL, as RFC 2181 requires: that of the set, or the one given last.
import { ApiError, conflict, invalid, requireFound } from '#lib/api-error.ts';
import * as store from '#store/dns/records.ts';
import type { Zone } from '#store/dns/zones.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import type { Context } from '../app.ts';
import { changeZone, checkSetSize, lockZoneOrThrow, soaAmong, withSerial, zoneWork, type Edit } from './change.ts';
import { contentData, recordData, recordShape, type RecordInput, type RecordData } from './content.ts';
import { requireWritable, visibleSets } from './limits.ts';
import { replaceZone, type Difference } from './replace.ts';

/** Returns the record's id. */
export async function recordCreate(context: Context, domain: number, input: RecordInput): Promise<string> {
  const zone = await lockZoneOrThrow(context, domain);
  const data = recordData(zone, input);
  requireWritable(context.caller.dnsLimits, zone.name, [data]);
  const { soa, node } = await getSurroundings(context, zone, data.name);
  const set = node.find(({ type }) => type === data.type);
  const after = { ...data, ttl: input.ttl ?? set?.ttl ?? data.ttl };
  const before = after.type === rrTypes.SOA ? soa : undefined;
  const edits = before ? [{ before, after }] : additionEdits(node, after);
  const { ids, serial } = await changeZone(zoneWork(context), zone, soa, edits);
  const id = before?.id ?? ids[0]!;
  const type = before ? 'dns.record.changed' : 'dns.record.created';
  const written = before ? withSerial(after, serial) : after;
  context.emit(type, recordShape({ ...written, id, zone_id: zone.id }));
  return String(id);
}

export interface RecordChange {
  readonly content?: string | undefined;
  readonly ttl?: number | undefined;
}

export async function recordUpdate(context: Context, domain: number, id: number, change: RecordChange): Promise<void> {
  if (change.content === undefined && change.ttl === undefined)
    throw new ApiError('invalid_parameter', { message: 'Nothing to change. Send at least one parameter to update.' });
  const zone = await lockZoneOrThrow(context, domain);
  const before = await getRecord(context, zone, id);
  const after: RecordData = {
    ...before,
    ttl: change.ttl ?? before.ttl,
    ...(change.content === undefined ? {} : contentData(before.type, change.content)),
  };
  const { soa, node } = await getSurroundings(context, zone, before.name);
  const isSoa = before.type === rrTypes.SOA;
  const edits = isSoa ? [{ before, after }] : replacementEdits(node, before, after);
  if (edits.length === 0) return;
  const { serial } = await changeZone(zoneWork(context), zone, soa, edits);
  const written = isSoa ? withSerial(after, serial) : after;
  context.emit('dns.record.changed', recordShape({ ...written, id, zone_id: zone.id }));
}

export async function recordDelete(context: Context, domain: number, id: number): Promise<void> {
  const zone = await lockZoneOrThrow(context, domain);
  const before = await getRecord(context, zone, id);
  const { soa, node } = await getSurroundings(context, zone, before.name);
  checkRemoval(zone, node, [before]);
  await changeZone(zoneWork(context), zone, soa, [{ before }]);
  context.emit('dns.record.deleted', recordShape(before));
}

/** Deletes all or none, as one version of the zone. */
export async function recordDeleteMany(context: Context, domain: number, ids: readonly number[]): Promise<Difference> {
  if (ids.length === 0) throw invalid({ records: 'must name at least one' });
  const zone = await lockZoneOrThrow(context, domain);
  const requestedIds = [...new Set(ids)];
  const records = await store.recordsById(context.queries, zone, requestedIds);
  const deleted = records.filter(visibleSets(context.caller.dnsLimits, zone.name));
  if (deleted.length < requestedIds.length) throw new ApiError('not_found');
  const { soa, node } = await getSurroundings(context, zone, zone.name);
  checkRemoval(zone, node, deleted);
  const edits = deleted.map((before) => ({ before }));
  return replaceZone(context, zone, soa, edits);
}

/** Rejects the deletion of records that a zone cannot do without. */
function checkRemoval(zone: Zone, records: readonly store.DnsRecord[], deleted: readonly store.DnsRecord[]): void {
  const isNameServer = ({ type, name }: store.DnsRecord): boolean => type === rrTypes.NS && name === zone.name;
  if (deleted.some(({ type }) => type === rrTypes.SOA)) throw conflict('A zone must keep its SOA record.');
  const deletedNameServers = deleted.filter(isNameServer).length;
  if (deletedNameServers > 0 && deletedNameServers === records.filter(isNameServer).length)
    throw conflict('A zone must keep at least one NS record.');
}

async function getRecord(context: Context, zone: Zone, id: number): Promise<store.DnsRecord> {
  const record = requireFound(await store.recordFind(context.queries, zone, id));
  if (!visibleSets(context.caller.dnsLimits, zone.name)(record)) throw new ApiError('not_found');
  return record;
}

/** Returns the zone's SOA and the records at the name. */
export async function getSurroundings({ queries }: Context, zone: Zone, name: string) {
  const records = await store.recordsAt(queries, zone, name);
  return { soa: soaAmong(records), node: records.filter((record) => record.name === name) };
}

/** Adds a record to those at its name. */
export function additionEdits(node: readonly store.DnsRecord[], after: RecordData): Edit[] {
  checkAlias(node, after);
  const set = node.filter((record) => record.type === after.type);
  checkSet(set, after);
  return [{ after }, ...ttlEdits(set, after.ttl)];
}

/** Replaces a record by another of the same name and type; does nothing if they are equal. */
function replacementEdits(node: readonly store.DnsRecord[], before: store.DnsRecord, after: RecordData): Edit[] {
  const others = node.filter((record) => record.type === before.type && record.id !== before.id);
  checkSet(others, after);
  const isSame = before.ttl === after.ttl && before.rdata.equals(after.rdata);
  return [...(isSame ? [] : [{ before, after }]), ...ttlEdits(others, after.ttl)];
}

function checkAlias(node: readonly store.DnsRecord[], after: RecordData): void {
  const alias = node.find((record) => record.type === rrTypes.CNAME);
  if (alias?.rdata.equals(after.rdata) && after.type === rrTypes.CNAME) throw alreadyExists();
  if (alias !== undefined)
    throw new ApiError('state_conflict', {
      message: 'This name has a CNAME, which cannot coexist with other records. Delete it first.',
      fields: { type: 'cannot coexist with the CNAME at this name' },
    });
  if (after.type === rrTypes.CNAME && node.length > 0)
    throw new ApiError('state_conflict', {
      message: 'This name has other records, which cannot coexist with a CNAME. Delete them first.',
      fields: { type: 'cannot be CNAME, because the name has other records' },
    });
}

function checkSet(others: readonly store.DnsRecord[], after: RecordData): void {
  if (others.some((record) => record.rdata.equals(after.rdata))) throw alreadyExists();
  checkSetSize([...others, after]);
}

function alreadyExists(): ApiError {
  return new ApiError('already_exists', { message: 'This record already exists.' });
}

/** Gives the other records of a set the TTL of the one written last. */
function ttlEdits(set: readonly store.DnsRecord[], ttl: number): Edit[] {
  return set.filter((record) => record.ttl !== ttl).map((before) => ({ before, after: { ...before, ttl } }));
}
