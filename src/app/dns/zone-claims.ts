// Claims of domains that overlap a zone of another account: the account publishes a record that only the owner of the
// domain can publish, and gets the name.
import { randomBytes } from 'node:crypto';
import type { Static } from 'typebox';
import type { DomainProof } from '#contract/parameters.ts';
import type { ZoneClaim } from '#contract/shapes/dns.ts';
import { ApiError, conflict } from '#lib/api-error.ts';
import { dayMs } from '#lib/time.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import * as store from '#store/dns/zone-claims.ts';
import { zoneNamesLock, zonesWithin } from '#store/dns/zones.ts';
import type { AccountId } from '#store/account-id.ts';
import type { Queries } from '#store/store.ts';
import type { Context } from '../app.ts';
import { zoneWork } from './change.ts';
import { proofRecord } from './domain-proof.ts';
import { dnsSettings, hostName } from './settings.ts';
import { isCustomerZone, withdrawZone } from './withdrawal.ts';
import { checkZoneName, overlappingZones } from './zone-names.ts';
import { createForwardZone } from './zones.ts';

const maxClaims = 100;
const claimMs = 7 * dayMs;

export async function zoneClaim(context: Context, text: string): Promise<Static<typeof ZoneClaim>> {
  const { queries, caller, app } = context;
  const now = app.clock.now();
  const settings = await dnsSettings(queries);
  const name = hostName(settings, 'domain', text);
  await checkZoneName(queries, caller.account, settings, { name, field: 'domain', purpose: 'prove' });
  await checkClaimable(context, name);
  const { token, expires_at } =
    (await store.claimFind(queries, caller.account, name, now)) ??
    (await insertClaim(queries, caller.account, name, now));
  return { domain: name, ...proofRecord(name, token), expires: new Date(expires_at).toISOString() };
}

async function insertClaim(queries: Queries, account: AccountId, name: string, now: number): Promise<store.ZoneClaim> {
  // Two calls at once must not both take the last place of the account.
  await billingAccountLock(queries, account);
  await store.claimsRemoveExpired(queries, account, now);
  if ((await store.claimCount(queries, account)) >= maxClaims)
    throw conflict(`An account can have at most ${maxClaims} claims. Wait until one has expired.`);
  const token = randomBytes(20).toString('hex');
  await store.claimInsert(queries, { account_id: account, name, token, expires_at: now + claimMs });
  return (await store.claimFind(queries, account, name, now))!;
}

/** Returns the id of the new zone. */
export async function zoneClaimVerify(context: Context, proof: DomainProof): Promise<string> {
  const { queries, caller, app } = context;
  const { name, token } = proof;
  await zoneNamesLock(queries);
  // The same claim may have been verified since.
  if (!(await store.claimUse(queries, { account_id: caller.account, name, token }, app.clock.now())))
    throw new ApiError('not_found');
  const settings = await dnsSettings(queries);
  await checkZoneName(queries, caller.account, settings, { name, field: 'domain', purpose: 'prove' });
  await checkClaimable(context, name);
  for (const zone of await zonesWithin(queries, name)) {
    if (zone.account_id === caller.account || !isCustomerZone(zone) || proof.delegated.includes(zone.id)) continue;
    if (zone.name !== name && !proof.undelegated.includes(zone.id))
      throw conflict('Zones below this domain changed in the meantime. Try again.');
    await withdrawZone(zoneWork(context), zone, 'proof');
  }
  return createForwardZone(context, settings, name);
}

/** A zone of the provider is not anybody's to claim. */
async function checkClaimable({ queries, caller }: Context, name: string): Promise<void> {
  const zones = await overlappingZones(queries, name);
  if (zones.some((zone) => zone.name === name && zone.account_id === caller.account))
    throw new ApiError('already_exists', { message: 'This zone already belongs to your account.' });
  if (!zones.every(isCustomerZone)) throw conflict('This name belongs to a zone of the provider.');
}
