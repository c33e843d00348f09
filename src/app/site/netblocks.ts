// The site's netblocks: the provider's own with a reverse zone for each, and what services have of them. An address that was
// taken from its account loses its name.
import type { Site } from '#contract/site.ts';
import { networkRange, networkText } from '#kernel/address-ranges.ts';
import { addressText, networkContains, parseAddress, parseNetwork, type Network } from '#kernel/addresses.ts';
import { holdingBegin, holdingEnd } from '#store/netblock-holdings.ts';
import { netblockPut, netblockRemove, poolsLock, requestedNetblocks, siteNetblocks } from '#store/netblocks.ts';
import { recordsOfLostAddresses, recordsAt } from '#store/records.ts';
import type { Queries } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';
import { publicationWant } from '#store/zone-publications.ts';
import { providerZoneLock, providerZones } from '#store/zones.ts';
import { reverseZones } from '#wire/dns/reverse.ts';
import { TYPE } from '#wire/dns/types.ts';
import { changeZone, type ZoneWork } from '../dns/change.ts';
import { dnsSettings } from '../dns/settings.ts';
import { makeZone, removeZone } from '../dns/zones.ts';
import type { Yard, ZonesTouched } from '../yard.ts';

interface SiteBlock {
  readonly network: Network;
  readonly service?: number;
  readonly account?: AccountId;
  readonly pool?: 'assign' | 'ask';
  readonly gateway?: string;
}

export async function applyNetblocks(yard: Yard, queries: Queries, site: Site): Promise<void> {
  const blocks = blocksOf(site);
  // Nobody gets a block on request while the file is looked at.
  await poolsLock(queries);
  await endRequested(queries, site, yard.clock.now());
  await putBlocks(queries, blocks, yard.clock.now());
  const zonesTouched: ZonesTouched = new Map();
  // Nobody is told here: this is applied before the name server is opened, or by a command beside it.
  const work = { yard, queries, operation: 'site', account: null, zonesTouched, afterCommit: () => {} };
  await putReverseZones(work, blocks);
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

async function putBlocks(queries: Queries, blocks: readonly SiteBlock[], now: number): Promise<void> {
  const wanted = new Map(blocks.map((block) => [networkText(block.network), block]));
  await refuseTaken(queries, wanted);
  for (const { id, cidr } of await siteNetblocks(queries)) {
    if (wanted.has(cidr)) continue;
    await netblockRemove(queries, id);
    await holdingEnd(queries, cidr, now);
  }
  for (const [cidr, { network, service, account, pool = null, gateway = null }] of wanted) {
    const block = { cidr, ...networkRange(network) };
    await netblockPut(queries, { ...block, service_id: service ?? null, account_id: account ?? null, pool, gateway });
    if (service === undefined || account === undefined) await holdingEnd(queries, cidr, now);
    else await holdingBegin(queries, { ...block, service_id: service, account_id: account }, now);
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

async function refuseTaken(queries: Queries, wanted: ReadonlyMap<string, SiteBlock>): Promise<void> {
  const assigned = [...wanted].filter(([, { service }]) => service !== undefined);
  for (const requested of await requestedNetblocks(queries)) {
    for (const [cidr, { network, service }] of assigned) {
      const { first, last } = networkRange(network);
      if (first > requested.last || last < requested.first) continue;
      if (cidr === requested.cidr && service === requested.service_id) continue;
      throw new Error(`${cidr} cannot be assigned: service ${requested.service_id} got ${requested.cidr} on request`);
    }
  }
}

async function putReverseZones(work: ZoneWork, blocks: readonly SiteBlock[]): Promise<void> {
  const settings = await dnsSettings(work.queries);
  const provider = settings.names.length === 0 ? [] : blocks.filter(({ service }) => service === undefined);
  const wanted = new Set(
    provider.flatMap(({ network }) => {
      const [address = ''] = networkText(network).split('/');
      return reverseZones({ address, length: network.prefixLength });
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
