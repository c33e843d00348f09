// The money of a customer as operators see and change it.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { moneyOperator, OperatorBalance, OperatorLedgerEntry } from '#contract/operator/money.ts';
import { invalid, requireFound } from '#lib/api-error.ts';
import { moneyCents, moneyText } from '#lib/money.ts';
import { dayMs, dayOf, timeText } from '#lib/time.ts';
import { invoiceLoad, invoicesOpen } from '#store/billing/invoices.ts';
import { creditOf, ledgerPage, ledgerSum } from '#store/billing/ledger.ts';
import { giveCredit, issueCreditNote, refundCredit } from '../billing/corrections.ts';
import { receivePayment } from '../billing/payments.ts';
import { requireDay } from '../billing/reports/billed-invoices.ts';
import { writeOffInvoice } from '../billing/write-offs.ts';
import type { Context } from '../app.ts';
import { getCustomer, pageLength } from './accounts.ts';

export async function ledgerList(
  { queries }: Context,
  { account: id, limit = pageLength, before }: InputOf<typeof moneyOperator.ledgerList>,
): Promise<Static<typeof OperatorLedgerEntry>[]> {
  const account = await getCustomer(queries, id);
  return (await ledgerPage(queries, account.id, { limit, before })).map((entry) => ({
    id: String(entry.id),
    account: String(entry.account_id),
    timestamp: timeText(entry.at),
    kind: entry.kind,
    debit: entry.debit,
    credit: entry.credit,
    amount: moneyText(entry.amount_cents),
    invoice: entry.invoice_id === null ? '' : String(entry.invoice_id),
    invoicenum: entry.number ?? '',
    reference: entry.reference,
  }));
}

export async function ledgerBalance({ queries, app }: Context, id: number): Promise<Static<typeof OperatorBalance>> {
  const account = await getCustomer(queries, id);
  const today = dayOf(app.clock.now());
  const late = (await invoicesOpen(queries, account.id)).filter(({ due_day }) => due_day < today);
  return {
    account: String(account.id),
    currency: account.currency,
    receivable: moneyText(await ledgerSum(queries, account.id, 'receivable')),
    overdue: moneyText(late.reduce((sum, { open_cents }) => sum + open_cents, 0)),
    credit: moneyText(await creditOf(queries, account.id)),
    writtenoff: moneyText(await ledgerSum(queries, account.id, 'written-off')),
  };
}

export async function paymentRecord(
  context: Context,
  { account: id, amount, method, reference, date }: InputOf<typeof moneyOperator.paymentRecord>,
): Promise<'Payment Recorded' | 'Payment Known'> {
  const { queries, app } = context;
  const account = await getCustomer(queries, id);
  context.onBehalfOf(account.id);
  const now = app.clock.now();
  const day = date === undefined ? dayOf(now) : requireDay('date', date);
  if (day > dayOf(now)) throw invalid({ date: 'must not be in the future' });
  const payment = { payer: { account: account.id }, cents: moneyCents(amount)!, method, reference };
  const outcome = await receivePayment(app, queries, { ...payment, paidAt: day === dayOf(now) ? now : day * dayMs });
  return outcome === 'received' ? 'Payment Recorded' : 'Payment Known';
}

export async function creditGrant(
  context: Context,
  { account: id, amount, reason }: InputOf<typeof moneyOperator.creditGrant>,
): Promise<void> {
  const account = await getCustomer(context.queries, id);
  context.onBehalfOf(account.id);
  await giveCredit(context.app, context.queries, account.id, moneyCents(amount)!, reason);
}

export async function refundRecord(
  context: Context,
  { account: id, amount, method, reference }: InputOf<typeof moneyOperator.refundRecord>,
): Promise<void> {
  const account = await getCustomer(context.queries, id);
  context.onBehalfOf(account.id);
  const refund = { account: account.id, cents: moneyCents(amount)!, method, reference };
  await refundCredit(context.app, context.queries, refund);
}

/** Only staff see the reason: the call is not in the customer's audit log. */
export async function invoiceWriteOff({ queries, app }: Context, id: number): Promise<void> {
  await writeOffInvoice(app, queries, requireFound(await invoiceLoad(queries, id), 'Invoice not found.'));
}

export async function invoiceCredit(
  context: Context,
  { id, reason, lines }: InputOf<typeof moneyOperator.invoiceCredit>,
): Promise<{ id: string; invoicenum: string; total: string }> {
  const invoice = requireFound(await invoiceLoad(context.queries, id), 'Invoice not found.');
  context.onBehalfOf(invoice.account_id);
  const note = await issueCreditNote(context.app, context.queries, invoice, {
    reason,
    lines: lines?.map((line) => ({
      id: line.id,
      cents: line.amount === undefined ? undefined : moneyCents(line.amount)!,
    })),
  });
  return { id: String(note.id), invoicenum: note.number, total: moneyText(note.total_cents) };
}
