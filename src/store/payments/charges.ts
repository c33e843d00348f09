// Charges of payment methods and on pages of payment providers.
import type { Insertable, Selectable } from 'kysely';
import { countRows, insertNew, selectWhere } from '../engine/rows.ts';
import type { NewestPage } from '../billing/invoices.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';
import { createProgress } from './progress.ts';
import type { PaymentChargeTable } from './tables.ts';

export type Charge = Selectable<PaymentChargeTable>;

export const { change: chargeChange, due: chargesDue, claim: chargeClaim } = createProgress('payment_charges');

/** Returns undefined if another charge for the invoice is under way. */
export async function chargeInsert(
  queries: Queries,
  charge: Insertable<PaymentChargeTable>,
): Promise<Charge | undefined> {
  return insertNew(queries, 'payment_charges', charge).returningAll().executeTakeFirst();
}

export async function chargeLoad(queries: Queries, id: number): Promise<Charge | undefined> {
  return selectWhere(queries, 'payment_charges', { id }).selectAll().executeTakeFirst();
}

export async function chargeByKey(queries: Queries, key: string): Promise<Charge | undefined> {
  return selectWhere(queries, 'payment_charges', { key }).selectAll().executeTakeFirst();
}

export async function chargeByExternalId(
  queries: Queries,
  driver: string,
  externalId: string,
): Promise<Charge | undefined> {
  return selectWhere(queries, 'payment_charges', { driver, external_id: externalId })
    .where('external_id', '<>', '')
    .selectAll()
    .executeTakeFirst();
}

/** Returns a page of the account's charges, newest first. */
export async function chargePage(
  queries: Queries,
  account: AccountId,
  { limit, before }: NewestPage,
): Promise<Charge[]> {
  let query = selectWhere(queries, 'payment_charges', { account_id: account }).selectAll();
  if (before !== undefined) query = query.where('id', '<', before);
  return query.orderBy('id', 'desc').limit(limit).execute();
}

/** Returns all charges for an invoice, oldest first. */
export async function chargesOfInvoice(queries: Queries, account: AccountId, invoice: number): Promise<Charge[]> {
  return selectWhere(queries, 'payment_charges', { account_id: account, invoice_id: invoice })
    .selectAll()
    .orderBy('id')
    .execute();
}

/** Returns all charges for invoices of any account. */
export async function chargesOfInvoices(queries: Queries, invoices: readonly number[]): Promise<Charge[]> {
  return queries.selectFrom('payment_charges').selectAll().where('invoice_id', 'in', invoices).execute();
}

/** Counts what the account started and is not decided yet. Nothing follows on a charge that its owner did not confirm. */
export async function openChargeCount(queries: Queries, account: AccountId): Promise<number> {
  return countRows(
    selectWhere(queries, 'payment_charges', { account_id: account })
      .where('state', 'in', ['created', 'submitted', 'needs_action'])
      .where('next_look_at', 'is not', null),
  );
}
