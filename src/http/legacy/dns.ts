// Legacy: zones and records, and the reverse DNS that this API lists under virtual machines.
import type { Handlers } from '#contract/endpoint.ts';
import type { dnsLegacy } from '#contract/legacy/dns.ts';
import type { vpsLegacy } from '#contract/legacy/vps.ts';
import { recordList } from '#app/dns/listing.ts';
import { recordCreate } from '#app/dns/records.ts';
import { reverseSetLegacy } from '#app/dns/reverse.ts';
import { zoneCreate, zoneList } from '#app/dns/zones.ts';
import type { Context, Visitor } from '#app/app.ts';

export const dnsLegacyHandlers: Handlers<typeof dnsLegacy, Context, Visitor> = {
  zoneList: (context) => zoneList(context, {}),
  zoneCreate: (context, { name }) => zoneCreate(context, 'name', name),
  recordList: (context, { domain_id }) => recordList(context, domain_id, {}),
  recordCreate: (context, { domain_id, name, type, content, ttl }) =>
    recordCreate(context, domain_id, { nameField: 'name', name, type, content, ttl }),
};

export const reverseLegacyHandlers: Pick<Handlers<typeof vpsLegacy, Context, Visitor>, 'vpsReverseSet'> = {
  vpsReverseSet: async (context, { ip, record }) => {
    await reverseSetLegacy(context, ip, record);
    return 'Record Updated' as const;
  },
};
