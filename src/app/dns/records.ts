// Records of a zone: added and changed one at a time, removed alone or together. A set (the records of one type at one name) has
// one time to live, as RFC 2181 wants it: the set takes that of the record that was written last.
import { Fault, invalid } from '#kernel/fault.ts';
import * as store from '#store/dns/records.ts';
import type { Zone } from '#store/dns/zones.ts';
import { serialIsNewer } from '#wire/dns/serial.ts';
import { TYPE } from '#wire/dns/types.ts';
import { changeZone, checkSetSize, lockedZone, serialOf, zoneWork, type Edit } from './change.ts';
import { contentData, recordData, recordShown, type GivenRecord, type RecordData } from './content.ts';
import { replaceZone, soaAmong, type Difference } from './replace.ts';
import type { Context } from '../yard.ts';

/** Answers the record's id. */
export async function recordCreate(context: Context, domain: number, given: GivenRecord): Promise<string> {
  const zone = await lockedZone(context, domain);
  const after = recordData(zone, given);
  const around = await surroundings(context, zone, after.name);
  const before = after.type === TYPE.SOA ? around.soa : undefined;
  const edits = before ? [soaEdit(before, after)] : additionEdits(around.node, after);
  const { ids } = await changeZone(zoneWork(context), zone, around.soa, edits);
  const id = before?.id ?? ids[0]!;
  const type = before ? 'dns.record.changed' : 'dns.record.created';
  context.tell(type, recordShown({ ...after, id, zone_id: zone.id }));
  return String(id);
}

export interface RecordChange {
  readonly content?: string | undefined;
  readonly ttl?: number | undefined;
}
export async function recordUpdate(context: Context, domain: number, id: number, change: RecordChange): Promise<void> {
  if (change.content === undefined && change.ttl === undefined)
    throw new Fault('invalid_parameter', { message: 'There is nothing to change.' });
  const zone = await lockedZone(context, domain);
  const before = await foundRecord(context, zone, id);
  const after: RecordData = {
    ...before,
    ttl: change.ttl ?? before.ttl,
    ...(change.content === undefined ? {} : contentData(before.type, change.content)),
  };
  const { soa, node } = await surroundings(context, zone, before.name);
  const edits = before.type === TYPE.SOA ? [soaEdit(before, after)] : replacementEdits(node, before, after);
  if (edits.length === 0) return;
  await changeZone(zoneWork(context), zone, soa, edits);
  context.tell('dns.record.changed', recordShown({ ...after, id, zone_id: zone.id }));
}

export async function recordDelete(context: Context, domain: number, id: number): Promise<void> {
  const zone = await lockedZone(context, domain);
  const before = await foundRecord(context, zone, id);
  const { soa, node } = await surroundings(context, zone, before.name);
  checkRemoval(zone, node, [before]);
  await changeZone(zoneWork(context), zone, soa, [{ before }]);
  context.tell('dns.record.deleted', recordShown(before));
}

/** All of them or none, as one version of the zone. */
export async function recordDeleteMany(context: Context, domain: number, ids: readonly number[]): Promise<Difference> {
  if (ids.length === 0) throw invalid({ records: 'must name at least one' });
  const zone = await lockedZone(context, domain);
  const present = await store.recordList(context.queries, zone);
  const wanted = new Set(ids);
  const gone = present.filter(({ id }) => wanted.has(id));
  if (gone.length < wanted.size) throw new Fault('not_found');
  checkRemoval(zone, present, gone);
  return replaceZone(
    context,
    zone,
    soaAmong(present),
    gone.map((before) => ({ before })),
  );
}

/** What a zone cannot be without stays. */
function checkRemoval(zone: Zone, present: readonly store.DnsRecord[], gone: readonly store.DnsRecord[]): void {
  const isNameServer = ({ type, name }: store.DnsRecord): boolean => type === TYPE.NS && name === zone.name;
  if (gone.some(({ type }) => type === TYPE.SOA))
    throw new Fault('state_conflict', { message: 'A zone cannot be without its SOA.' });
  if (gone.some(isNameServer) && present.filter(isNameServer).every((record) => gone.includes(record)))
    throw new Fault('state_conflict', { message: 'A zone cannot be without a name server.' });
}

async function foundRecord(context: Context, zone: Zone, id: number): Promise<store.DnsRecord> {
  const record = await store.recordFind(context.queries, zone, id);
  if (record === undefined) throw new Fault('not_found');
  return record;
}

export interface Surroundings {
  readonly soa: store.DnsRecord;
  /** What stands at the name. */
  readonly node: readonly store.DnsRecord[];
}
export async function surroundings(
  { queries }: Pick<Context, 'queries'>,
  zone: Zone,
  name: string,
): Promise<Surroundings> {
  const found = await store.recordsAt(queries, zone, name);
  const soa = found.find((record) => record.type === TYPE.SOA);
  if (soa === undefined) throw new Error(`zone ${zone.id} has no SOA`);
  return { soa, node: found.filter((record) => record.name === name) };
}

function soaEdit(before: store.DnsRecord, after: RecordData): Edit {
  const [current, given] = [serialOf(before), serialOf(after)];
  if (given !== current && !serialIsNewer(given, current))
    throw invalid({ content: `would set the serial back: it is ${current} now` });
  return { before, after };
}

/** A new record among those that stand at its name. */
export function additionEdits(node: readonly store.DnsRecord[], after: RecordData): Edit[] {
  checkAlias(node, after);
  const set = node.filter((record) => record.type === after.type);
  checkSet(set, after);
  return [{ after }, ...retimed(set, after.ttl)];
}

/** A record in the place of another of the same name and type; nothing where it is so already. */
export function replacementEdits(node: readonly store.DnsRecord[], before: store.DnsRecord, after: RecordData): Edit[] {
  const rest = node.filter((record) => record.type === before.type && record.id !== before.id);
  checkSet(rest, after);
  const same = before.ttl === after.ttl && before.rdata.equals(after.rdata);
  return [...(same ? [] : [{ before, after }]), ...retimed(rest, after.ttl)];
}

function checkAlias(node: readonly store.DnsRecord[], after: RecordData): void {
  const alias = node.find((record) => record.type === TYPE.CNAME);
  if (alias?.rdata.equals(after.rdata) && after.type === TYPE.CNAME) throw twice();
  if (alias !== undefined)
    throw new Fault('state_conflict', {
      message: 'There is a CNAME at this name, beside which nothing else can stand.',
      fields: { type: 'cannot stand beside the CNAME at this name' },
    });
  if (after.type === TYPE.CNAME && node.length > 0)
    throw new Fault('state_conflict', {
      message: 'There are other records at this name, beside which no CNAME can stand.',
      fields: { type: 'cannot be CNAME beside the other records at this name' },
    });
}

function checkSet(others: readonly store.DnsRecord[], after: RecordData): void {
  if (others.some((record) => record.rdata.equals(after.rdata))) throw twice();
  checkSetSize([...others, after]);
}

function twice(): Fault {
  return new Fault('already_exists', { message: 'This record is there already.' });
}

function retimed(set: readonly store.DnsRecord[], ttl: number): Edit[] {
  return set.filter((record) => record.ttl !== ttl).map((before) => ({ before, after: { ...before, ttl } }));
}
