// The opening balance of an imported account, credit and invoices, as regular ledger entries.
import type { SiteCustomer, SiteInvoice } from '#contract/site/site.ts';
import { dayMs, dayNumber, dayOf } from '#lib/time.ts';
import { moneyCents } from '#lib/money.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { invoiceInsert, invoicesOpen, noticeInsert, paymentInsert } from '#store/billing/invoices.ts';
import { ledgerPost } from '#store/billing/ledger.ts';
import type { Queries } from '#store/store.ts';
import { amountColumns, computeSums, invoiceMovements, lineRow } from './issue.ts';
import { noticesDue } from './notices.ts';
import { getBillingSettings } from './settings.ts';
import type { AccountId } from '#store/account-id.ts';

export async function applyOpeningBalance(
  queries: Queries,
  account: AccountId,
  { opening }: SiteCustomer,
  now: number,
): Promise<void> {
  await billingAccountLock(queries, account);
  const credit = parseCents(opening?.credit);
  await ledgerPost(queries, account, { at: now, kind: 'opening' }, [
    { debit: 'opening', credit: 'credit', cents: credit },
  ]);
  for (const invoice of opening?.invoices ?? []) {
    const id = await importInvoice(queries, account, invoice);
    await markPastNotices(queries, account, id, now);
  }
}

/** Marks notices that were due before the import as sent: the customer got them from the previous system. */
async function markPastNotices(queries: Queries, account: AccountId, id: number, now: number): Promise<void> {
  const invoice = (await invoicesOpen(queries, account)).find((open) => open.id === id);
  const daysLate = dayOf(now) - (invoice?.due_day ?? Infinity);
  if (daysLate <= 0) return;
  for (const kind of noticesDue(await getBillingSettings(queries), daysLate))
    await noticeInsert(queries, { invoice_id: id, kind, account_id: account, at: now });
}

async function importInvoice(queries: Queries, account: AccountId, invoice: SiteInvoice): Promise<number> {
  const lines = invoice.lines.map(({ type, service, description, amount, taxed }) => ({
    type,
    service,
    description,
    cents: parseCents(amount),
    isTaxed: taxed === true,
  }));
  const payments = (invoice.payments ?? []).map((payment) => ({
    amount_cents: parseCents(payment.amount),
    paid_at: dayNumber(payment.date)! * dayMs,
    method: payment.method,
    reference: payment.reference,
    receipt_id: null,
  }));
  // Percentages with two decimals are parsed like money: "21.00" is 2100 hundredths of a percent.
  const rates = { taxRate: parseCents(invoice.taxrate), taxRate2: parseCents(invoice.taxrate2) };
  const sums = computeSums(lines, rates);
  const credit = parseCents(invoice.credit);
  const total = sums.gross - credit;
  const paid = payments.reduce((sum, payment) => sum + payment.amount_cents, 0) >= total;
  const issuedAt = dayNumber(invoice.date)! * dayMs;
  const cancelled = invoice.cancelled === true;
  const id = await invoiceInsert(
    queries,
    account,
    {
      number: invoice.number,
      day: dayNumber(invoice.date)!,
      due_day: dayNumber(invoice.due)!,
      paid_at: paid && !cancelled ? (payments.at(-1)?.paid_at ?? issuedAt) : null,
      status: cancelled ? 'Cancelled' : paid ? 'Paid' : 'Unpaid',
      ...amountColumns(sums, rates, credit),
      payment_method: invoice.method ?? 'banktransfer',
      notes: invoice.notes ?? '',
      corrects_id: null,
    },
    lines.map(lineRow),
  );
  for (const payment of payments) await paymentInsert(queries, account, id, payment);
  // A cancelled invoice is neither owed nor revenue.
  if (cancelled) return id;
  const occasion = { kind: 'opening', invoice: id, reference: invoice.number } as const;
  await ledgerPost(queries, account, { ...occasion, at: issuedAt }, [
    ...invoiceMovements(lines, sums),
    // Credit that was used before the import: it came in and was spent.
    { debit: 'opening', credit: 'credit', cents: credit },
    { debit: 'credit', credit: 'receivable', cents: credit },
  ]);
  for (const { amount_cents, paid_at, method, reference } of payments) {
    const received = { kind: 'opening', invoice: id, reference, at: paid_at } as const;
    await ledgerPost(queries, account, received, [
      { debit: `paid:${method}`, credit: 'receivable', cents: amount_cents },
    ]);
  }
  return id;
}

function parseCents(text: string | undefined): number {
  return moneyCents(text ?? '0')!;
}
