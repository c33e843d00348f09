// v2: zones, records and reverse DNS. Record names are fully qualified here.
import type { dnsV2 } from '#contract/v2/dns.ts';
import { changeSetApply } from '#app/dns/change-set.ts';
import { zoneDelegationGet } from '#app/dns/delegation.ts';
import { dnssecAct, dnssecDisable, dnssecEnable, dnssecGet } from '#app/dns/dnssec.ts';
import { zoneHistoryGet, zoneRollBack } from '#app/dns/history.ts';
import { recordList } from '#app/dns/listing.ts';
import { recordCreate, recordDelete, recordDeleteMany, recordUpdate } from '#app/dns/records.ts';
import { reverseDelete, reverseList, reverseSet, reverseSetMany } from '#app/dns/reverse.ts';
import { recordSearch } from '#app/dns/search.ts';
import { zoneClaim, zoneClaimVerify } from '#app/dns/zone-claims.ts';
import { zoneWithdrawnList } from '#app/dns/withdrawal.ts';
import { zoneFileGet, zoneFileImport } from '#app/dns/zonefile.ts';
import { zoneCreate, zoneDelete, zoneList } from '#app/dns/zones.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const dnsHandlers: HandlersOf<typeof dnsV2> = {
  zoneList,
  zoneCreate: (context, { domain }) => zoneCreate(context, 'domain', domain),
  zoneClaim: (context, { domain }) => zoneClaim(context, domain),
  zoneClaimVerify: (context, { domain }) => zoneClaimVerify(context, domain),
  zoneWithdrawnList,
  zoneDelete: async (context, { domain }) => {
    await zoneDelete(context, domain);
    return `ID: ${domain} removed`;
  },
  zoneDelegationGet: (context, { domain }) => zoneDelegationGet(context, domain),
  recordList: (context, { domain, ...page }) => recordList(context, domain, page),
  recordSearch,
  recordCreate: respondWith('Record Added', (context, { domain, record, type, content, ttl }) =>
    recordCreate(context, domain, { nameField: 'record', name: record, type, content, ttl }),
  ),
  recordUpdate: respondWith('Record Updated', (context, { domain, record, ...change }) =>
    recordUpdate(context, domain, record, change),
  ),
  recordDelete: async (context, { domain, record }) => {
    await recordDelete(context, domain, record);
    return `ID: ${record} removed`;
  },
  recordDeleteMany: (context, { domain, records }) => recordDeleteMany(context, domain, records),
  reverseList: (context, { service }) => reverseList(context, service),
  reverseSet: respondWith('Record Updated', (context, { ip, record, forward }) =>
    reverseSet(context, ip, record, forward === true ? 'with the forward record' : 'alone'),
  ),
  reverseSetMany: (context, { records }) => reverseSetMany(context, records),
  reverseDelete: respondWith('Record Removed', (context, { ip }) => reverseDelete(context, ip)),
  changeSetApply,
  zoneFileGet: (context, { domain }) => zoneFileGet(context, domain),
  zoneFileImport: (context, { domain, zonefile, dry_run, serial }) =>
    zoneFileImport(context, domain, zonefile, { how: dry_run === true ? 'dry_run' : 'apply', serial }),
  zoneHistoryGet: (context, { domain, ...page }) => zoneHistoryGet(context, domain, page),
  zoneRollBack: (context, { domain, version }) => zoneRollBack(context, domain, version),
  dnssecGet: (context, { domain }) => dnssecGet(context, domain),
  dnssecEnable: (context, { domain }) => dnssecEnable(context, domain),
  dnssecDisable: (context, { domain, force = false }) => dnssecDisable(context, domain, { isForced: force }),
  dnssecAct: (context, { domain, action }) => dnssecAct(context, domain, action),
};
