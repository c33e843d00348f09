// Reverse names of addresses that no account holds any more. They are in the provider's zones and must not outlive the customer.
import { recordsAt, recordsOfLostAddresses } from '#store/dns/records.ts';
import { publicationRequest, publicationSweep } from '#store/dns/zone-publications.ts';
import { providerZoneLock, providerZones } from '#store/dns/zones.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import type { Queries } from '#store/store.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import type { App, ChangedZones } from '../app.ts';
import { changeZone, type ZoneWork } from './change.ts';

export async function removeLostNames(work: ZoneWork): Promise<void> {
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

/** Removes the names in the caller's transaction, and requests their publication. Returns the zones to notify secondaries of. */
export async function withdrawLostNames(app: App, queries: Queries): Promise<string[]> {
  const changedZones: ChangedZones = new Map();
  await removeLostNames({ app, queries, operation: 'terminate', account: null, changedZones, afterCommit: () => {} });
  const zones = [...changedZones.keys()];
  if (app.nameService.external !== undefined && zones.length > 0) {
    for (const zone of zones) await publicationRequest(queries, zone);
    await reconcilerSignal(queries, publicationSweep);
  }
  return zones;
}
