// Zones of customers that conflict with a site file. The provider needs its reverse zones, so those of customers are set
// aside. A zone that overlaps a domain of the provider may be the provider's own, so it is only reported.
import type { WithdrawalReason } from '#contract/shapes/dns.ts';
import { allWithdrawnZones, type WithdrawnZone } from '#store/dns/withdrawn-zones.ts';
import type { Queries } from '#store/store.ts';
import { dnsSettings } from '../dns/settings.ts';
import { isCustomerZone } from '../dns/withdrawal.ts';
import { overlappingZones, providerDomains } from '../dns/zone-names.ts';

export interface ZoneConflict {
  readonly zone: string;
  readonly account: number;
  /** The rest of the sentence. */
  readonly what: string;
}

const reasons: Record<WithdrawalReason, string> = {
  provider: 'its name belongs to a block of the provider',
  addresses: 'the customer no longer has its addresses',
  proof: 'another customer proved control of the domain',
};

/** Returns the zones that were withdrawn since, and those that overlap a domain of the provider. */
export async function findZoneConflicts(
  queries: Queries,
  withdrawnBefore: readonly WithdrawnZone[],
): Promise<ZoneConflict[]> {
  const known = new Set(withdrawnBefore.map(({ id }) => id));
  const withdrawn = (await allWithdrawnZones(queries)).filter(({ id }) => !known.has(id));
  const settings = await dnsSettings(queries);
  const conflicts = withdrawn.map(({ name, account_id, reason }) => ({
    zone: name,
    account: account_id,
    what: `is set aside: ${reasons[reason]}`,
  }));
  for (const domain of providerDomains(settings)) {
    for (const { name, account_id } of (await overlappingZones(queries, domain)).filter(isCustomerZone)) {
      if (account_id === settings.account) continue;
      const what = `overlaps ${domain}, a domain of the provider: ask them to delete it, or set nameserver.account if the account is yours`;
      conflicts.push({ zone: name, account: account_id, what });
    }
  }
  return conflicts;
}
