// The events that a key sees if it is limited to certain DNS records: those of its records, and all that are not about
// the DNS.
import { dnsOperations } from '#contract/dns-operations.ts';
import type { AccountId } from '#store/account-id.ts';
import { zoneNames } from '#store/dns/zones.ts';
import type { Queries } from '#store/store.ts';
import { eventData, type StoredEvent } from '#store/work/events.ts';
import { typeNumber } from '#protocols/dns/types.ts';
import { isZoneVisible, visibleSets, type DnsLimits } from './limits.ts';

interface EventReader {
  readonly account: AccountId;
  readonly dnsLimits?: DnsLimits;
}

interface DnsEventData {
  readonly domain_id?: string;
  readonly name?: string;
  readonly type?: string;
  readonly operation?: string;
}

/** Returns true if events of this type can be about the DNS. */
export function mayConcernDns(type: string): boolean {
  return type.startsWith('dns.') || type.startsWith('plan.');
}

export async function visibleDnsEvents(
  queries: Queries,
  { account, dnsLimits }: EventReader,
  events: readonly StoredEvent[],
): Promise<readonly StoredEvent[]> {
  if (dnsLimits === undefined) return events;
  const dataOf = (event: StoredEvent): DnsEventData => eventData.decode(event.data);
  const ids = events.flatMap((event) => (mayConcernDns(event.type) ? [Number(dataOf(event).domain_id ?? 0)] : []));
  const names = await zoneNames(queries, account, [...new Set(ids)]);
  return events.filter((event) => {
    if (!mayConcernDns(event.type)) return true;
    const { domain_id, name = '', type = 'ALIAS', operation } = dataOf(event);
    if (event.type.startsWith('plan.')) return !dnsOperations.has(`v2.${operation}`);
    if (event.type.startsWith('dns.zone.') || event.type === 'dns.dnssec.changed')
      return isZoneVisible(dnsLimits, name);
    // Of a zone that is gone, the name is not known; reverse names are in zones of the provider.
    const zone = names.get(Number(domain_id));
    return zone !== undefined && visibleSets(dnsLimits, zone)({ name, type: typeNumber(type) });
  });
}
