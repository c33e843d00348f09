// Reverse names of addresses that an account no longer holds: those in the provider's zones, and the account's zones. They must
// not outlive the customer.
import { contains } from '#lib/delivery.ts';
import { recordsAt, recordsOfLostAddresses } from '#store/dns/records.ts';
import { publicationRequest, publicationSweep } from '#store/dns/zone-publications.ts';
import { providerZoneLock, providerZones, zonesWithin } from '#store/dns/zones.ts';
import { holdingsOfAccount } from '#store/network/netblock-holdings.ts';
import { netblockList } from '#store/network/netblocks.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import type { Queries } from '#store/store.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import type { App, ChangedZones } from '../app.ts';
import { changeZone, providerAuthor, type ZoneWork } from './change.ts';
import { isCustomerZone, withdrawZone } from './withdrawal.ts';
import { reverseRange } from './zone-names.ts';

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
export async function withdrawLostNames(app: App, queries: Queries): Promise<void> {
  const changedZones: ChangedZones = new Map();
  await removeLostNames({
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
