// Issues an invoice: its number, lines and ledger entries, all in the caller's transaction. An issued invoice never
// changes; a draft with a negative total becomes a credit note, and its amount the customer's credit.
import type { EventData } from '#contract/events/events.ts';
import { yearOf } from './billing-periods.ts';
import { dayNumberText, dayOf } from '#lib/time.ts';
import { moneyShare, moneyText } from '#lib/money.ts';
import { accountFind } from '#store/account/accounts.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import {
  invoiceInsert,
  invoiceNumberTake,
  isInvoiceNumberTaken,
  type InvoiceLine,
  type NewInvoice,
} from '#store/billing/invoices.ts';
import { creditOf, ledgerPost, type Movement } from '#store/billing/ledger.ts';
import type { Queries } from '#store/store.ts';
import type { DocumentLine } from './documents/invoice-document.ts';
import { storeInvoiceParties } from './invoice-parties.ts';
import { requireBilling } from './pause.ts';
import { getBillingSettings, type BillingSettings } from './settings.ts';
import type { AccountId } from '#store/account-id.ts';

export interface InvoiceDraft {
  /** Time of issue. */
  readonly now: number;
  readonly lines: readonly DocumentLine[];
  readonly notes?: string;
  /** `unused` leaves the account's credit alone: an order is paid for when it is placed. */
  readonly credit?: 'unused';
  /** The invoice that this one corrects: its tax rates apply, and no credit is used. */
  readonly corrects?: TaxRates & { readonly id: number };
}
export type IssuedInvoice = NewInvoice & { readonly id: number };

/** Uses the account's credit first; an invoice with nothing left to pay is paid at once. Throws if billing is
 * paused. Needs a transaction. */
export async function issueInvoice(queries: Queries, account: AccountId, draft: InvoiceDraft): Promise<IssuedInvoice> {
  await requireBilling(queries, draft.now);
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
    ...amountColumns(sums, rates, credit),
    payment_method: settings.method,
    notes: draft.notes ?? '',
    kind: sums.gross < 0 ? 'CreditNote' : 'Invoice',
    corrects_id: draft.corrects?.id ?? null,
  };
  const id = await invoiceInsert(queries, account, invoice, draft.lines.map(lineRow));
  await storeInvoiceParties(queries, customer, id);
  await ledgerPost(queries, account, { at: draft.now, kind: 'invoice', invoice: id, reference: invoice.number }, [
    ...invoiceMovements(draft.lines, sums),
    { debit: 'credit', credit: 'receivable', cents: credit },
    // Only for a negative total. When it corrects an invoice, that invoice then uses the credit.
    { debit: 'receivable', credit: 'credit', cents: Math.max(0, -total) },
  ]);
  return { ...invoice, id };
}

interface TaxRates {
  readonly taxRate: number;
  readonly taxRate2: number;
}

export function taxRates({ taxes }: BillingSettings, country: string): TaxRates {
  const [taxRate, taxRate2] = taxes[country] ?? [0, 0];
  return { taxRate, taxRate2 };
}

export interface InvoiceSums {
  readonly subtotal: number;
  readonly tax: number;
  readonly tax2: number;
  readonly gross: number;
}

export function computeSums(lines: readonly Pick<DocumentLine, 'cents' | 'isTaxed'>[], rates: TaxRates): InvoiceSums {
  const subtotal = lines.reduce((sum, { cents }) => sum + cents, 0);
  const taxed = lines.reduce((sum, line) => sum + (line.isTaxed ? line.cents : 0), 0);
  const tax = moneyShare(taxed, rates.taxRate);
  const tax2 = moneyShare(taxed, rates.taxRate2);
  return { subtotal, tax, tax2, gross: subtotal + tax + tax2 };
}

export function amountColumns({ subtotal, tax, tax2, gross }: InvoiceSums, rates: TaxRates, credit: number) {
  return {
    subtotal_cents: subtotal,
    credit_cents: credit,
    tax_cents: tax,
    tax2_cents: tax2,
    total_cents: gross - credit,
    tax_rate: rates.taxRate,
    tax_rate2: rates.taxRate2,
  };
}

export function lineRow({ type, service, description, cents, isTaxed }: DocumentLine) {
  return { type, service_id: service ?? null, description, amount_cents: cents, taxed: isTaxed ? 1 : 0 };
}

export function lineOfRow(row: InvoiceLine): DocumentLine {
  const { type, description, amount_cents: cents } = row;
  return { type, service: row.service_id ?? undefined, description, cents, isTaxed: row.taxed === 1 };
}

/** Returns the ledger movements of an invoice without credit and payments: one per line type, and the taxes. */
export function invoiceMovements(
  lines: readonly Pick<DocumentLine, 'type' | 'cents'>[],
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
