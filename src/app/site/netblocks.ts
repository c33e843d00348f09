// The site's netblocks: the provider's own with a reverse zone for each, and what services have of them. An address that was
// taken from its account loses its name. A block that the file leaves out stays what it is, unless it is to be removed.
import type { Site } from '#contract/site.ts';
import { networkRange, networkText } from '#kernel/address-ranges.ts';
import { addressText, networkContains, parseAddress, parseNetwork, type Network } from '#kernel/addresses.ts';
import { holdingBegin, holdingEnd } from '#store/network/netblock-holdings.ts';
import {
  netblockPut,
  netblockRemove,
  poolsLock,
  providerNetblocks,
  requestedNetblocks,
  siteNetblocks,
  type Netblock,
} from '#store/network/netblocks.ts';
import { recordsOfLostAddresses, recordsAt } from '#store/dns/records.ts';
import type { Queries } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';
import { publicationWant } from '#store/dns/zone-publications.ts';
import { providerZoneLock, providerZones } from '#store/dns/zones.ts';
import { reverseZones } from '#wire/dns/reverse.ts';
import { TYPE } from '#wire/dns/types.ts';
import { changeZone, type ZoneWork } from '../dns/change.ts';
import { dnsSettings } from '../dns/settings.ts';
import { makeZone, removeZone } from '../dns/zones.ts';
import type { Yard, ZonesTouched } from '../yard.ts';
import { differs } from './equipment.ts';
import { nameOf, type Removed } from './settings.ts';

interface SiteBlock {
  readonly network: Network;
  readonly service?: number;
  readonly account?: AccountId;
  readonly pool?: 'assign' | 'ask';
  readonly gateway?: string;
}

export interface NetblockWork {
  readonly removed: Removed;
  /** What services of the file had as their own address until now. */
  readonly addressesLeft: readonly string[];
}

export async function applyNetblocks(
  yard: Yard,
  queries: Queries,
  site: Site,
  { removed, addressesLeft }: NetblockWork,
): Promise<void> {
  const blocks = blocksOf(site);
  const wanted = new Map(blocks.map((block) => [networkText(block.network), block]));
  const left = new Set(addressesLeft.map((address) => networkText(parseNetwork(address)!)));
  const isGone = ({ cidr }: Netblock) =>
    !wanted.has(cidr) && (removed.has(nameOf('netblocks', cidr)) || left.has(cidr));
  const now = yard.clock.now();
  // Nobody gets a block on request while the file is looked at. Where it says what is there already, nobody has to wait.
  if (await saysAnother(queries, wanted, isGone)) await poolsLock(queries);
  await endRequested(queries, site, now);
  await refuseTaken(queries, wanted, isGone);
  for (const block of (await siteNetblocks(queries)).filter(isGone)) {
    await netblockRemove(queries, block.id);
    await holdingEnd(queries, block.cidr, now);
  }
  await putBlocks(queries, wanted, now);
  const zonesTouched: ZonesTouched = new Map();
  // Nobody is told here: this is applied before the name server is opened, or by a command beside it.
  const work = { yard, queries, operation: 'site', account: null, zonesTouched, afterCommit: () => {} };
  await putReverseZones(work);
  await removeLostNames(work);
  if (site.nameserver?.powerdns !== undefined)
    for (const zone of zonesTouched.keys()) await publicationWant(queries, zone);
}

/** What the file lists, and the address of each service that lies in no block of that service. */
function blocksOf(site: Site): SiteBlock[] {
  const accounts = new Map((site.services ?? []).map(({ id, customer }) => [id, customer as AccountId]));
  const listed = (site.netblocks ?? []).map(({ cidr, service, pool, gateway }): SiteBlock => {
    const network = parseNetwork(cidr)!;
    const block = { network, ...(gateway === undefined ? {} : { gateway: addressText(gateway)! }) };
    return service === undefined
      ? { ...block, ...(pool === undefined ? {} : { pool }) }
      : { ...block, service, account: accounts.get(service)! };
  });
  const single = (site.services ?? []).flatMap(({ id, ip }): SiteBlock[] => {
    const address = parseAddress(ip)!;
    const held = listed.some(({ network, service }) => service === id && networkContains(network, address));
    return held ? [] : [{ network: parseNetwork(ip)!, service: id, account: accounts.get(id)! }];
  });
  return [...listed, ...single];
}

function rowOf(cidr: string, { network, service, account, pool, gateway }: SiteBlock) {
  return {
    cidr,
    ...networkRange(network),
    service_id: service ?? null,
    account_id: account ?? null,
    pool: pool ?? null,
    gateway: gateway ?? null,
  };
}

async function saysAnother(
  queries: Queries,
  wanted: ReadonlyMap<string, SiteBlock>,
  isGone: (block: Netblock) => boolean,
): Promise<boolean> {
  const stored = await siteNetblocks(queries);
  const rows = new Map(stored.map((row) => [row.cidr, row]));
  return stored.some(isGone) || [...wanted].some(([cidr, block]) => differs(rows.get(cidr), rowOf(cidr, block)));
}

async function putBlocks(queries: Queries, wanted: ReadonlyMap<string, SiteBlock>, now: number): Promise<void> {
  for (const [cidr, block] of wanted) {
    const row = rowOf(cidr, block);
    await netblockPut(queries, row);
    const { first, last, service_id, account_id } = row;
    if (service_id === null || account_id === null) await holdingEnd(queries, cidr, now);
    else await holdingBegin(queries, { cidr, first, last, service_id, account_id }, now);
  }
}

/** What a service got on request it gives back when it ends. */
async function endRequested(queries: Queries, site: Site, now: number): Promise<void> {
  const ended = new Set((site.services ?? []).filter(({ status }) => status === 'Terminated').map(({ id }) => id));
  for (const { id, cidr, service_id } of await requestedNetblocks(queries)) {
    if (service_id === null || !ended.has(service_id)) continue;
    await netblockRemove(queries, id);
    await holdingEnd(queries, cidr, now);
  }
}

/** A file cannot give away what a service has on request, or has by an earlier file and keeps. */
async function refuseTaken(
  queries: Queries,
  wanted: ReadonlyMap<string, SiteBlock>,
  isGone: (block: Netblock) => boolean,
): Promise<void> {
  const assigned = [...wanted].filter(([, { service }]) => service !== undefined);
  const requested = await requestedNetblocks(queries);
  const kept = (await siteNetblocks(queries)).filter(
    (block) => block.service_id !== null && !wanted.has(block.cidr) && !isGone(block),
  );
  for (const block of [...requested, ...kept]) {
    for (const [cidr, { network, service }] of assigned) {
      const { first, last } = networkRange(network);
      if (first > block.last || last < block.first) continue;
      if (service === block.service_id && (cidr === block.cidr || block.origin === 'site')) continue;
      const how = block.origin === 'request' ? 'on request' : 'by an earlier file; this one leaves that out';
      throw new Error(`${cidr} cannot be assigned: service ${block.service_id} got ${block.cidr} ${how}`);
    }
  }
}

async function putReverseZones(work: ZoneWork): Promise<void> {
  const settings = await dnsSettings(work.queries);
  const provider = settings.names.length === 0 ? [] : await providerNetblocks(work.queries);
  const wanted = new Set(
    provider.flatMap(({ cidr }) => {
      const [address = '', length] = cidr.split('/');
      return reverseZones({ address, length: Number(length) });
    }),
  );
  for (const zone of await providerZones(work.queries)) {
    if (!wanted.delete(zone.name)) await removeZone(work, zone);
  }
  for (const name of wanted) {
    if ((await makeZone(work, settings, { name, kind: 'reverse' })) === undefined)
      throw new Error(`the reverse zone ${name} cannot be made: a customer has a zone of that name`);
  }
}

async function removeLostNames(work: ZoneWork): Promise<void> {
  const lost = Map.groupBy(await recordsOfLostAddresses(work.queries), (record) => record.zone_id);
  for (const { id, name } of await providerZones(work.queries)) {
    const gone = lost.get(id);
    if (gone === undefined) continue;
    const zone = (await providerZoneLock(work.queries, name))!;
    const soa = (await recordsAt(work.queries, zone, name)).find((record) => record.type === TYPE.SOA);
    await changeZone(
      work,
      zone,
      soa,
      gone.map((before) => ({ before })),
    );
  }
}
