// Tax data of accounts, and what VAT registers answered about their numbers.
import type { Insertable, Selectable } from 'kysely';
import { preparedFind } from '../engine/prepared-rows.ts';
import { affectsRows, putRow, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { AccountTaxTable, VatCheckTable } from './tables.ts';

export type AccountTax = Selectable<AccountTaxTable>;
export type VatCheck = Selectable<VatCheckTable>;

/** The reconciler that validates numbers. */
export const vatReconciler = 'vat-numbers';

export const accountTaxFind = preparedFind('account_taxes', 'account_id');

export async function accountTaxPut(queries: Queries, row: AccountTax): Promise<void> {
  await putRow(queries, 'account_taxes', ['account_id'], row);
}

/** Returns accounts whose number is to be validated, the longest due first. */
export async function accountTaxesDue(queries: Queries, now: number, limit: number): Promise<AccountTax[]> {
  return queries
    .selectFrom('account_taxes')
    .selectAll()
    .where('next_check_at', '<=', now)
    .orderBy('next_check_at')
    .limit(limit)
    .execute();
}

type CheckResult = Partial<Pick<AccountTax, 'state' | 'checked_at' | 'next_check_at' | 'failing_since'>>;
/** Stores what a check resulted in, or when the next one is due. Returns false if the number has changed since. */
export async function accountTaxChecked(
  queries: Queries,
  { account_id, vat_number }: Pick<AccountTax, 'account_id' | 'vat_number'>,
  result: CheckResult,
): Promise<boolean> {
  const unchanged = updateWhere(queries, 'account_taxes', { account_id, vat_number });
  return affectsRows(unchanged.set(result).returning('account_id'));
}

export async function vatCheckInsert(queries: Queries, check: Insertable<VatCheckTable>): Promise<void> {
  await queries.insertInto('vat_checks').values(check).execute();
}

/** Returns the latest answers, newest first. */
export async function vatChecksOf(queries: Queries, account: AccountId, limit: number): Promise<VatCheck[]> {
  return selectWhere(queries, 'vat_checks', { account_id: account })
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Returns how many accounts have a VAT number in each state. */
export async function vatNumberCounts(queries: Queries): Promise<ReadonlyMap<string, number>> {
  const rows = await queries
    .selectFrom('account_taxes')
    .select((select) => ['state', select.fn.countAll<number>().as('count')])
    .where('vat_number', '!=', '')
    .groupBy('state')
    .execute();
  return new Map(rows.map(({ state, count }) => [state, Number(count)]));
}

/** Returns the accounts whose number the register does not know. */
export async function vatNumbersRejected(queries: Queries, limit: number) {
  const taxes = await selectWhere(queries, 'account_taxes', { state: 'invalid' })
    .select(['account_id', 'vat_number', 'checked_at'])
    .where('vat_number', '!=', '')
    .orderBy('vat_number')
    .limit(limit)
    .execute();
  if (taxes.length === 0) return [];
  const ids = taxes.map(({ account_id }) => account_id);
  const names = await queries
    .selectFrom('accounts')
    .select(['id', 'firstname', 'lastname', 'companyname'])
    .where('id', 'in', ids)
    .execute();
  const byId = new Map(names.map(({ id, ...name }) => [id, name]));
  return taxes.map((tax) => ({ ...tax, ...byId.get(tax.account_id)! }));
}
