// Names that must not outlive the customer: reverse names of addresses that an account no longer holds, in the provider's zones
// and in the account's, and the zones of an account that is closed.
import { appendEvent } from '#events/append.ts';
import { contains } from '#lib/delivery.ts';
import { pauseWork } from '#lib/slices.ts';
import type { AccountId } from '#store/account-id.ts';
import { recordsAt, recordsOfLostAddresses } from '#store/dns/records.ts';
import { publicationRequest, publicationSweep } from '#store/dns/zone-publications.ts';
import { providerZoneLock, providerZones, zoneList, zoneLock, zonesWithin, type Zone } from '#store/dns/zones.ts';
import { holdingsOfAccount } from '#store/network/netblock-holdings.ts';
import { netblockList } from '#store/network/netblocks.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import type { Queries } from '#store/store.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import type { ChangedZones } from '../app.ts';
import { changeZone, providerAuthor, type ZoneWork } from './change.ts';
import { isCustomerZone, withdrawZone } from './withdrawal.ts';
import { reverseRange } from './zone-names.ts';
import { removeZone } from './zones.ts';

type ZoneApp = ZoneWork['app'];

export async function removeLostNames(work: ZoneWork): Promise<void> {
  await withdrawLostZones(work);
  const lostRecords = Map.groupBy(await recordsOfLostAddresses(work.queries), (record) => record.zone_id);
  for (const { id, name } of await providerZones(work.queries)) {
    const records = lostRecords.get(id);
    if (records === undefined) continue;
    const zone = (await providerZoneLock(work.queries, name))!;
    const soa = (await recordsAt(work.queries, zone, name)).find((record) => record.type === rrTypes.SOA);
    await changeZone(
      work,
      zone,
      soa,
      records.map((before) => ({ before })),
    );
  }
}

/** A zone of addresses that the account never had, which older versions allowed, is not lost and stays. */
async function withdrawLostZones(work: ZoneWork): Promise<void> {
  const { queries, app } = work;
  for (const zone of (await zonesWithin(queries, 'arpa')).filter(isCustomerZone)) {
    const range = reverseRange(zone.name);
    if (range === undefined) continue;
    const held = await netblockList(queries, zone.account_id, undefined);
    if (held.some((block) => contains(block, range))) continue;
    const everHeld = await holdingsOfAccount(queries, zone.account_id, 0, app.clock.now() + 1);
    if (everHeld.some((block) => contains(block, range))) await withdrawZone(work, zone, 'addresses');
  }
}

/** Removes the names in the caller's transaction, and requests their publication. */
export function withdrawLostNames(app: ZoneApp, queries: Queries): Promise<void> {
  return changeAsProvider(app, queries, removeLostNames);
}

/** Removes the zones of an account that is closed, in the same way: nobody could change or delete them any more. */
export function removeZonesOfAccount(app: ZoneApp, queries: Queries, account: AccountId): Promise<void> {
  return changeAsProvider(app, queries, async (work) => {
    const zones: Zone[] = [];
    // All of them first: whoever deletes one waits for the names of all zones after locking it.
    for (const { id } of await zoneList(queries, account, {}))
      zones.push(...[await zoneLock(queries, account, id)].filter((zone) => zone !== undefined));
    for (const zone of zones) {
      await removeZone(work, zone);
      const data = { domain_id: String(zone.id), name: zone.name };
      await appendEvent(app, queries, { account, type: 'dns.zone.deleted', data });
      await pauseWork('in a transaction');
    }
  });
}

async function changeAsProvider(
  app: ZoneApp,
  queries: Queries,
  change: (work: ZoneWork) => Promise<void>,
): Promise<void> {
  const changedZones: ChangedZones = new Map();
  await change({
    app,
    queries,
    operation: 'terminate',
    account: null,
    limits: undefined,
    author: providerAuthor,
    changedZones,
    afterCommit: () => {},
  });
  if (app.nameService.external === undefined || changedZones.size === 0) return;
  for (const zone of changedZones.keys()) await publicationRequest(queries, zone);
  await reconcilerSignal(queries, publicationSweep);
}
