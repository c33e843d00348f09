// Money that leaves without our doing: a chargeback, or a refund that was started at the payment provider. It reopens
// the invoices that the money had paid, minus their credit notes. What became credit, by an overpayment or
// a credit note, is taken from the credit, which may become negative.
import type { AccountId } from '#store/account-id.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import {
  invoiceCorrections,
  invoiceFind,
  invoicePayments,
  invoiceReopen,
  noticeRemove,
  paymentInsert,
  receiptParts,
} from '#store/billing/invoices.ts';
import { isWithdrawalRecorded, ledgerPost } from '#store/billing/ledger.ts';
import { receiptFind } from '#store/billing/receipts.ts';
import type { Charge } from '#store/payments/charges.ts';
import type { Queries } from '#store/store.ts';

export interface Withdrawal {
  readonly kind: 'refund' | 'chargeback';
  /** The provider's id of the withdrawal. */
  readonly reference: string;
  readonly cents: number;
  readonly at: number;
}

/** Returns the reopened invoices, or undefined if the withdrawal is recorded already. Needs a transaction. */
export async function takeBack(
  queries: Queries,
  charge: Charge,
  { kind, reference, cents, at }: Withdrawal,
): Promise<readonly number[] | undefined> {
  const { account_id: account, driver } = charge;
  const book = `paid:${driver}` as const;
  await billingAccountLock(queries, account);
  if (await isWithdrawalRecorded(queries, account, book, { kind, reference })) return undefined;
  const receipt = await receiptFind(queries, driver, charge.external_id);
  if (receipt?.account_id !== account) throw new Error(`charge ${charge.id} has no receipt`);
  const occasion = { at, kind, reference };
  const reopened: number[] = [];
  let left = cents;
  for (const { invoice_id: invoice, cents: paid } of await receiptParts(queries, account, receipt.id)) {
    const part = Math.min(left, paid, await reopenableCents(queries, account, invoice));
    if (part <= 0) continue;
    left -= part;
    reopened.push(invoice);
    await paymentInsert(queries, account, invoice, {
      amount_cents: -part,
      paid_at: at,
      method: driver,
      reference,
      receipt_id: receipt.id,
    });
    await ledgerPost(queries, account, { ...occasion, invoice }, [{ debit: 'receivable', credit: book, cents: part }]);
    await invoiceReopen(queries, account, invoice);
    // Otherwise, whoever pays to end a suspension could take the money back and keep the services.
    await noticeRemove(queries, account, invoice, 'suspension');
  }
  await ledgerPost(queries, account, occasion, [{ debit: 'credit', credit: book, cents: left }]);
  return reopened;
}

/** Returns how much of an invoice can be owed again: without what is open now, and what credit notes have cancelled. */
async function reopenableCents(queries: Queries, account: AccountId, id: number): Promise<number> {
  const { total_cents } = (await invoiceFind(queries, account, id))!;
  const notes = await invoiceCorrections(queries, account, id);
  const payments = await invoicePayments(queries, account, id);
  const credited = notes.reduce((sum, note) => sum - note.total_cents, 0);
  const open = payments.reduce((sum, { amount_cents }) => sum - amount_cents, total_cents);
  return Math.max(0, total_cents - credited) - open;
}
