// The only way to change a zone: edits of its records, a higher serial, a version for the history, and its publication.
// The caller must have locked the zone in the same transaction.
import {
  recordInsert,
  recordRemove,
  recordUpdate,
  recordUpdateMany,
  recordsAt,
  type DnsRecord,
  type NewRecord,
} from '#store/dns/records.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { signedZoneFind } from '#store/dns/zone-keys.ts';
import { ApiError, conflict, requireFound } from '#lib/api-error.ts';
import { jsonLines, type JsonText } from '#lib/json-text.ts';
import { mapInSlices } from '#lib/slices.ts';
import * as store from '#store/dns/zones.ts';
import { wireToContent } from '#protocols/dns/rdata.ts';
import { nextSerial, isNewerSerial } from '#protocols/dns/zone-rules.ts';
import { rrTypes, typeName } from '#protocols/dns/types.ts';
import type { Zone } from '#store/dns/zones.ts';
import type { AccountId } from '#store/account-id.ts';
import type { Context, App } from '../app.ts';
import type { Caller } from '../caller.ts';
import { recordLine, type RecordData } from './content.ts';
import { isZoneVisible, requireEditable, requireUnlimited, type DnsLimits } from './limits.ts';
import { signingTypes } from './signing-types.ts';
import { applyTypeRules } from './type-rules.ts';

/** Without `before` a new record, without `after` a deleted one, with both an update in place. */
export interface Edit {
  readonly before?: DnsRecord;
  readonly after?: RecordData;
}

/** The parts of a call that a change of zones needs; applying a site file changes zones too, without a call. */
export interface ZoneWork extends Pick<Context, 'queries' | 'afterCommit' | 'operation' | 'changedZones'> {
  readonly app: Pick<App, 'clock' | 'nameService' | 'queue'>;
  readonly account: AccountId | null;
  /** Of the key that makes the call. */
  readonly limits: DnsLimits;
  readonly author: ZoneAuthor;
}

/** A key of a DNS tool is a key like any other. */
export type ZoneAuthor = Pick<store.ZoneVersion, 'author_kind' | 'author_id' | 'author_name'>;
/** A change that no call requested. */
export const providerAuthor: ZoneAuthor = { author_kind: 'Provider', author_id: null, author_name: null };

export const zoneLimits = { zones: 10_000, records: 20_000, accountRecords: 1_000_000, setBytes: 60_000 };
export const historyLimits = { versions: 100, bytes: 16_000_000 };
const recordOverheadBytes = 12;

export function zoneWork(context: Context): ZoneWork {
  const { caller } = context;
  return { ...context, account: caller.account, limits: caller.dnsLimits, author: authorOf(caller) };
}

function authorOf({ operator, keyKind, contact, key }: Caller): ZoneAuthor {
  if (operator !== undefined) return { author_kind: 'Staff', author_id: null, author_name: operator.name };
  if (keyKind === 'session') return { author_kind: 'Person', author_id: contact ?? null, author_name: null };
  return { author_kind: 'Key', author_id: key, author_name: null };
}

/** Finds a zone of the caller's account that its key may see. */
export async function findZone(
  { queries, caller }: Pick<Context, 'queries'> & { readonly caller: Pick<Caller, 'account' | 'dnsLimits'> },
  id: number,
): Promise<Zone | undefined> {
  const zone = await store.zoneFind(queries, caller.account, id);
  return zone !== undefined && isZoneVisible(caller.dnsLimits, zone.name) ? zone : undefined;
}

export async function findZoneOrThrow(context: Context, id: number): Promise<Zone> {
  return requireFound(await findZone(context, id));
}

export async function lockZoneOrThrow({ queries, caller }: Context, id: number): Promise<Zone> {
  const zone = requireFound(await store.zoneLock(queries, caller.account, id));
  if (!isZoneVisible(caller.dnsLimits, zone.name)) throw new ApiError('not_found');
  return zone;
}

/** Returns the zone's SOA. */
export function soaAmong(records: readonly DnsRecord[]): DnsRecord {
  const soa = records.find((record) => record.type === rrTypes.SOA);
  if (soa === undefined) throw new Error('the zone has no SOA');
  return soa;
}

export function serialOf({ rdata }: Pick<RecordData, 'rdata'>): number {
  return rdata.readUInt32BE(rdata.length - 20);
}

export function withSerial<T extends RecordData | DnsRecord>(soa: T, serial: number): T {
  const rdata = Buffer.from(soa.rdata);
  rdata.writeUInt32BE(serial, rdata.length - 20);
  return { ...soa, rdata, content: wireToContent(rrTypes.SOA, rdata, 'plain') };
}

/**
 * Returns the new serial, the ids of the new records, and what was added and removed. `soa` is the zone's current one,
 * or undefined for a new zone.
 */
export async function changeZone(
  work: ZoneWork,
  zone: Zone,
  soa: DnsRecord | undefined,
  edits: readonly Edit[],
): Promise<Lines & { serial: number; ids: number[] }> {
  if (soa === undefined) requireUnlimited(work.limits);
  requireEditable(work.limits, zone.name, edits);
  const now = work.app.clock.now();
  const newSoa = edits.find(({ after }) => after?.type === rrTypes.SOA)?.after;
  const serial = soa === undefined ? serialOf(newSoa!) : serialAfter(serialOf(soa), newSoa, now);
  const finalEdits = await mapInSlices(
    edits,
    (edit) => (edit.after?.type === rrTypes.SOA ? { ...edit, after: withSerial(edit.after, serial) } : edit),
    'in a transaction',
  );
  await checkLimits(work, zone, finalEdits);
  await rejectSigningRecords(work, zone, finalEdits);
  const ids = await writeEdits(work, zone, finalEdits);
  await applyTypeRules(work, zone, finalEdits);
  if (soa !== undefined && newSoa === undefined) await recordUpdate(work.queries, soa, withSerial(soa, serial));
  const lines = await linesOf(finalEdits);
  await recordVersion(work, zone, serial, lines, now);
  publishZoneChange(work, zone);
  return { serial, ids, ...lines };
}

/** Raises the serial alone, so that secondaries fetch the zone with new signatures. This is not a version of the zone. */
export async function raiseSerial(work: Omit<ZoneWork, 'limits' | 'author'>, zone: Zone): Promise<void> {
  const soa = soaAmong(await recordsAt(work.queries, zone, zone.name));
  await recordUpdate(work.queries, soa, withSerial(soa, nextSerial(serialOf(soa), work.app.clock.now())));
  publishZoneChange(work, zone);
}

/** Rejects records that the name server generates for a zone that it signs. */
async function rejectSigningRecords({ queries }: ZoneWork, zone: Zone, edits: readonly Edit[]): Promise<void> {
  const record = edits.find(({ after }) => after !== undefined && signingTypes.has(after.type))?.after;
  if (record !== undefined && (await signedZoneFind(queries, zone)) !== undefined)
    throw new ApiError('computed_record', {
      message: `The name server signs this zone and generates its records of type ${typeName(record.type)}.`,
      fields: { type: 'is generated by the name server' },
    });
}

/** Uses the caller's serial if it is ahead of the current one. */
function serialAfter(current: number, newSoa: RecordData | undefined, now: number): number {
  const requested = newSoa === undefined ? current : serialOf(newSoa);
  return isNewerSerial(requested, current) ? requested : nextSerial(current, now);
}

async function writeEdits(work: ZoneWork, zone: Zone, edits: readonly Edit[]): Promise<number[]> {
  const { queries, account } = work;
  const deletedIds: number[] = [];
  const newRecords: NewRecord[] = [];
  const updatedRecords: DnsRecord[] = [];
  await mapInSlices(
    edits,
    ({ before, after }) => {
      if (after === undefined) deletedIds.push(before!.id);
      else if (before === undefined) newRecords.push({ ...after, account_id: account });
      else updatedRecords.push({ ...before, ...after, account_id: account });
    },
    'in a transaction',
  );
  await recordRemove(queries, zone, deletedIds);
  await recordUpdateMany(queries, updatedRecords);
  const ids = await recordInsert(queries, zone, newRecords);
  if (newRecords.length !== deletedIds.length)
    await store.zoneRecount(queries, zone, newRecords.length - deletedIds.length);
  return ids;
}

async function checkLimits({ queries }: ZoneWork, zone: Zone, edits: readonly Edit[]): Promise<void> {
  const growth = edits.reduce((sum, { before, after }) => sum + (after ? 1 : 0) - (before ? 1 : 0), 0);
  if (growth <= 0) return;
  if (zone.record_count + growth > zoneLimits.records)
    throw conflict(`A zone can have at most ${zoneLimits.records} records. Delete some first.`);
  const account = zone.account_id;
  if (account === null) return;
  const total = async (): Promise<number> => (await store.zoneRecordsTotal(queries, account)) + growth;
  // Only near the limit can changes of other zones at the same time matter.
  if ((await total()) <= zoneLimits.accountRecords / 2) return;
  await billingAccountLock(queries, account);
  if ((await total()) > zoneLimits.accountRecords)
    throw conflict(`An account can have at most ${zoneLimits.accountRecords} DNS records. Delete some first.`);
}

/** All records of a set are sent in one message, which has at most 65,535 bytes. */
export function checkSetSize(set: readonly Pick<RecordData, 'rdata'>[]): void {
  const bytes = set.reduce((sum, { rdata }) => sum + rdata.length + recordOverheadBytes, 0);
  if (bytes > zoneLimits.setBytes)
    throw conflict('The records of this type at this name are too large for a DNS response.');
}

async function recordVersion(
  work: ZoneWork,
  zone: Zone,
  serial: number,
  { added, removed }: Lines,
  at: number,
): Promise<void> {
  const version = {
    zone_id: zone.id,
    version: zone.revision,
    at,
    operation: work.operation,
    serial,
    ...work.author,
    removed: removed.text,
    added: added.text,
  };
  await store.zoneVersionInsert(work.queries, version, historyLimits);
}

/** The records that edits add and remove; an update in place does both. */
export interface Lines {
  readonly added: JsonText;
  readonly removed: JsonText;
}
export async function linesOf(edits: readonly Edit[]): Promise<Lines> {
  const lines = (records: (DnsRecord | RecordData | undefined)[]): Promise<JsonText> =>
    jsonLines(
      records.filter((record) => record !== undefined),
      recordLine,
      'in a transaction',
    );
  return {
    added: await lines(edits.map(({ after }) => after)),
    removed: await lines(edits.map(({ before }) => before)),
  };
}

/** Publishes the zone: before the commit to an external name server, or afterwards to the built-in one. */
export function publishZoneChange(
  { app, changedZones, afterCommit }: Pick<ZoneWork, 'app' | 'changedZones' | 'afterCommit'>,
  zone: Zone,
): void {
  changedZones?.set(zone.name, { revision: zone.revision });
  afterCommit(() => app.nameService.catchUp());
}
