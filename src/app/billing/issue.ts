// Issues an invoice: its number, lines and ledger entries, all in the caller's transaction. An issued invoice never
// changes; a draft with a negative total becomes a credit note, and its amount the customer's credit.
import type { EventData } from '#contract/events/events.ts';
import type { LineType } from '#contract/shapes/account.ts';
import { yearOf } from './billing-periods.ts';
import { dayNumberText, dayOf } from '#lib/time.ts';
import { moneyShare, moneyText } from '#lib/money.ts';
import { accountFind } from '#store/account/accounts.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { invoiceNumberTake } from '#store/billing/invoice-numbers.ts';
import { invoiceInsert, isInvoiceNumberTaken, type NewInvoice } from '#store/billing/invoices.ts';
import { creditOf, ledgerPost, type Movement } from '#store/billing/ledger.ts';
import type { Queries } from '#store/store.ts';
import { storeInvoiceParties } from './invoice-parties.ts';
import { getBillingSettings, type BillingSettings } from './settings.ts';
import type { AccountId } from '#store/account-id.ts';

export interface DraftLine {
  readonly type: LineType;
  readonly service: number | undefined;
  readonly description: string;
  readonly cents: number;
  readonly taxed: boolean;
}
export interface InvoiceDraft {
  /** Time of issue. */
  readonly now: number;
  readonly lines: readonly DraftLine[];
  readonly notes?: string;
  /** `unused` leaves the account's credit alone: an order is paid for when it is placed. */
  readonly credit?: 'unused';
  /** The invoice that this one corrects: its tax rates apply, and no credit is used. */
  readonly corrects?: { readonly id: number; readonly taxRate: number; readonly taxRate2: number };
}
export type IssuedInvoice = NewInvoice & { readonly id: number };

/** Uses the account's credit first; an invoice with nothing left to pay is paid at once. Needs a transaction. */
export async function issueInvoice(queries: Queries, account: AccountId, draft: InvoiceDraft): Promise<IssuedInvoice> {
  await billingAccountLock(queries, account);
  const settings = await getBillingSettings(queries);
  const customer = (await accountFind(queries, account))!;
  const rates = draft.corrects ?? taxRates(settings, customer.country);
  const sums = computeSums(draft.lines, rates);
  const available = draft.corrects === undefined && draft.credit !== 'unused' ? await creditOf(queries, account) : 0;
  const credit = Math.max(0, Math.min(available, sums.gross));
  const total = sums.gross - credit;
  const day = dayOf(draft.now);
  const invoice: NewInvoice = {
    number: await takeInvoiceNumber(queries, settings.numbers, day),
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
  await storeInvoiceParties(queries, customer, id);
  await ledgerPost(queries, account, { at: draft.now, kind: 'invoice', invoice: id, reference: invoice.number }, [
    ...invoiceMovements(draft.lines, sums),
    { debit: 'credit', credit: 'receivable', cents: credit },
    // Only for a negative total. When it corrects an invoice, that invoice then uses the credit.
    { debit: 'receivable', credit: 'credit', cents: Math.max(0, -total) },
  ]);
  return { ...invoice, id };
}

function taxRates({ taxes }: BillingSettings, country: string): { taxRate: number; taxRate2: number } {
  const [taxRate, taxRate2] = taxes[country] ?? [0, 0];
  return { taxRate, taxRate2 };
}

export interface InvoiceSums {
  readonly subtotal: number;
  readonly tax: number;
  readonly tax2: number;
  readonly gross: number;
}

export function computeSums(
  lines: readonly Pick<DraftLine, 'cents' | 'taxed'>[],
  rates: { readonly taxRate: number; readonly taxRate2: number },
): InvoiceSums {
  const subtotal = lines.reduce((sum, { cents }) => sum + cents, 0);
  const taxed = lines.reduce((sum, line) => sum + (line.taxed ? line.cents : 0), 0);
  const tax = moneyShare(taxed, rates.taxRate);
  const tax2 = moneyShare(taxed, rates.taxRate2);
  return { subtotal, tax, tax2, gross: subtotal + tax + tax2 };
}

/** Returns the ledger movements of an invoice without credit and payments: one per line type, and the taxes. */
export function invoiceMovements(
  lines: readonly Pick<DraftLine, 'type' | 'cents'>[],
  { tax, tax2 }: Pick<InvoiceSums, 'tax' | 'tax2'>,
): Movement[] {
  const byType = Map.groupBy(lines, ({ type }) => type);
  return [
    ...[...byType].map(([type, sameType]): Movement => ({
      debit: 'receivable',
      credit: `revenue:${type}`,
      cents: sameType.reduce((sum, { cents }) => sum + cents, 0),
    })),
    { debit: 'receivable', credit: 'tax', cents: tax },
    { debit: 'receivable', credit: 'tax2', cents: tax2 },
  ];
}

/** Skips numbers of imported invoices. That leaves no gap, because an invoice with that number exists. */
async function takeInvoiceNumber(queries: Queries, pattern: string, day: number): Promise<string> {
  const series = pattern.replace('{year}', String(yearOf(day)));
  for (;;) {
    const next = await invoiceNumberTake(queries, series);
    const number = series.replace(/\{(0+)\}/, (_, zeros: string) => String(next).padStart(zeros.length, '0'));
    if (!(await isInvoiceNumberTaken(queries, number))) return number;
  }
}

export function invoiceEventData(
  invoice: Pick<IssuedInvoice, 'id' | 'number' | 'total_cents' | 'due_day'>,
): EventData<'invoice.issued'> {
  return {
    invoiceid: String(invoice.id),
    invoicenum: invoice.number,
    total: moneyText(invoice.total_cents),
    duedate: dayNumberText(invoice.due_day),
  };
}
