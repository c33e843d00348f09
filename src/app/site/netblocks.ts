// Applies the site's netblocks: the provider's own, each with a reverse zone, and those assigned to services. An
// address that its account loses also loses its PTR records.
import type { Site } from '#contract/site/site.ts';
import { DisjointRanges, networkRange, networkText, type AddressRange } from '#lib/address-ranges.ts';
import { pickDefined } from '#lib/defined.ts';
import type { Delivery } from '#lib/delivery.ts';
import { addressText, networkContains, parseAddress, parseNetwork, type Network } from '#lib/addresses.ts';
import { routesReconciler } from '#equipment/router.ts';
import { holdingEnd, holdingsSync } from '#store/network/netblock-holdings.ts';
import {
  netblockRemove,
  netblocksPut,
  poolsLock,
  providerNetblocks,
  requestedNetblocks,
  siteNetblocks,
  type Netblock,
} from '#store/network/netblocks.ts';
import type { Queries } from '#store/store.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import { publicationRequest } from '#store/dns/zone-publications.ts';
import { providerZones, zoneNamesLock, zonesWithin } from '#store/dns/zones.ts';
import { reverseZones } from '#protocols/dns/reverse.ts';
import { providerAuthor, type ZoneWork } from '../dns/change.ts';
import { removeLostNames } from '../dns/lost-names.ts';
import { dnsSettings } from '../dns/settings.ts';
import { isCustomerZone, withdrawZone } from '../dns/withdrawal.ts';
import { addZone, removeZone } from '../dns/zones.ts';
import type { App, ChangedZones } from '../app.ts';
import { differs } from './equipment.ts';
import { entryName, type RemovedNames } from './settings.ts';
import type { AccountId } from '#store/account-id.ts';

interface SiteBlock {
  readonly network: Network;
  readonly service?: number;
  readonly account?: AccountId;
  readonly pool?: 'assign' | 'ask';
  readonly gateway?: string;
  readonly delivery?: Delivery;
}

export interface NetblockWork {
  readonly removed: RemovedNames;
  /** Primary addresses that services in the file had until now. */
  readonly vacatedAddresses: readonly string[];
}

export async function applyNetblocks(
  app: App,
  queries: Queries,
  site: Site,
  { removed, vacatedAddresses }: NetblockWork,
): Promise<void> {
  const blocks = desiredBlocks(site);
  const desired = new Map(blocks.map((block) => [networkText(block.network), block]));
  const vacated = new Set(vacatedAddresses.map((address) => networkText(parseNetwork(address)!)));
  const isGone = ({ cidr }: Netblock) =>
    !desired.has(cidr) && (removed.has(entryName('netblocks', cidr)) || vacated.has(cidr));
  const now = app.clock.now();
  // Holds back requests for netblocks while the file is applied; skipped when nothing changes, so that nobody waits.
  const stored = await siteNetblocks(queries);
  const storedRows = new Map(stored.map((row) => [row.cidr, row]));
  const rows = [...desired].map(([cidr, block]) => netblockRow(cidr, block));
  const changed = rows.filter((row) => differs(storedRows.get(row.cidr), row));
  if (changed.length > 0 || stored.some(isGone)) {
    await poolsLock(queries);
    await reconcilerSignal(queries, routesReconciler);
    await reconcilerSignal(queries, 'machine-addresses');
  }
  await endRequestedBlocks(queries, site, now);
  await rejectTakenBlocks(queries, desired, isGone);
  for (const block of (await siteNetblocks(queries)).filter(isGone)) {
    await netblockRemove(queries, block.id);
    await holdingEnd(queries, block.cidr, now);
  }
  await netblocksPut(queries, changed);
  const held = rows.map(({ cidr, first, last, service_id, account_id }) =>
    service_id === null || account_id === null ? { cidr } : { cidr, first, last, service_id, account_id },
  );
  await holdingsSync(queries, held, now);
  const changedZones: ChangedZones = new Map();
  // The file is applied before the name server starts, or by a separate command, of which it learns from the log of changes.
  const work = {
    app,
    queries,
    operation: 'site',
    account: null,
    limits: undefined,
    author: providerAuthor,
    changedZones,
    afterCommit: () => {},
  };
  await putReverseZones(work);
  await removeLostNames(work);
  if (site.nameserver?.powerdns !== undefined)
    for (const zone of changedZones.keys()) await publicationRequest(queries, zone);
}

/** Returns the listed netblocks, and the address of each service outside its netblocks. */
function desiredBlocks(site: Site): SiteBlock[] {
  const accounts = new Map((site.services ?? []).map(({ id, customer }) => [id, customer as AccountId]));
  const listed = (site.netblocks ?? []).map(({ cidr, service, pool, gateway, delivery }): SiteBlock => {
    const network = parseNetwork(cidr)!;
    const block = {
      network,
      ...pickDefined({ gateway: gateway === undefined ? undefined : addressText(gateway), delivery }),
    };
    return service === undefined
      ? { ...block, ...(pool === undefined ? {} : { pool }) }
      : { ...block, service, account: accounts.get(service)! };
  });
  const ofService = Map.groupBy(listed, ({ service }) => service);
  const single = (site.services ?? []).flatMap(({ id, ip }): SiteBlock[] => {
    const address = parseAddress(ip)!;
    const isCovered = (ofService.get(id) ?? []).some(({ network }) => networkContains(network, address));
    return isCovered ? [] : [{ network: parseNetwork(ip)!, service: id, account: accounts.get(id)! }];
  });
  return [...listed, ...single];
}

function netblockRow(cidr: string, { network, service, account, pool, gateway, delivery }: SiteBlock) {
  return {
    cidr,
    ...networkRange(network),
    service_id: service ?? null,
    account_id: account ?? null,
    pool: pool ?? null,
    gateway: gateway ?? null,
    delivery: delivery ?? null,
  };
}

/** Releases the requested netblocks of terminated services. */
async function endRequestedBlocks(queries: Queries, site: Site, now: number): Promise<void> {
  const ended = new Set((site.services ?? []).filter(({ status }) => status === 'Terminated').map(({ id }) => id));
  for (const { id, cidr, service_id } of await requestedNetblocks(queries)) {
    if (service_id === null || !ended.has(service_id)) continue;
    await netblockRemove(queries, id);
    await holdingEnd(queries, cidr, now);
    await reconcilerSignal(queries, routesReconciler);
  }
}

/**
 * Rejects assignments that overlap a netblock which another service got on request, or from an earlier file and keeps.
 */
async function rejectTakenBlocks(
  queries: Queries,
  desired: ReadonlyMap<string, SiteBlock>,
  isGone: (block: Netblock) => boolean,
): Promise<void> {
  const assigned = new DisjointRanges<AddressRange & { cidr: string; service: number }>();
  for (const [cidr, { network, service }] of desired)
    if (service !== undefined) assigned.add({ cidr, ...networkRange(network), service });
  const requested = await requestedNetblocks(queries);
  const retained = (await siteNetblocks(queries)).filter(
    (block) => block.service_id !== null && !desired.has(block.cidr) && !isGone(block),
  );
  for (const block of [...requested, ...retained]) {
    for (const { cidr, service } of assigned.overlapping(block)) {
      if (service === block.service_id && (cidr === block.cidr || block.origin === 'site')) continue;
      const how = block.origin === 'request' ? 'on request' : 'from an earlier file, and this file does not list it';
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
  const stored = await providerZones(work.queries);
  for (const zone of stored) if (!wanted.has(zone.name)) await removeZone(work, zone);
  const existing = new Set(stored.map(({ name }) => name));
  if ([...wanted].some((name) => !existing.has(name))) await zoneNamesLock(work.queries);
  for (const name of wanted) {
    // A customer's zone at or below ours would answer for addresses of other customers.
    for (const zone of await zonesWithin(work.queries, name))
      if (isCustomerZone(zone)) await withdrawZone(work, zone, 'provider');
    if (!existing.has(name)) await addZone(work, settings, { name, kind: 'reverse' });
  }
}
