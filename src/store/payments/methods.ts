// Payment methods of accounts.
import { sql, type Insertable, type Selectable } from 'kysely';
import { selectWhere, updateWhere } from '../engine/rows.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';
import { createProgress } from './progress.ts';
import type { PaymentMethodTable } from './tables.ts';

export type PaymentMethod = Selectable<PaymentMethodTable>;

export const { change: methodChange, due: methodsDue, claim: methodClaim } = createProgress('payment_methods');

export async function methodInsert(queries: Queries, method: Insertable<PaymentMethodTable>): Promise<PaymentMethod> {
  return queries.insertInto('payment_methods').values(method).returningAll().executeTakeFirstOrThrow();
}

/** Makes this method the account's default, or none if it is undefined. Needs a transaction. */
export async function defaultMethodSet(queries: Queries, account: AccountId, id: number | undefined): Promise<void> {
  await updateWhere(queries, 'payment_methods', { account_id: account, is_default: 1 })
    .set({ is_default: 0 })
    .execute();
  if (id !== undefined)
    await updateWhere(queries, 'payment_methods', { account_id: account, id }).set({ is_default: 1 }).execute();
}

export async function methodFind(queries: Queries, account: AccountId, id: number): Promise<PaymentMethod | undefined> {
  return selectWhere(queries, 'payment_methods', { account_id: account, id }).selectAll().executeTakeFirst();
}

export async function methodByKey(queries: Queries, key: string): Promise<PaymentMethod | undefined> {
  return selectWhere(queries, 'payment_methods', { key }).selectAll().executeTakeFirst();
}

export async function defaultMethod(queries: Queries, account: AccountId): Promise<PaymentMethod | undefined> {
  return (
    selectWhere(queries, 'payment_methods', { account_id: account })
      .selectAll()
      // A literal, as in `invoicesOpen`.
      .where('is_default', '=', sql.lit(1))
      .executeTakeFirst()
  );
}

/** Returns all methods of the account, including revoked ones, oldest first. */
export async function methodList(queries: Queries, account: AccountId): Promise<PaymentMethod[]> {
  return selectWhere(queries, 'payment_methods', { account_id: account }).selectAll().orderBy('id').execute();
}
