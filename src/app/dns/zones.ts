// Forward zones of an account. A name is a zone once only, over all accounts; and nobody makes a zone inside one that
// another has, as that would take a part of it away.
import type { Static } from 'typebox';
import type { Zone as ZoneShape } from '#contract/shapes/dns.ts';
import { Fault } from '#kernel/fault.ts';
import * as store from '#store/dns/zones.ts';
import { chainOfNames, isWithin } from '#wire/dns/name.ts';
import { contentToWire } from '#wire/dns/rdata.ts';
import { nextSerial } from '#wire/dns/serial.ts';
import { TYPE } from '#wire/dns/types.ts';
import { changeZone, lockedZone, zoneLimits, zoneTouched, zoneWork, type ZoneWork } from './change.ts';
import { dataOfWire, defaultTtlSeconds, type RecordData } from './content.ts';
import { dnsSettings, hostName, type DnsSettings } from './settings.ts';
import type { Context } from '../yard.ts';

type Shape = Static<typeof ZoneShape>;

export async function zoneList(context: Context, page: store.Page): Promise<Shape[]> {
  const zones = await store.zoneList(context.queries, context.caller.account, page);
  const client = String(context.caller.account);
  return zones.map(({ id, name }) => ({ domain_id: String(id), name, client, subclient: 0 }));
}

/** `field` is the parameter that the name came in. */
export async function zoneCreate(context: Context, field: 'domain' | 'name', text: string): Promise<string> {
  const { queries, caller } = context;
  const settings = await dnsSettings(queries);
  const name = hostName(settings, field, text);
  if (settings.names.length === 0)
    throw new Fault('capability_missing', { message: 'The provider runs no name server.' });
  await checkFree(context, name);
  if ((await store.zoneCount(queries, caller.account)) >= zoneLimits.zones)
    throw new Fault('state_conflict', { message: `An account has at most ${zoneLimits.zones} zones.` });
  const zone = await makeZone(zoneWork(context), settings, { name, kind: 'forward' });
  if (zone === undefined) throw taken();
  const domain_id = String(zone.id);
  context.tell('dns.zone.created', { domain_id, name });
  return domain_id;
}

export async function zoneDelete(context: Context, id: number): Promise<void> {
  const zone = await lockedZone(context, id);
  await removeZone(zoneWork(context), zone);
  context.tell('dns.zone.deleted', { domain_id: String(id), name: zone.name });
}

/** Undefined where the name is taken. */
export async function makeZone(
  work: ZoneWork,
  settings: DnsSettings,
  { name, kind }: Pick<store.Zone, 'name' | 'kind'>,
): Promise<store.Zone | undefined> {
  const now = work.yard.clock.now();
  const account_id = kind === 'forward' ? work.account : null;
  const zone = await store.zoneInsert(work.queries, { account_id, name, kind, created_at: now });
  if (zone === undefined) return undefined;
  const first = firstRecords(settings, name, nextSerial(0, now));
  await changeZone(
    work,
    zone,
    undefined,
    first.map((after) => ({ after })),
  );
  work.afterCommit(() => work.yard.nameService.notifyCatalog());
  return zone;
}

export async function removeZone(work: ZoneWork, zone: store.Zone): Promise<void> {
  await store.zoneRemove(work.queries, zone);
  zoneTouched(work, zone);
  work.afterCommit(() => work.yard.nameService.notifyCatalog());
}

function firstRecords({ names, hostmaster }: DnsSettings, zone: string, serial: number): RecordData[] {
  const record = (type: number, content: string): RecordData =>
    dataOfWire(zone, type, defaultTtlSeconds, contentToWire(type, content));
  return [
    record(TYPE.SOA, `${names[0]} ${hostmaster} ${serial} 10800 3600 604800 3600`),
    ...names.map((name) => record(TYPE.NS, name)),
  ];
}

async function checkFree(context: Context, name: string): Promise<void> {
  const above = await store.zonesNamed(context.queries, chainOfNames(name));
  if (above.some((zone) => zone.name === name)) throw taken();
  const strangers = above.some((zone) => zone.account_id !== context.caller.account);
  const providers = (await store.providerZones(context.queries)).some((zone) => isWithin(zone.name, name));
  if (strangers || providers)
    throw new Fault('state_conflict', { message: 'The name belongs to a zone that another account has.' });
}

function taken(): Fault {
  return new Fault('already_exists', { message: 'There is a zone of this name already.' });
}
