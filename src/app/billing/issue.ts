// Issuing an invoice: its number, its lines, its entries in the ledger, all in the caller's transaction. What is issued never
// changes; a draft that comes out below zero is a credit note, and what it gives back becomes the customer's credit.
import type { EventData } from '#contract/events.ts';
import type { LineType } from '#contract/shapes/account.ts';
import { yearOf } from '#kernel/billing-calendar.ts';
import { dayNumberText, dayOf } from '#kernel/moments.ts';
import { moneyShare, moneyText } from '#kernel/money.ts';
import { accountFind } from '#store/account/accounts.ts';
import { billingAccountHold } from '#store/billing/billing-accounts.ts';
import { invoiceNumberTake } from '#store/billing/invoice-numbers.ts';
import { invoiceInsert, invoiceNumberTaken, type NewInvoice } from '#store/billing/invoices.ts';
import { creditOf, ledgerPost, type Movement } from '#store/billing/ledger.ts';
import type { Queries } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';
import { invoicePartiesKeep } from './invoice-parties.ts';
import { billingSettings, type BillingSettings } from './settings.ts';

export interface DraftLine {
  readonly type: LineType;
  readonly service: number | undefined;
  readonly description: string;
  readonly cents: number;
  readonly taxed: boolean;
}
export interface InvoiceDraft {
  /** The moment of issue. */
  readonly now: number;
  readonly lines: readonly DraftLine[];
  readonly notes?: string;
  /** An order has its own invoice to pay; credit is for what the customer did not just ask for. */
  readonly credit?: 'kept';
  /** The invoice that this takes back, or a part of it: the tax is then as it was there, and no credit is used up. */
  readonly corrects?: { readonly id: number; readonly taxRate: number; readonly taxRate2: number };
}
export type IssuedInvoice = NewInvoice & { readonly id: number };

/** In a transaction. Credit of the account is used up first; an invoice of which nothing is left to pay is paid at once. */
export async function invoiceIssue(queries: Queries, account: AccountId, draft: InvoiceDraft): Promise<IssuedInvoice> {
  await billingAccountHold(queries, account);
  const settings = await billingSettings(queries);
  const customer = (await accountFind(queries, account))!;
  const rates = draft.corrects ?? ratesOf(settings, customer.country);
  const sums = sumsOf(draft.lines, rates);
  const available = draft.corrects === undefined && draft.credit !== 'kept' ? await creditOf(queries, account) : 0;
  const credit = Math.max(0, Math.min(available, sums.gross));
  const total = sums.gross - credit;
  const day = dayOf(draft.now);
  const invoice: NewInvoice = {
    number: await nextNumber(queries, settings.numbers, day),
    day,
    due_day: day + settings.termsDays,
    paid_at: total > 0 ? null : draft.now,
    status: total > 0 ? 'Unpaid' : 'Paid',
    subtotal_cents: sums.subtotal,
    credit_cents: credit,
    tax_cents: sums.tax,
    tax2_cents: sums.tax2,
    total_cents: total,
    tax_rate: rates.taxRate,
    tax_rate2: rates.taxRate2,
    payment_method: settings.method,
    notes: draft.notes ?? '',
    kind: sums.gross < 0 ? 'CreditNote' : 'Invoice',
    corrects_id: draft.corrects?.id ?? null,
  };
  const lines = draft.lines.map(({ type, service, description, cents, taxed }) => ({
    type,
    service_id: service ?? null,
    description,
    amount_cents: cents,
    taxed: taxed ? 1 : 0,
  }));
  const id = await invoiceInsert(queries, account, invoice, lines);
  await invoicePartiesKeep(queries, customer, id);
  await ledgerPost(queries, account, { at: draft.now, kind: 'invoice', invoice: id, reference: invoice.number }, [
    ...invoiceMovements(draft.lines, sums),
    { debit: 'credit', credit: 'receivable', cents: credit },
    // Only where it is negative; where it stands against the invoice that it corrects, that takes it from the credit again.
    { debit: 'receivable', credit: 'credit', cents: Math.max(0, -total) },
  ]);
  return { ...invoice, id };
}

function ratesOf({ taxes }: BillingSettings, country: string): { taxRate: number; taxRate2: number } {
  const [taxRate, taxRate2] = taxes[country] ?? [0, 0];
  return { taxRate, taxRate2 };
}

export interface InvoiceSums {
  readonly subtotal: number;
  readonly tax: number;
  readonly tax2: number;
  readonly gross: number;
}

export function sumsOf(
  lines: readonly Pick<DraftLine, 'cents' | 'taxed'>[],
  rates: { readonly taxRate: number; readonly taxRate2: number },
): InvoiceSums {
  const subtotal = lines.reduce((sum, { cents }) => sum + cents, 0);
  const taxed = lines.reduce((sum, line) => sum + (line.taxed ? line.cents : 0), 0);
  const tax = moneyShare(taxed, rates.taxRate);
  const tax2 = moneyShare(taxed, rates.taxRate2);
  return { subtotal, tax, tax2, gross: subtotal + tax + tax2 };
}

/** What an invoice says in the books, credit and payments left aside: one entry per kind of line, and the taxes. */
export function invoiceMovements(
  lines: readonly Pick<DraftLine, 'type' | 'cents'>[],
  { tax, tax2 }: Pick<InvoiceSums, 'tax' | 'tax2'>,
): Movement[] {
  const byType = Map.groupBy(lines, ({ type }) => type);
  return [
    ...[...byType].map(([type, same]): Movement => ({
      debit: 'receivable',
      credit: `revenue:${type}`,
      cents: same.reduce((sum, { cents }) => sum + cents, 0),
    })),
    { debit: 'receivable', credit: 'tax', cents: tax },
    { debit: 'receivable', credit: 'tax2', cents: tax2 },
  ];
}

/** A number that an account brought along is passed over: it is there already, so nothing is missing between. */
async function nextNumber(queries: Queries, form: string, day: number): Promise<string> {
  const series = form.replace('{year}', String(yearOf(day)));
  for (;;) {
    const next = await invoiceNumberTake(queries, series);
    const number = series.replace(/\{(0+)\}/, (_, zeros: string) => String(next).padStart(zeros.length, '0'));
    if (!(await invoiceNumberTaken(queries, number))) return number;
  }
}

export function invoiceEvent(
  invoice: Pick<IssuedInvoice, 'id' | 'number' | 'total_cents' | 'due_day'>,
): EventData<'invoice.issued'> {
  return {
    invoiceid: String(invoice.id),
    invoicenum: invoice.number,
    total: moneyText(invoice.total_cents),
    duedate: dayNumberText(invoice.due_day),
  };
}
