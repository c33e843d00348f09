// Evidence of where a customer is, in addition to the billing address.
import type { Selectable } from 'kysely';
import { deleteWhere, putRow, selectWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { TaxEvidenceTable } from './invoice-delivery-tables.ts';

export type TaxEvidence = Selectable<TaxEvidenceTable>;

export async function taxEvidencePut(queries: Queries, evidence: TaxEvidence): Promise<void> {
  await putRow(queries, 'tax_evidence', ['account_id', 'source', 'country'], evidence);
}

export async function taxEvidenceOf(queries: Queries, account: AccountId): Promise<TaxEvidence[]> {
  return selectWhere(queries, 'tax_evidence', { account_id: account }).selectAll().orderBy('at').execute();
}

export async function taxEvidenceRemove(
  queries: Queries,
  account: AccountId,
  source: TaxEvidence['source'],
): Promise<void> {
  await deleteWhere(queries, 'tax_evidence', { account_id: account, source }).execute();
}

export interface AccountEvidence {
  readonly id: AccountId;
  readonly firstname: string;
  readonly lastname: string;
  readonly companyname: string;
  readonly country: string;
  readonly evidence: readonly Pick<TaxEvidence, 'source' | 'country'>[];
}

/** Returns accounts with evidence of another country than the billing address, by id. */
export async function accountsWithOtherCountry(
  queries: Queries,
  after: number,
  limit: number,
): Promise<AccountEvidence[]> {
  const accounts = await queries
    .selectFrom('accounts')
    .select(['id', 'firstname', 'lastname', 'companyname', 'country'])
    .where('id', '>', after as AccountId)
    .where('status', '!=', 'Closed')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('tax_evidence')
          .select('tax_evidence.account_id')
          .whereRef('tax_evidence.account_id', '=', 'accounts.id')
          .whereRef('tax_evidence.country', '!=', 'accounts.country'),
      ),
    )
    .orderBy('id')
    .limit(limit)
    .execute();
  if (accounts.length === 0) return [];
  const ids = accounts.map(({ id }) => id);
  const rows = await queries.selectFrom('tax_evidence').selectAll().where('account_id', 'in', ids).execute();
  const byAccount = Map.groupBy(rows, ({ account_id }) => account_id);
  return accounts.map((account) => ({ ...account, evidence: byAccount.get(account.id) ?? [] }));
}
