// Charges by billed days. The primary key (account, period, kind, subject, first day) makes double billing
// impossible, whoever tries and whatever the clock says.
import type { Insertable, Selectable } from 'kysely';
import { preparedRows } from '../engine/prepared.ts';
import { selectWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { ChargeTable } from './tables.ts';

export type Charge = Selectable<ChargeTable>;
export type NewCharge = Omit<Insertable<ChargeTable>, 'account_id' | 'period_day' | 'invoice_id'>;

const insert = preparedRows((queries: Queries, charges: readonly Insertable<ChargeTable>[]) =>
  queries.insertInto('charges').values(charges),
);
export async function chargesInsert(
  queries: Queries,
  account: AccountId,
  periodDay: number,
  invoice: number,
  charges: readonly NewCharge[],
): Promise<void> {
  if (charges.length === 0) return;
  const owner = { account_id: account, period_day: periodDay, invoice_id: invoice };
  const rows = charges.map((charge) => ({ ...charge, ...owner }));
  await insert(queries, rows);
}

/** Returns the invoices that charge for a subject, oldest first. */
export async function invoicesOfSubject(queries: Queries, account: AccountId, subject: string): Promise<number[]> {
  const charges = selectWhere(queries, 'charges', { account_id: account, subject }).select('invoice_id').distinct();
  return (await charges.orderBy('invoice_id').execute()).map(({ invoice_id }) => invoice_id);
}

/** Returns what a subject was charged and credited, oldest first. */
export async function chargesOfSubject(
  queries: Queries,
  account: AccountId,
  { kind, subject }: Pick<Charge, 'kind' | 'subject'>,
): Promise<Charge[]> {
  const charges = selectWhere(queries, 'charges', { account_id: account, kind, subject });
  return charges.selectAll().orderBy('period_day').execute();
}

/** Returns the charges that an invoice bills. */
export async function chargesOfInvoice(queries: Queries, account: AccountId, invoice: number): Promise<Charge[]> {
  return selectWhere(queries, 'charges', { account_id: account, invoice_id: invoice }).selectAll().execute();
}

/** Returns the discounts that an account had, and what was taken back of them. */
export async function discountsOfAccount(queries: Queries, account: AccountId): Promise<Charge[]> {
  return selectWhere(queries, 'charges', { account_id: account, kind: 'Discount' }).selectAll().execute();
}

/** Returns the charges of the run before the period that starts on this day. */
export async function chargesBefore(queries: Queries, account: AccountId, periodDay: number): Promise<Charge[]> {
  const ofAccount = selectWhere(queries, 'charges', { account_id: account });
  const last = ofAccount.select(({ fn }) => fn.max('period_day').as('day')).where('period_day', '<', periodDay);
  return ofAccount.selectAll().where('period_day', '=', last).execute();
}
