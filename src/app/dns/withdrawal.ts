// Takes zones from the account that holds them, because another account has a better right to the name. The account is
// notified, and keeps a copy of its records.
import type { Static } from 'typebox';
import type { WithdrawalReason, WithdrawnZone as WithdrawnZoneShape } from '#contract/shapes/dns.ts';
import { appendEvent } from '#events/append.ts';
import * as store from '#store/dns/withdrawn-zones.ts';
import type { Zone } from '#store/dns/zones.ts';
import type { AccountId } from '#store/account-id.ts';
import type { Context } from '../app.ts';
import type { ZoneWork } from './change.ts';
import { isZoneVisible } from './limits.ts';
import { removeZone } from './zones.ts';

const keptPerAccount = 100;

/** A zone of a customer, not of the provider. */
export type CustomerZone = Zone & { readonly account_id: AccountId };

export function isCustomerZone(zone: Zone): zone is CustomerZone {
  return zone.account_id !== null;
}

export async function withdrawZone(work: ZoneWork, zone: CustomerZone, reason: WithdrawalReason): Promise<void> {
  const { app, queries } = work;
  const { id, name, account_id: account } = zone;
  await store.withdrawnZoneInsert(
    queries,
    { id, account_id: account, name, reason, at: app.clock.now() },
    keptPerAccount,
  );
  await removeZone(work, zone);
  const data = { domain_id: String(id), name, reason };
  await appendEvent(app, queries, { account, type: 'dns.zone.withdrawn', data });
}

export async function zoneWithdrawnList({ queries, caller }: Context): Promise<Static<typeof WithdrawnZoneShape>[]> {
  const zones = await store.withdrawnZoneList(queries, caller.account);
  const visible = zones.filter(({ name }) => isZoneVisible(caller.dnsLimits, name));
  return visible.map(({ id, name, reason, at }) => ({
    domain_id: String(id),
    name,
    reason,
    timestamp: new Date(at).toISOString(),
  }));
}
