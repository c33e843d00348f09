// Records of a zone: created and updated one at a time, deleted alone or together. All records of a set (one type at
// one name) have one TTL, as RFC 2181 requires: that of the record written last.
import { ApiError, invalid } from '#lib/api-error.ts';
import * as store from '#store/dns/records.ts';
import type { Zone } from '#store/dns/zones.ts';
import { isNewerSerial } from '#protocols/dns/serial.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import type { Context } from '../app.ts';
import { changeZone, checkSetSize, lockZoneOrThrow, serialOf, zoneWork, type Edit } from './change.ts';
import { contentData, recordData, recordShown, type RecordInput, type RecordData } from './content.ts';
import { replaceZone, soaAmong, type Difference } from './replace.ts';

/** Returns the record's id. */
export async function recordCreate(context: Context, domain: number, input: RecordInput): Promise<string> {
  const zone = await lockZoneOrThrow(context, domain);
  const after = recordData(zone, input);
  const around = await surroundings(context, zone, after.name);
  const before = after.type === rrTypes.SOA ? around.soa : undefined;
  const edits = before ? [soaEdit(before, after)] : additionEdits(around.node, after);
  const { ids } = await changeZone(zoneWork(context), zone, around.soa, edits);
  const id = before?.id ?? ids[0]!;
  const type = before ? 'dns.record.changed' : 'dns.record.created';
  context.emit(type, recordShown({ ...after, id, zone_id: zone.id }));
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
  const before = await foundRecord(context, zone, id);
  const after: RecordData = {
    ...before,
    ttl: change.ttl ?? before.ttl,
    ...(change.content === undefined ? {} : contentData(before.type, change.content)),
  };
  const { soa, node } = await surroundings(context, zone, before.name);
  const edits = before.type === rrTypes.SOA ? [soaEdit(before, after)] : replacementEdits(node, before, after);
  if (edits.length === 0) return;
  await changeZone(zoneWork(context), zone, soa, edits);
  context.emit('dns.record.changed', recordShown({ ...after, id, zone_id: zone.id }));
}

export async function recordDelete(context: Context, domain: number, id: number): Promise<void> {
  const zone = await lockZoneOrThrow(context, domain);
  const before = await foundRecord(context, zone, id);
  const { soa, node } = await surroundings(context, zone, before.name);
  checkRemoval(zone, node, [before]);
  await changeZone(zoneWork(context), zone, soa, [{ before }]);
  context.emit('dns.record.deleted', recordShown(before));
}

/** Deletes all or none, as one version of the zone. */
export async function recordDeleteMany(context: Context, domain: number, ids: readonly number[]): Promise<Difference> {
  if (ids.length === 0) throw invalid({ records: 'must name at least one' });
  const zone = await lockZoneOrThrow(context, domain);
  const present = await store.recordList(context.queries, zone);
  const requestedIds = new Set(ids);
  const deleted = present.filter(({ id }) => requestedIds.has(id));
  if (deleted.length < requestedIds.size) throw new ApiError('not_found');
  checkRemoval(zone, present, deleted);
  return replaceZone(
    context,
    zone,
    soaAmong(present),
    deleted.map((before) => ({ before })),
  );
}

/** Rejects the deletion of records that a zone cannot do without. */
function checkRemoval(zone: Zone, present: readonly store.DnsRecord[], deleted: readonly store.DnsRecord[]): void {
  const isNameServer = ({ type, name }: store.DnsRecord): boolean => type === rrTypes.NS && name === zone.name;
  if (deleted.some(({ type }) => type === rrTypes.SOA))
    throw new ApiError('state_conflict', { message: 'A zone must keep its SOA record.' });
  if (deleted.some(isNameServer) && present.filter(isNameServer).every((record) => deleted.includes(record)))
    throw new ApiError('state_conflict', { message: 'A zone must keep at least one NS record.' });
}

async function foundRecord(context: Context, zone: Zone, id: number): Promise<store.DnsRecord> {
  const record = await store.recordFind(context.queries, zone, id);
  if (record === undefined) throw new ApiError('not_found');
  return record;
}

export interface Surroundings {
  readonly soa: store.DnsRecord;
  /** Returns the records at the name. */
  readonly node: readonly store.DnsRecord[];
}
export async function surroundings(
  { queries }: Pick<Context, 'queries'>,
  zone: Zone,
  name: string,
): Promise<Surroundings> {
  const records = await store.recordsAt(queries, zone, name);
  const soa = records.find((record) => record.type === rrTypes.SOA);
  if (soa === undefined) throw new Error(`zone ${zone.id} has no SOA`);
  return { soa, node: records.filter((record) => record.name === name) };
}

function soaEdit(before: store.DnsRecord, after: RecordData): Edit {
  const [current, requested] = [serialOf(before), serialOf(after)];
  if (requested !== current && !isNewerSerial(requested, current))
    throw invalid({ content: `would decrease the serial, which is ${current} now` });
  return { before, after };
}

/** Adds a record to those at its name. */
export function additionEdits(node: readonly store.DnsRecord[], after: RecordData): Edit[] {
  checkAlias(node, after);
  const set = node.filter((record) => record.type === after.type);
  checkSet(set, after);
  return [{ after }, ...retimed(set, after.ttl)];
}

/** Replaces a record by another of the same name and type; does nothing if they are equal. */
export function replacementEdits(node: readonly store.DnsRecord[], before: store.DnsRecord, after: RecordData): Edit[] {
  const rest = node.filter((record) => record.type === before.type && record.id !== before.id);
  checkSet(rest, after);
  const same = before.ttl === after.ttl && before.rdata.equals(after.rdata);
  return [...(same ? [] : [{ before, after }]), ...retimed(rest, after.ttl)];
}

function checkAlias(node: readonly store.DnsRecord[], after: RecordData): void {
  const alias = node.find((record) => record.type === rrTypes.CNAME);
  if (alias?.rdata.equals(after.rdata) && after.type === rrTypes.CNAME) throw twice();
  if (alias !== undefined)
    throw new ApiError('state_conflict', {
      message: 'This name has a CNAME, which cannot coexist with other records. Delete it first.',
      fields: { type: 'cannot coexist with the CNAME at this name' },
    });
  if (after.type === rrTypes.CNAME && node.length > 0)
    throw new ApiError('state_conflict', {
      message: 'This name has other records, which cannot coexist with a CNAME. Delete them first.',
      fields: { type: 'cannot be CNAME next to the other records at this name' },
    });
}

function checkSet(others: readonly store.DnsRecord[], after: RecordData): void {
  if (others.some((record) => record.rdata.equals(after.rdata))) throw twice();
  checkSetSize([...others, after]);
}

function twice(): ApiError {
  return new ApiError('already_exists', { message: 'This record already exists.' });
}

function retimed(set: readonly store.DnsRecord[], ttl: number): Edit[] {
  return set.filter((record) => record.ttl !== ttl).map((before) => ({ before, after: { ...before, ttl } }));
}
