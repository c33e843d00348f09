// Claims of domains. A token belongs to one account and one domain, and works once.
import type { Selectable } from 'kysely';
import { affectsRows, countRows, deleteWhere, insertNew, selectWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { ZoneClaimTable } from './tables.ts';

export type ZoneClaim = Selectable<ZoneClaimTable>;

/** Returns the claim unless it has expired. */
export async function claimFind(
  queries: Queries,
  account: AccountId,
  name: string,
  now: number,
): Promise<ZoneClaim | undefined> {
  const claim = selectWhere(queries, 'zone_claims', { account_id: account, name }).selectAll();
  return claim.where('expires_at', '>', now).executeTakeFirst();
}

export async function claimCount(queries: Queries, account: AccountId): Promise<number> {
  return countRows(selectWhere(queries, 'zone_claims', { account_id: account }));
}

/** Inserts the claim unless the account has one of that name already. */
export async function claimInsert(queries: Queries, claim: ZoneClaim): Promise<void> {
  await insertNew(queries, 'zone_claims', claim, ['account_id', 'name']).execute();
}

export async function claimsRemoveExpired(queries: Queries, account: AccountId, now: number): Promise<void> {
  await deleteWhere(queries, 'zone_claims', { account_id: account }).where('expires_at', '<=', now).execute();
}

/** Returns false if the claim has been used or has expired. */
export async function claimUse(
  queries: Queries,
  claim: Pick<ZoneClaim, 'account_id' | 'name' | 'token'>,
  now: number,
): Promise<boolean> {
  const { account_id, name, token } = claim;
  const match = deleteWhere(queries, 'zone_claims', { account_id, name, token }).where('expires_at', '>', now);
  return affectsRows(match.returning('name'));
}
