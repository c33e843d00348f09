// Forward zones of an account. A name can be a zone only once over all accounts, and nobody can create a zone inside
// another account's, because that would take over a part of it.
import type { Static } from 'typebox';
import type { Zone as ZoneShape } from '#contract/shapes/dns.ts';
import { ApiError, conflict } from '#lib/api-error.ts';
import * as store from '#store/dns/zones.ts';
import { ancestorNames, isWithin } from '#protocols/dns/name.ts';
import { contentToWire } from '#protocols/dns/rdata.ts';
import { nextSerial } from '#protocols/dns/zone-rules.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import type { Context } from '../app.ts';
import { changeZone, lockZoneOrThrow, zoneLimits, publishZoneChange, zoneWork, type ZoneWork } from './change.ts';
import { dataOfWire, defaultTtlSeconds, type RecordData } from './content.ts';
import { dnsSettings, hostName, type DnsSettings } from './settings.ts';

type Shape = Static<typeof ZoneShape>;

export async function zoneList(context: Context, page: store.Page): Promise<Shape[]> {
  const zones = await store.zoneList(context.queries, context.caller.account, page);
  const client = String(context.caller.account);
  return zones.map(({ id, name }) => ({ domain_id: String(id), name, client, subclient: 0 }));
}

/** `field` is the parameter that contained the name. */
export async function zoneCreate(context: Context, field: 'domain' | 'name', text: string): Promise<string> {
  const { queries, caller } = context;
  const settings = await dnsSettings(queries);
  const name = hostName(settings, field, text);
  if (settings.names.length === 0)
    throw new ApiError('capability_missing', { message: 'The provider runs no name server.' });
  await checkFree(context, name);
  if ((await store.zoneCount(queries, caller.account)) >= zoneLimits.zones)
    throw conflict(`An account can have at most ${zoneLimits.zones} zones. Delete one first.`);
  const zone = await addZone(zoneWork(context), settings, { name, kind: 'forward' });
  if (zone === undefined) throw nameTaken();
  const domain_id = String(zone.id);
  context.emit('dns.zone.created', { domain_id, name });
  return domain_id;
}

export async function zoneDelete(context: Context, id: number): Promise<void> {
  const zone = await lockZoneOrThrow(context, id);
  await removeZone(zoneWork(context), zone);
  context.emit('dns.zone.deleted', { domain_id: String(id), name: zone.name });
}

/** Returns undefined if the name is taken. */
export async function addZone(
  work: ZoneWork,
  settings: DnsSettings,
  { name, kind }: Pick<store.Zone, 'name' | 'kind'>,
): Promise<store.Zone | undefined> {
  const now = work.app.clock.now();
  const account_id = kind === 'forward' ? work.account : null;
  const zone = await store.zoneInsert(work.queries, { account_id, name, kind, created_at: now });
  if (zone === undefined) return undefined;
  const edits = firstRecords(settings, name, nextSerial(0, now)).map((after) => ({ after }));
  await changeZone(work, zone, undefined, edits);
  work.afterCommit(() => work.app.nameService.notifyCatalog());
  return zone;
}

export async function removeZone(work: ZoneWork, zone: store.Zone): Promise<void> {
  await store.zoneRemove(work.queries, zone);
  publishZoneChange(work, zone);
  work.afterCommit(() => work.app.nameService.notifyCatalog());
}

function firstRecords({ names, hostmaster }: DnsSettings, zone: string, serial: number): RecordData[] {
  const record = (type: number, content: string): RecordData =>
    dataOfWire(zone, type, defaultTtlSeconds, contentToWire(type, content));
  return [
    record(rrTypes.SOA, `${names[0]} ${hostmaster} ${serial} 10800 3600 604800 3600`),
    ...names.map((name) => record(rrTypes.NS, name)),
  ];
}

async function checkFree(context: Context, name: string): Promise<void> {
  const above = await store.zonesNamed(context.queries, ancestorNames(name));
  if (above.some((zone) => zone.name === name)) throw nameTaken();
  const isInsideForeignZone = above.some((zone) => zone.account_id !== context.caller.account);
  const containsProviderZone = (await store.providerZones(context.queries)).some((zone) => isWithin(zone.name, name));
  if (isInsideForeignZone || containsProviderZone) throw conflict('This name belongs to a zone of another account.');
}

function nameTaken(): ApiError {
  return new ApiError('already_exists', { message: 'A zone with this name already exists.' });
}
