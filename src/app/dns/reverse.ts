// Reverse names of the account's addresses. They stand in zones of the provider; whoever has an address assigned may say
// what it is called, and nobody else learns that it is there.
import { addressesOf, readSortable, sortableAddress, type AddressRange } from '#kernel/address-ranges.ts';
import { parseAddress, parseNetwork } from '#kernel/addresses.ts';
import { Fault, invalid } from '#kernel/fault.ts';
import { netblockList, providerNetblocks, type Netblock } from '#store/network/netblocks.ts';
import { recordsOfAddresses, recordsOfReverse, type DnsRecord } from '#store/dns/records.ts';
import { serviceFind } from '#store/devices/services.ts';
import { providerZoneLock, zoneLock, zonesNamed, type Zone } from '#store/dns/zones.ts';
import { chainOfNames, isWithin, parseName } from '#wire/dns/name.ts';
import { contentToWire } from '#wire/dns/rdata.ts';
import { reverseNameWithin, reverseZones } from '#wire/dns/reverse.ts';
import { TYPE } from '#wire/dns/types.ts';
import { changeZone, zoneWork, type Edit } from './change.ts';
import { dataOfWire, defaultTtlSeconds, readable, recordShown } from './content.ts';
import { additionEdits, surroundings } from './records.ts';
import { dnsSettings, hostName } from './settings.ts';
import type { Context } from '../yard.ts';

const noRecord = 'No Record Found';

/** Every assigned IPv4 address, and each IPv6 address that has a name. */
export async function reverseList(context: Context, service: number | undefined): Promise<Record<string, string>> {
  const { queries, caller } = context;
  if (service !== undefined && (await serviceFind(queries, caller.account, service)) === undefined)
    throw new Fault('not_found');
  const names: Record<string, string> = {};
  for (const block of await netblockList(queries, caller.account, service)) {
    const records = await recordsOfAddresses(queries, caller.account, block);
    const set = new Map(records.map(({ address, content }) => [address!, content]));
    const listed = block.first.startsWith('4') ? addressesOf(block) : set.keys();
    for (const address of listed) names[readSortable(address)] = set.get(address) ?? noRecord;
  }
  return names;
}

/** One address and its name, both in the one spelling that is answered. */
interface ReverseName {
  readonly ip: string;
  /** Empty where it is to go. */
  readonly record: string;
}

/** With the forward record it also makes the A or AAAA of the name, where the account has its zone. */
export async function reverseSet(
  context: Context,
  ip: string,
  record: string,
  how: 'alone' | 'with the forward record',
): Promise<void> {
  const wanted = { ip: oneSpelling(ip), record: hostName(await dnsSettings(context.queries), 'record', record) };
  await setNames(context, [wanted]);
  if (how === 'with the forward record') await setForward(context, wanted);
}

/** On the legacy interface a name may be of any letters, digits, hyphens and underscores. */
export async function reverseSetLegacy(context: Context, ip: string, record: string): Promise<void> {
  const name = readable('record', () => parseName(record));
  if (name === '') throw invalid({ record: 'must be a name' });
  // Four numbers are letters of a name, and yet an address.
  readable('record', () => contentToWire(TYPE.PTR, name));
  await setNames(context, [{ ip: oneSpelling(ip), record: name }]);
}

/** All or none. */
export async function reverseSetMany(
  context: Context,
  records: readonly ReverseName[],
): Promise<Record<string, string>> {
  const settings = await dnsSettings(context.queries);
  const wanted = new Map<string, string>();
  for (const { ip, record } of records) {
    const spelled = oneSpelling(ip);
    if (wanted.has(spelled)) throw invalid({ records: `has ${spelled} twice` });
    wanted.set(spelled, hostName(settings, 'records', record));
  }
  await setNames(
    context,
    [...wanted].map(([ip, record]) => ({ ip, record })),
  );
  return Object.fromEntries(wanted);
}

export async function reverseDelete(context: Context, ip: string): Promise<void> {
  await setNames(context, [{ ip: oneSpelling(ip), record: '' }]);
}

async function setNames(context: Context, wanted: readonly ReverseName[]): Promise<void> {
  const byZone = Map.groupBy(await placesOf(context, wanted), ({ zone }) => zone);
  // In one order, so that two such calls never wait for each other.
  for (const name of [...byZone.keys()].toSorted()) {
    const zone = await providerZoneLock(context.queries, name);
    if (zone === undefined) throw noZone();
    await setInZone(context, zone, byZone.get(name)!);
  }
  context.tell('dns.reverse.changed', { records: [...wanted] });
}

async function setForward(context: Context, wanted: ReverseName): Promise<void> {
  const zone = await ownZoneOf(context, wanted.record);
  const type = wanted.ip.includes(':') ? TYPE.AAAA : TYPE.A;
  const after = dataOfWire(wanted.record, type, defaultTtlSeconds, contentToWire(type, wanted.ip));
  const { soa, node } = await surroundings(context, zone, after.name);
  if (node.some((record) => record.type === type && record.rdata.equals(after.rdata))) return;
  const { ids } = await changeZone(zoneWork(context), zone, soa, additionEdits(node, after));
  context.tell('dns.record.created', recordShown({ ...after, id: ids[0]!, zone_id: zone.id }));
}

function oneSpelling(ip: string): string {
  return readSortable(sortableAddress(parseAddress(ip)!));
}

interface Place {
  readonly zone: string;
  readonly name: string;
  readonly address: string;
  readonly target: string;
}

/** Where the names of these addresses stand; a stranger's address is as absent as one that is nobody's. */
async function placesOf(context: Context, wanted: readonly ReverseName[]): Promise<Place[]> {
  const own = await netblockList(context.queries, context.caller.account, undefined);
  const provider = await providerNetblocks(context.queries);
  return wanted.map(({ ip, record }) => {
    const address = sortableAddress(parseAddress(ip)!);
    const holds = ({ first, last }: AddressRange): boolean => first <= address && address <= last;
    if (!own.some(holds)) throw new Fault('not_found');
    // Of blocks inside each other the smallest counts: it begins last.
    const block = provider.findLast(holds);
    if (block === undefined) throw noZone();
    return { ...placeIn(block, ip), address, target: record };
  });
}

function placeIn(block: Netblock, ip: string): Pick<Place, 'zone' | 'name'> {
  const { base, prefixLength } = parseNetwork(block.cidr)!;
  const prefix = { address: base.toString(), length: prefixLength };
  const name = reverseNameWithin(prefix, ip);
  return { name, zone: reverseZones(prefix).find((zone) => isWithin(name, zone))! };
}

async function setInZone(context: Context, zone: Zone, places: readonly Place[]): Promise<void> {
  const { soa } = await surroundings(context, zone, zone.name);
  const present = await recordsOfReverse(
    context.queries,
    zone,
    places.map(({ address }) => address),
  );
  const byAddress = new Map(present.map((record) => [record.address, record]));
  const edits = places.flatMap((place) => editsOf(place, byAddress.get(place.address)));
  if (edits.length > 0) await changeZone(zoneWork(context), zone, soa, edits);
}

function editsOf({ name, address, target }: Place, before: DnsRecord | undefined): Edit[] {
  if (target === '') {
    if (before === undefined) throw new Fault('not_found');
    return [{ before }];
  }
  const after = { ...dataOfWire(name, TYPE.PTR, defaultTtlSeconds, contentToWire(TYPE.PTR, target)), address };
  if (before?.rdata.equals(after.rdata)) return [];
  return [before === undefined ? { after } : { before, after }];
}

async function ownZoneOf(context: Context, name: string): Promise<Zone> {
  const zones = await zonesNamed(context.queries, chainOfNames(name));
  const closest = zones.toSorted((one, other) => other.name.length - one.name.length)[0];
  const { account } = context.caller;
  const zone = closest?.account_id === account ? await zoneLock(context.queries, account, closest.id) : undefined;
  if (zone === undefined)
    throw invalid({ record: 'lies in no zone of this account, so that no address record can be made for it' });
  return zone;
}

function noZone(): Fault {
  return new Fault('capability_missing', { message: 'The provider has no reverse zone for this address.' });
}
