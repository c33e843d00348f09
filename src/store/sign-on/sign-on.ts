// Sign-ins in progress at identity providers, the people that they identify, and the providers of accounts.
import type { Selectable } from 'kysely';
import { Type } from 'typebox';
import { affectsRows, countRows, deleteWhere, putRow, selectWhere, updateWhere } from '../engine/rows.ts';
import { jsonColumn } from '../json-column.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';
import type { SignOnDomainTable, SignOnFlowTable, SignOnIdentityTable, SignOnProviderTable } from './tables.ts';

export type SignOnIdentity = Selectable<SignOnIdentityTable>;
export type SignOnProvider = Selectable<SignOnProviderTable>;
export type SignOnDomain = Selectable<SignOnDomainTable>;

export const providerScopes = jsonColumn('sign_on_providers.scopes', Type.Array(Type.String()));
export const providerGrants = jsonColumn(
  'sign_on_providers.grants',
  Type.Array(Type.Object({ value: Type.String(), permissions: Type.Array(Type.String()) })),
);

/** Also removes flows that have expired. */
export async function flowInsert(queries: Queries, flow: SignOnFlowTable, now: number): Promise<void> {
  await queries.deleteFrom('sign_on_flows').where('expires_at', '<', now).execute();
  await queries.insertInto('sign_on_flows').values(flow).execute();
}

/** Deletes the flow, valid or not, so that it can be used only once. */
export async function flowTake(queries: Queries, hash: string): Promise<SignOnFlowTable | undefined> {
  return deleteWhere(queries, 'sign_on_flows', { hash }).returningAll().executeTakeFirst();
}

type IdentityKey = Pick<SignOnIdentityTable, 'account_id' | 'issuer' | 'subject'>;

export async function identityFind(queries: Queries, key: IdentityKey): Promise<SignOnIdentity | undefined> {
  const { account_id, issuer, subject } = key;
  return selectWhere(queries, 'sign_on_identities', { account_id, issuer, subject }).selectAll().executeTakeFirst();
}

type Holder = Pick<SignOnIdentityTable, 'account_id' | 'issuer' | 'contact_id' | 'operator_id'>;

/** Returns true if the issuer knows this person by another subject already. */
export async function hasIdentity(queries: Queries, holder: Holder): Promise<boolean> {
  return (await countRows(selectWhere(queries, 'sign_on_identities', holder))) > 0;
}

export async function identityInsert(queries: Queries, identity: SignOnIdentityTable): Promise<void> {
  await queries.insertInto('sign_on_identities').values(identity).execute();
}

export async function providerFind(queries: Queries, account: AccountId): Promise<SignOnProvider | undefined> {
  return selectWhere(queries, 'sign_on_providers', { account_id: account }).selectAll().executeTakeFirst();
}

export async function providerPut(queries: Queries, provider: SignOnProviderTable): Promise<void> {
  await putRow(queries, 'sign_on_providers', ['account_id'], provider);
}

/**
 * Returns false if the account's provider was removed or changed since this time. Otherwise a removal waits for this transaction,
 * and then ends the session that it opens.
 */
export async function providerHold(queries: Queries, account_id: AccountId, updated_at: number): Promise<boolean> {
  const same = updateWhere(queries, 'sign_on_providers', { account_id, updated_at });
  return affectsRows(same.set({ updated_at }).returning('account_id'));
}

/** Removes the provider and its identities. Returns false if there is none. */
export async function providerRemove(queries: Queries, account: AccountId): Promise<boolean> {
  await deleteWhere(queries, 'sign_on_identities', { account_id: account }).execute();
  return affectsRows(deleteWhere(queries, 'sign_on_providers', { account_id: account }).returning('account_id'));
}

export async function domainList(queries: Queries, account: AccountId): Promise<SignOnDomain[]> {
  return selectWhere(queries, 'sign_on_domains', { account_id: account }).selectAll().orderBy('domain').execute();
}

export async function domainFind(
  queries: Queries,
  account: AccountId,
  domain: string,
): Promise<SignOnDomain | undefined> {
  return selectWhere(queries, 'sign_on_domains', { account_id: account, domain }).selectAll().executeTakeFirst();
}

export async function domainInsert(queries: Queries, domain: SignOnDomainTable): Promise<void> {
  await queries.insertInto('sign_on_domains').values(domain).execute();
}

export async function domainUpdate(
  queries: Queries,
  { account_id, domain, token }: Pick<SignOnDomain, 'account_id' | 'domain' | 'token'>,
  change: Partial<Pick<SignOnDomainTable, 'required' | 'verified_at'>>,
): Promise<boolean> {
  const row = updateWhere(queries, 'sign_on_domains', { account_id, domain, token });
  return affectsRows(row.set(change).returning('domain'));
}

export async function domainRemove(queries: Queries, account: AccountId, domain: string): Promise<boolean> {
  return affectsRows(deleteWhere(queries, 'sign_on_domains', { account_id: account, domain }).returning('domain'));
}

/** Returns the open accounts with a provider for people of this domain, those that verified it first first. */
export async function accountsOfDomain(queries: Queries, domain: string): Promise<AccountId[]> {
  const rows = await queries
    .selectFrom('sign_on_domains')
    .innerJoin('sign_on_providers', 'sign_on_providers.account_id', 'sign_on_domains.account_id')
    .innerJoin('accounts', 'accounts.id', 'sign_on_domains.account_id')
    .select('sign_on_domains.account_id')
    .where('domain', '=', domain)
    .where('accounts.status', '!=', 'Closed')
    .where('verified_at', 'is not', null)
    .orderBy('verified_at')
    .orderBy('sign_on_domains.account_id')
    .execute();
  return rows.map(({ account_id }) => account_id);
}
