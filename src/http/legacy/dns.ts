// Legacy: zones and records.
import type { dnsLegacy } from '#contract/legacy/dns.ts';
import { recordList } from '#app/dns/listing.ts';
import { recordCreate } from '#app/dns/records.ts';
import { zoneCreate, zoneList } from '#app/dns/zones.ts';
import type { HandlersOf } from '../handler.ts';

export const dnsLegacyHandlers: HandlersOf<typeof dnsLegacy> = {
  zoneList: (context) => zoneList(context, {}),
  zoneCreate: (context, { name }) => zoneCreate(context, 'name', name),
  recordList: (context, { domain_id }) => recordList(context, domain_id, {}),
  recordCreate: (context, { domain_id, name, type, content, ttl }) =>
    recordCreate(context, domain_id, { nameField: 'name', name, type, content, ttl }),
};
