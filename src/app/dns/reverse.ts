// Reverse DNS of the account's addresses. The records are in the provider's zones; only the account that has an address
// can set its name or learn that it exists.
import { addressesOf, isSortableIpv4, readSortable, sortableAddress, type AddressRange } from '#lib/address-ranges.ts';
import { parseAddress, parseNetwork } from '#lib/addresses.ts';
import { ApiError, invalid, requireFound } from '#lib/api-error.ts';
import { netblockList, netblockLock, providerNetblocks, type Netblock } from '#store/network/netblocks.ts';
import { recordsOfAddresses, recordsOfReverse, type DnsRecord } from '#store/dns/records.ts';
import type { Service } from '#store/devices/services.ts';
import { providerZoneLock, zoneLock, zonesNamed, type Zone } from '#store/dns/zones.ts';
import { ancestorNames, isWithin, parseName } from '#protocols/dns/name.ts';
import { contentToWire } from '#protocols/dns/rdata.ts';
import { reverseNameWithin, reverseZones } from '#protocols/dns/reverse.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import type { Context } from '../app.ts';
import { isServiceVisible } from '../services/limits.ts';
import { visibleServices } from '../services/visible-services.ts';
import { isMachine, serviceOf } from '../services/services.ts';
import { changeZone, zoneWork, type Edit } from './change.ts';
import { dataOfWire, defaultTtlSeconds, readable, recordShape } from './content.ts';
import { requireWritable, visibleSets } from './limits.ts';
import { additionEdits, getSurroundings } from './records.ts';
import { unchanged, type Difference, type NamedDifference } from './replace.ts';
import { dnsSettings, hostName } from './settings.ts';

const noRecord = 'No Record Found';

/**
 * Returns every assigned IPv4 address, and each IPv6 address that is in use or has a name. An IPv6 block with none of
 * these is listed itself.
 */
export async function reverseList(context: Context, service: number | undefined): Promise<Record<string, string>> {
  const { queries, caller } = context;
  if (service !== undefined) await serviceOf(context, service);
  const services = new Map((await visibleServices(context)).map((row) => [row.id, row]));
  const names: Record<string, string> = {};
  for (const block of await visibleNetblocks(context, service)) {
    const records = await recordsOfAddresses(queries, caller.account, block);
    const nameOfAddress = new Map(records.map(({ address, content }) => [address!, content]));
    const isIpv4 = isSortableIpv4(block.first);
    const usedIpv6 = isIpv4 ? [] : addressesInUse(block, services.get(block.service_id ?? 0));
    const listed = isIpv4 ? addressesOf(block) : new Set([...usedIpv6, ...nameOfAddress.keys()].toSorted());
    for (const address of listed) names[readSortable(address)] = nameOfAddress.get(address) ?? noRecord;
    if (!isIpv4 && usedIpv6.length + nameOfAddress.size === 0) names[block.cidr] = noRecord;
  }
  return visibleNames(context, names);
}

async function visibleNetblocks({ queries, caller }: Context, service: number | undefined): Promise<Netblock[]> {
  const blocks = await netblockList(queries, caller.account, service);
  return blocks.filter(({ service_id }) => isServiceVisible(caller.services, service_id));
}

/** Returns the addresses whose names the caller's key may set. */
async function visibleNames(
  { queries, caller }: Context,
  names: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  if (caller.dnsLimits === undefined) return names;
  const provider = await providerNetblocks(queries);
  const visible = Object.entries(names).filter(([ip]) => {
    const place = ip.includes('/') ? undefined : placeOf(provider, ip);
    return place && visibleSets(caller.dnsLimits, place.zone)({ name: place.name, type: rrTypes.PTR });
  });
  return Object.fromEntries(visible);
}

/** A machine uses the first address of each of its IPv6 blocks. */
function addressesInUse({ first, last }: AddressRange, service: Service | undefined): string[] {
  if (service === undefined) return [];
  const main = parseAddress(service.ip);
  const addresses = [...(main === undefined ? [] : [sortableAddress(main)]), ...(isMachine(service) ? [first] : [])];
  return addresses.filter((address) => first <= address && address <= last);
}

/** An address and its name, both in canonical form. */
export interface ReverseName {
  readonly ip: string;
  /** Empty to delete the record. */
  readonly record: string;
}

/** The forward record is the A or AAAA record of the name, in the account's zone. */
export async function reverseSet(
  context: Context,
  ip: string,
  name: string,
  how: 'alone' | 'with the forward record',
): Promise<void> {
  const record = hostName(await dnsSettings(context.queries), 'record', name);
  const reverseName = { ip: canonicalAddress(ip), record };
  await setNames(context, [reverseName]);
  if (how === 'with the forward record') await setForward(context, reverseName);
}

/** In the legacy API, a name may contain any letters, digits, hyphens and underscores. */
export async function reverseSetLegacy(context: Context, ip: string, record: string): Promise<void> {
  const name = readable('record', () => parseName(record));
  if (name === '') throw invalid({ record: 'must be a name' });
  // Four numbers are valid labels, and yet an address.
  readable('record', () => contentToWire(rrTypes.PTR, name));
  await setNames(context, [{ ip: canonicalAddress(ip), record: name }]);
}

/** Sets all or none. */
export async function reverseSetMany(
  context: Context,
  records: readonly ReverseName[],
): Promise<Record<string, string>> {
  const names = await canonicalNames(context, 'records', records);
  await setNames(context, names);
  return Object.fromEntries(names.map(({ ip, record }) => [ip, record]));
}

/** `field` is the parameter that contained the addresses. */
export async function canonicalNames(
  { queries }: Context,
  field: string,
  records: readonly ReverseName[],
): Promise<ReverseName[]> {
  const settings = await dnsSettings(queries);
  const names = new Map<string, string>();
  for (const { ip, record } of records) {
    const canonical = canonicalAddress(ip);
    if (names.has(canonical)) throw invalid({ [field]: `lists ${canonical} twice` });
    names.set(canonical, hostName(settings, field, record));
  }
  return [...names].map(([ip, record]) => ({ ip, record }));
}

export async function reverseDelete(context: Context, ip: string): Promise<void> {
  await setNames(context, [{ ip: canonicalAddress(ip), record: '' }]);
}

/** Returns what changed in each zone. */
export async function setNames(context: Context, names: readonly ReverseName[]): Promise<NamedDifference[]> {
  const places = await lockPlaces(context, names);
  const byZone = Map.groupBy(places, ({ zone }) => zone);
  const differences: NamedDifference[] = [];
  // In one order, so that two such calls never wait for each other.
  for (const name of [...byZone.keys()].toSorted()) {
    const zone = await providerZoneLock(context.queries, name);
    if (zone === undefined) throw noZone();
    differences.push({ domain_id: '', zone: name, ...(await setInZone(context, zone, byZone.get(name)!)) });
  }
  for (const [service, ofService] of Map.groupBy(places, (place) => place.service)) {
    const records = ofService.map(({ address, target }) => ({ ip: readSortable(address), record: target }));
    context.emit('dns.reverse.changed', { records }, service);
  }
  return differences;
}

async function setForward(context: Context, reverseName: ReverseName): Promise<void> {
  const zone = await zoneOfAccount(context, reverseName.record);
  const type = reverseName.ip.includes(':') ? rrTypes.AAAA : rrTypes.A;
  const { soa, node } = await getSurroundings(context, zone, reverseName.record);
  const ttl = node.find((record) => record.type === type)?.ttl ?? defaultTtlSeconds;
  const after = dataOfWire(reverseName.record, type, ttl, contentToWire(type, reverseName.ip));
  if (node.some((record) => record.type === type && record.rdata.equals(after.rdata))) return;
  const { ids } = await changeZone(zoneWork(context), zone, soa, additionEdits(node, after));
  context.emit('dns.record.created', recordShape({ ...after, id: ids[0]!, zone_id: zone.id }));
}

function canonicalAddress(ip: string): string {
  return readSortable(sortableAddress(parseAddress(ip)!));
}

interface Place {
  readonly zone: string;
  readonly name: string;
  readonly address: string;
  readonly target: string;
  readonly service: number;
}

/**
 * Returns where the names of these addresses are stored, and locks their blocks. Another account's address is as absent as an
 * unassigned one.
 */
async function lockPlaces(context: Context, names: readonly ReverseName[]): Promise<Place[]> {
  const assigned = await visibleNetblocks(context, undefined);
  const provider = await providerNetblocks(context.queries);
  const places = names.map(({ ip, record }) => {
    const address = sortableAddress(parseAddress(ip)!);
    const own = requireFound(assigned.find((block) => isIn(block, address)));
    const place = placeOf(provider, ip);
    if (place === undefined) throw noZone();
    return { ...place, address, target: record, service: own.service_id!, block: own };
  });
  // A name of a block that is being taken back would stay.
  for (const block of new Set(places.map((place) => place.block)))
    if (!(await netblockLock(context.queries, block))) throw new ApiError('not_found');
  // Names of addresses are part of the service that has them.
  for (const service of new Set(places.map((place) => place.service))) await serviceOf(context, service);
  return places;
}

function isIn({ first, last }: AddressRange, address: string): boolean {
  return first <= address && address <= last;
}

/** Returns undefined if the provider has no reverse zone for the address. */
function placeOf(provider: readonly Netblock[], ip: string): Pick<Place, 'zone' | 'name'> | undefined {
  const address = sortableAddress(parseAddress(ip)!);
  // Of nested blocks the smallest counts, which starts last.
  const block = provider.findLast((candidate) => isIn(candidate, address));
  if (block === undefined) return undefined;
  const { base, prefixLength } = parseNetwork(block.cidr)!;
  const prefix = { address: base.toString(), length: prefixLength };
  const name = reverseNameWithin(prefix, ip);
  return { name, zone: reverseZones(prefix).find((zone) => isWithin(name, zone))! };
}

async function setInZone(context: Context, zone: Zone, places: readonly Place[]): Promise<Difference> {
  const writes = places.map(({ name }) => ({ name, type: rrTypes.PTR }));
  requireWritable(context.caller.dnsLimits, zone.name, writes);
  const { soa } = await getSurroundings(context, zone, zone.name);
  const addresses = places.map(({ address }) => address);
  const records = await recordsOfReverse(context.queries, zone, addresses);
  const byAddress = new Map(records.map((record) => [record.address, record]));
  const edits = places.flatMap((place) => editsOf(place, byAddress.get(place.address)));
  if (edits.length === 0) return unchanged(soa);
  const { added, removed, serial } = await changeZone(zoneWork(context), zone, soa, edits);
  return { added, removed, applied: true, serial: String(serial) };
}

function editsOf({ name, address, target }: Place, before: DnsRecord | undefined): Edit[] {
  if (target === '') return [{ before: requireFound(before) }];
  const after = { ...dataOfWire(name, rrTypes.PTR, defaultTtlSeconds, contentToWire(rrTypes.PTR, target)), address };
  if (before?.rdata.equals(after.rdata)) return [];
  return [before === undefined ? { after } : { before, after }];
}

async function zoneOfAccount(context: Context, name: string): Promise<Zone> {
  const zones = await zonesNamed(context.queries, ancestorNames(name));
  const closest = zones.toSorted((left, right) => right.name.length - left.name.length)[0];
  const { account } = context.caller;
  const zone = closest?.account_id === account ? await zoneLock(context.queries, account, closest.id) : undefined;
  if (zone === undefined)
    throw invalid({ record: 'is not in a zone of this account, so its address record cannot be created' });
  return zone;
}

function noZone(): ApiError {
  return new ApiError('capability_missing', { message: 'The provider has no reverse zone for this address.' });
}
