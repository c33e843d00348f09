// Payment methods of accounts.
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import { affectsRows, selectWhere, updateWhere } from '../engine/rows.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';
import type { PaymentMethodTable } from './tables.ts';

export type PaymentMethod = Selectable<PaymentMethodTable>;
export type MethodChange = Omit<Updateable<PaymentMethodTable>, 'is_default'>;

export async function methodInsert(queries: Queries, method: Insertable<PaymentMethodTable>): Promise<PaymentMethod> {
  return queries.insertInto('payment_methods').values(method).returningAll().executeTakeFirstOrThrow();
}

/** Changes the method if its state is still the one that was read. */
export async function methodChange(
  queries: Queries,
  { id, state }: Pick<PaymentMethod, 'id' | 'state'>,
  change: MethodChange,
): Promise<boolean> {
  return affectsRows(updateWhere(queries, 'payment_methods', { id, state }).set(change).returning('id'));
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

/** Returns methods that need work, the longest due first. */
export async function methodsDue(queries: Queries, now: number, limit: number): Promise<PaymentMethod[]> {
  return queries
    .selectFrom('payment_methods')
    .selectAll()
    .where('next_look_at', '<=', now)
    .orderBy('next_look_at')
    .limit(limit)
    .execute();
}

/** Returns true if this caller may work on the method until `until`. */
export async function methodClaim(
  queries: Queries,
  { id, next_look_at }: Pick<PaymentMethod, 'id' | 'next_look_at'>,
  until: number,
): Promise<boolean> {
  const claim = updateWhere(queries, 'payment_methods', { id, next_look_at }).set({ next_look_at: until });
  return affectsRows(claim.returning('id'));
}
