// Zones of an account.
import type { Static } from 'typebox';
import type { Zone as ZoneShape } from '#contract/shapes/dns.ts';
import { conflict } from '#lib/api-error.ts';
import { recordsAt } from '#store/dns/records.ts';
import * as store from '#store/dns/zones.ts';
import { contentToWire } from '#protocols/dns/rdata.ts';
import { nextSerial } from '#protocols/dns/zone-rules.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import type { Context } from '../app.ts';
import {
  changeZone,
  lockZoneOrThrow,
  publishZoneChange,
  serialOf,
  soaAmong,
  zoneLimits,
  zoneWork,
  type ZoneWork,
} from './change.ts';
import { dataOfWire, defaultTtlSeconds, type RecordData } from './content.ts';
import { requireUnlimited, visibleZoneNames } from './limits.ts';
import { dnsSettings, hostName, type DnsSettings } from './settings.ts';
import { checkFree, checkZoneName } from './zone-names.ts';

type Shape = Static<typeof ZoneShape>;

/** Short, because a resolver that was asked for a new name too early keeps it from appearing for this long. */
const negativeTtlSeconds = 300;

export async function zoneList(context: Context, page: store.Page): Promise<Shape[]> {
  const names = visibleZoneNames(context.caller.dnsLimits);
  const zones = await store.zoneList(context.queries, context.caller.account, { ...page, names });
  const client = String(context.caller.account);
  return zones.map(({ id, name }) => ({ domain_id: String(id), name, client, subclient: 0 }));
}

/** `field` is the parameter that contained the name. */
export async function zoneCreate(context: Context, field: 'domain' | 'name', text: string): Promise<string> {
  const { queries, caller } = context;
  const settings = await dnsSettings(queries);
  const name = hostName(settings, field, text);
  await store.zoneNamesLock(queries);
  await checkZoneName(queries, caller.account, settings, { name, field, purpose: 'create' });
  await checkFree(queries, caller.account, name);
  return createForwardZone(context, settings, name);
}

/** The caller must have locked the names of zones and checked this one. Returns the id of the zone. */
export async function createForwardZone(context: Context, settings: DnsSettings, name: string): Promise<string> {
  if ((await store.zoneCount(context.queries, context.caller.account)) >= zoneLimits.zones)
    throw conflict(`An account can have at most ${zoneLimits.zones} zones. Delete one first.`);
  const zone = await addZone(zoneWork(context), settings, { name, kind: 'forward' });
  const domain_id = String(zone.id);
  context.emit('dns.zone.created', { domain_id, name });
  return domain_id;
}

export async function zoneDelete(context: Context, id: number): Promise<void> {
  const zone = await lockZoneOrThrow(context, id);
  await removeZone(zoneWork(context), zone);
  context.emit('dns.zone.deleted', { domain_id: String(id), name: zone.name });
}

/** The caller must have locked the names of zones, and this one must be free. */
export async function addZone(
  work: ZoneWork,
  settings: DnsSettings,
  { name, kind }: Pick<store.Zone, 'name' | 'kind'>,
): Promise<store.Zone> {
  const now = work.app.clock.now();
  const account_id = kind === 'forward' ? work.account : null;
  const zone = await store.zoneInsert(work.queries, { account_id, name, kind, created_at: now });
  const serial = nextSerial((await store.formerSerial(work.queries, name)) ?? 0, now);
  const edits = firstRecords(settings, name, serial).map((after) => ({ after }));
  await changeZone(work, zone, undefined, edits);
  return zone;
}

export async function removeZone(work: ZoneWork, zone: store.Zone): Promise<void> {
  requireUnlimited(work.limits);
  const serial = serialOf(soaAmong(await recordsAt(work.queries, zone, zone.name)));
  await store.zoneRemove(work.queries, zone, { serial, now: work.app.clock.now() });
  publishZoneChange(work, zone);
}

function firstRecords({ names, hostmaster }: DnsSettings, zone: string, serial: number): RecordData[] {
  const record = (type: number, content: string): RecordData =>
    dataOfWire(zone, type, defaultTtlSeconds, contentToWire(type, content));
  return [
    record(rrTypes.SOA, `${names[0]} ${hostmaster} ${serial} 10800 3600 604800 ${negativeTtlSeconds}`),
    ...names.map((name) => record(rrTypes.NS, name)),
  ];
}
