// Money that leaves without our doing: a chargeback, or a refund that was started at the payment provider. It reopens
// the invoices that the money had paid, minus their credit notes. What became credit, by a top-up, an overpayment or a credit
// note, is taken from the credit. If that was spent, the invoices that it paid are reopened, so that nobody keeps services
// for money that was taken back; what was paid out remains as negative credit.
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
import { creditOf, creditUses, isWithdrawalRecorded, ledgerPost, type Occasion } from '#store/billing/ledger.ts';
import { receiptFind } from '#store/billing/receipts.ts';
import type { Charge } from '#store/payments/charges.ts';
import type { Queries } from '#store/store.ts';

/** Of a negative payment that takes back the credit which an invoice has used. */
const creditMethod = 'credit';

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
    const part = Math.min(left, paid, (await reopenableCents(queries, account, invoice)).ofPayments);
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
    await reopen(queries, account, invoice);
  }
  await ledgerPost(queries, account, occasion, [{ debit: 'credit', credit: book, cents: left }]);
  return [...reopened, ...(await takeBackCredit(queries, account, occasion))];
}

async function reopen(queries: Queries, account: AccountId, invoice: number): Promise<void> {
  await invoiceReopen(queries, account, invoice);
  // Otherwise, whoever pays to end a suspension could take the money back and keep the services.
  await noticeRemove(queries, account, invoice, 'suspension');
}

/** Takes negative credit from the invoices that credit has paid, the newest first. Returns those. */
async function takeBackCredit(queries: Queries, account: AccountId, occasion: Occasion): Promise<number[]> {
  let missing = -(await creditOf(queries, account));
  if (missing <= 0) return [];
  const reopened: number[] = [];
  for (const { invoice_id: invoice } of await creditUses(queries, account)) {
    const part = Math.min(missing, (await reopenableCents(queries, account, invoice)).ofCredit);
    if (part <= 0) continue;
    missing -= part;
    reopened.push(invoice);
    await paymentInsert(queries, account, invoice, {
      amount_cents: -part,
      paid_at: occasion.at,
      method: creditMethod,
      reference: occasion.reference ?? '',
      receipt_id: null,
    });
    await ledgerPost(queries, account, { ...occasion, invoice }, [
      { debit: 'receivable', credit: 'credit', cents: part },
    ]);
    await reopen(queries, account, invoice);
    if (missing === 0) break;
  }
  return reopened;
}

/** Returns how much of an invoice can be owed again: without what is open now, and what credit notes have cancelled. */
async function reopenableCents(queries: Queries, account: AccountId, id: number) {
  const { total_cents, credit_cents } = (await invoiceFind(queries, account, id))!;
  const notes = await invoiceCorrections(queries, account, id);
  const payments = await invoicePayments(queries, account, id);
  const credited = notes.reduce((sum, note) => sum - note.total_cents, 0);
  const open = payments.reduce((sum, { amount_cents }) => sum - amount_cents, total_cents);
  const returned = payments.reduce(
    (sum, { amount_cents, method, receipt_id }) =>
      method === creditMethod && receipt_id === null ? sum - Math.min(0, amount_cents) : sum,
    0,
  );
  return {
    ofPayments: Math.max(0, total_cents + returned - credited) - open,
    ofCredit: Math.min(credit_cents - returned, total_cents + credit_cents - credited - open),
  };
}
