// The one way in which a zone changes: edits of its records, a serial that goes forward, a version for the history, and
// word to whoever publishes it. Whoever calls has locked the zone in the same transaction.
import type { AccountId } from '#store/tables.ts';
import { recordInsert, recordRemove, recordUpdate, type DnsRecord } from '#store/dns/records.ts';
import { Fault } from '#kernel/fault.ts';
import { zoneFind, zoneLock, zoneRecount, zoneVersionInsert, type Zone } from '#store/dns/zones.ts';
import { wireToContent } from '#wire/dns/rdata.ts';
import { nextSerial, serialIsNewer } from '#wire/dns/serial.ts';
import { TYPE } from '#wire/dns/types.ts';
import { recordLine, type RecordData } from './content.ts';
import type { Context, Yard } from '../yard.ts';

/** Without `before` a new record, without `after` one that goes, with both one that is changed in place. */
export interface Edit {
  readonly before?: DnsRecord;
  readonly after?: RecordData;
}

/** What a change of zones needs of a call; the site file changes zones too, and is no call. */
export interface ZoneWork extends Pick<Context, 'queries' | 'afterCommit' | 'operation' | 'zonesTouched'> {
  readonly yard: Pick<Yard, 'clock' | 'nameService'>;
  readonly account: AccountId | null;
}

export const zoneLimits = { zones: 10_000, records: 20_000, setBytes: 60_000 };
const versionsKept = 100;
const recordOverheadBytes = 12;

export function zoneWork(context: Context): ZoneWork {
  return { ...context, account: context.caller.account };
}

export async function foundZone(context: Context, id: number): Promise<Zone> {
  const zone = await zoneFind(context.queries, context.caller.account, id);
  if (zone === undefined) throw new Fault('not_found');
  return zone;
}

export async function lockedZone(context: Context, id: number): Promise<Zone> {
  const zone = await zoneLock(context.queries, context.caller.account, id);
  if (zone === undefined) throw new Fault('not_found');
  return zone;
}

export function serialOf({ rdata }: Pick<RecordData, 'rdata'>): number {
  return rdata.readUInt32BE(rdata.length - 20);
}

function withSerial<T extends RecordData | DnsRecord>(soa: T, serial: number): T {
  const rdata = Buffer.from(soa.rdata);
  rdata.writeUInt32BE(serial, rdata.length - 20);
  return { ...soa, rdata, content: wireToContent(TYPE.SOA, rdata, 'plain') };
}

/** Answers the new serial and the ids of the new records. `soa` is the zone's present one, undefined for a new zone. */
export async function changeZone(
  work: ZoneWork,
  zone: Zone,
  soa: DnsRecord | undefined,
  edits: readonly Edit[],
): Promise<{ serial: number; ids: number[] }> {
  const now = work.yard.clock.now();
  const newSoa = edits.find(({ after }) => after?.type === TYPE.SOA)?.after;
  const serial = soa === undefined ? serialOf(newSoa!) : serialAfter(serialOf(soa), newSoa, now);
  const settled = edits.map(({ before, after }) => ({
    ...(before && { before }),
    ...(after && { after: after.type === TYPE.SOA ? withSerial(after, serial) : after }),
  }));
  checkLimits(zone, settled);
  const ids = await write(work, zone, settled);
  if (soa !== undefined && newSoa === undefined) await recordUpdate(work.queries, soa, withSerial(soa, serial));
  await remember(work, zone, serial, settled, now);
  zoneTouched(work, zone);
  return { serial, ids };
}

/** A serial that the caller gave counts where it is ahead of the present one. */
function serialAfter(current: number, newSoa: RecordData | undefined, now: number): number {
  const given = newSoa === undefined ? current : serialOf(newSoa);
  return serialIsNewer(given, current) ? given : nextSerial(current, now);
}

async function write(work: ZoneWork, zone: Zone, edits: readonly Edit[]): Promise<number[]> {
  const { queries, account } = work;
  const gone = edits.flatMap(({ before, after }) => (before && !after ? [before.id] : []));
  const fresh = edits.flatMap(({ before, after }) => (after && !before ? [{ ...after, account_id: account }] : []));
  await recordRemove(queries, zone, gone);
  for (const { before, after } of edits) {
    if (before && after) await recordUpdate(queries, before, { ...after, account_id: account });
  }
  const ids = await recordInsert(queries, zone, fresh);
  if (fresh.length !== gone.length) await zoneRecount(queries, zone, fresh.length - gone.length);
  return ids;
}

function checkLimits(zone: Zone, edits: readonly Edit[]): void {
  const more = edits.reduce((sum, { before, after }) => sum + (after ? 1 : 0) - (before ? 1 : 0), 0);
  if (more > 0 && zone.record_count + more > zoneLimits.records)
    throw new Fault('state_conflict', { message: `A zone has at most ${zoneLimits.records} records.` });
}

/** All records of a set travel in one message, which has 65,535 bytes. */
export function checkSetSize(set: readonly Pick<RecordData, 'rdata'>[]): void {
  const bytes = set.reduce((sum, { rdata }) => sum + rdata.length + recordOverheadBytes, 0);
  if (bytes > zoneLimits.setBytes)
    throw new Fault('state_conflict', { message: 'The records of this type at this name would fill an answer.' });
}

async function remember(work: ZoneWork, zone: Zone, serial: number, edits: readonly Edit[], at: number): Promise<void> {
  const removed = edits.flatMap(({ before }) => (before ? [recordLine(before)] : []));
  const added = edits.flatMap(({ after }) => (after ? [recordLine(after)] : []));
  const version = {
    zone_id: zone.id,
    version: zone.revision,
    at,
    operation: work.operation,
    serial,
    removed: JSON.stringify(removed),
    added: JSON.stringify(added),
  };
  await zoneVersionInsert(work.queries, version, versionsKept);
}

/** Has the zone published: before the commit where the name server is elsewhere, else its secondaries are told after. */
export function zoneTouched({ yard, zonesTouched, afterCommit }: ZoneWork, zone: Zone): void {
  zonesTouched?.set(zone.name, { revision: zone.revision });
  afterCommit(() => yard.nameService.notify(zone.name));
}
