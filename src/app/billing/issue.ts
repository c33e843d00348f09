// Issues an invoice: its number, lines and ledger entries, all in the caller's transaction. An issued invoice never
// changes; a draft with a negative total becomes a credit note, and its amount the customer's credit.
import type { EventData } from '#contract/events/events.ts';
import { yearOf } from './billing-periods.ts';
import { dayNumberText, dayOf } from '#lib/time.ts';
import { moneyShare, moneyText } from '#lib/money.ts';
import { accountFind, type Account } from '#store/account/accounts.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import {
  invoiceInsert,
  invoiceNumberTake,
  isInvoiceNumberTaken,
  type InvoiceLine,
  type NewInvoice,
} from '#store/billing/invoices.ts';
import { invoiceTaxesInsert, type InvoiceTax } from '#store/billing/invoice-taxes.ts';
import { invoiceExchangeFind, invoiceExchangeInsert } from '#store/billing/exchange-rates.ts';
import { creditOf, ledgerPost, type Movement } from '#store/billing/ledger.ts';
import type { Queries } from '#store/store.ts';
import { exchangeTax, reverseExchange, type CreditedTax } from './currency/exchange.ts';
import { queueDelivery } from './delivery/queue.ts';
import type { DocumentLine } from './documents/invoice-document.ts';
import { storeInvoiceParties } from './invoice-parties.ts';
import { requireBilling } from './pause.ts';
import { getBillingSettings, type BillingSettings } from './settings.ts';
import { loadTaxRules } from './tax/decide.ts';
import { isSameTax, taxSubtotals, type TaxSubtotal } from './tax/totals.ts';
import type { AccountId } from '#store/account-id.ts';

export interface InvoiceDraft {
  /** Time of issue. */
  readonly now: number;
  readonly lines: readonly DocumentLine[];
  readonly notes?: string;
  /** `unused` leaves the account's credit alone: an order is paid for when it is placed. */
  readonly credit?: 'unused';
  /** The invoice that this one corrects: its tax applies, and no credit is used. */
  readonly corrects?: CorrectedInvoice;
}
interface CorrectedInvoice extends TaxRates {
  readonly id: number;
  readonly taxCents: number;
  /** Lines of earlier credit notes for it. */
  readonly credited: readonly DocumentLine[];
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
  const day = dayOf(draft.now);
  const lines = draft.corrects === undefined ? await withTaxes(queries, customer, draft) : draft.lines;
  const sums = noteSums(lines, draft.corrects?.credited ?? [], rates);
  const available = draft.corrects === undefined && draft.credit !== 'unused' ? await creditOf(queries, account) : 0;
  const credit = Math.max(0, Math.min(available, sums.gross));
  const total = sums.gross - credit;
  const exchange =
    draft.corrects === undefined
      ? await exchangeTax(queries, { currency: customer.currency, taxCents: sums.tax, day })
      : reverseExchange(
          await invoiceExchangeFind(queries, account, draft.corrects.id),
          creditedTax(draft.corrects, sums.tax),
        );
  // The correction of an invoice without an amount has none either.
  const kind = sums.gross < 0 || draft.corrects !== undefined ? 'CreditNote' : 'Invoice';
  const invoice: NewInvoice = {
    number: await takeInvoiceNumber(queries, numberPattern(settings, kind), day),
    day,
    due_day: day + settings.termsDays,
    paid_at: total > 0 ? null : draft.now,
    status: total > 0 ? 'Unpaid' : 'Paid',
    ...amountColumns(sums, rates, credit),
    payment_method: settings.method,
    notes: draft.notes ?? '',
    kind,
    corrects_id: draft.corrects?.id ?? null,
  };
  const rows = lines.map((line) => ({ ...lineRow(line), tax_position: positionOf(line, sums.subtotals) }));
  const id = await invoiceInsert(queries, account, invoice, rows);
  await invoiceTaxesInsert(
    queries,
    sums.subtotals.map((subtotal, position) => taxRow(account, id, position, subtotal)),
  );
  await storeInvoiceParties(queries, customer, id);
  if (exchange !== undefined)
    await invoiceExchangeInsert(queries, { invoice_id: id, account_id: account, ...exchange });
  await queueDelivery(queries, account, id, draft.now);
  await ledgerPost(queries, account, { at: draft.now, kind: 'invoice', invoice: id, reference: invoice.number }, [
    ...invoiceMovements(lines, sums),
    { debit: 'credit', credit: 'receivable', cents: credit },
    // Only for a negative total. When it corrects an invoice, that invoice then uses the credit.
    { debit: 'receivable', credit: 'credit', cents: Math.max(0, -total) },
  ]);
  return { ...invoice, id };
}

/**
 * Returns the lines with the tax that the rules decide, or that was charged for what they take back. They are unchanged if
 * the site file has rates by country.
 */
export async function withTaxes(
  queries: Queries,
  customer: Account,
  { lines, now }: Pick<InvoiceDraft, 'lines' | 'now'>,
): Promise<readonly DocumentLine[]> {
  const decide = await loadTaxRules(queries, customer, now);
  if (decide === undefined) return lines;
  const today = dayOf(now);
  return lines.map((line) => {
    if (line.chargedTax !== undefined) return { ...line, tax: line.chargedTax };
    // Advance payments are taxed when they are billed.
    const day = Math.min(line.supplyDay ?? today, today);
    return { ...line, tax: decide({ day, kind: line.isTaxed ? 'service' : 'compensation' }) };
  });
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
  /** The VAT by category, rate and country, if the tax is decided per line. */
  readonly subtotals: readonly TaxSubtotal[];
}

export function computeSums(
  lines: readonly Pick<DocumentLine, 'cents' | 'isTaxed' | 'tax'>[],
  rates: TaxRates,
): InvoiceSums {
  const subtotal = lines.reduce((sum, { cents }) => sum + cents, 0);
  const taxed = lines.reduce((sum, line) => sum + (line.isTaxed && line.tax === undefined ? line.cents : 0), 0);
  const subtotals = taxSubtotals(lines.flatMap(({ cents, tax }) => (tax === undefined ? [] : [{ cents, tax }])));
  const tax = moneyShare(taxed, rates.taxRate) + subtotals.reduce((sum, { taxCents }) => sum + taxCents, 0);
  const tax2 = moneyShare(taxed, rates.taxRate2);
  return { subtotal, tax, tax2, gross: subtotal + tax + tax2, subtotals };
}

function creditedTax(corrects: CorrectedInvoice, taxCents: number): CreditedTax {
  const before = 0 - computeSums(corrects.credited, corrects).tax;
  return { before, after: before - taxCents, whole: corrects.taxCents };
}

/**
 * Returns the sums of a document after credit notes with the `credited` lines for the same invoice. Their taxes are
 * rounded together, so that all notes for an invoice never add up to more than its tax.
 */
function noteSums(lines: readonly DocumentLine[], credited: readonly DocumentLine[], rates: TaxRates): InvoiceSums {
  const own = computeSums(lines, rates);
  if (credited.length === 0) return own;
  const before = computeSums(credited, rates);
  const together = computeSums([...credited, ...lines], rates);
  const taxOf = ({ subtotals }: InvoiceSums, tax: TaxSubtotal): number =>
    subtotals.find((subtotal) => isSameTax(subtotal, tax))?.taxCents ?? 0;
  const subtotals = own.subtotals.map((subtotal) => ({
    ...subtotal,
    taxCents: taxOf(together, subtotal) - taxOf(before, subtotal),
  }));
  const [tax, tax2] = [together.tax - before.tax, together.tax2 - before.tax2];
  return { subtotal: own.subtotal, tax, tax2, gross: own.subtotal + tax + tax2, subtotals };
}

export function amountColumns(sums: InvoiceSums, invoiceRates: TaxRates, credit: number) {
  const { subtotal, tax, tax2, gross, subtotals } = sums;
  const rates = subtotals.length === 0 ? invoiceRates : { taxRate: mainRate(subtotals), taxRate2: 0 };
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

/** Returns the rate of the largest part: clients that know one rate per invoice show this one. */
function mainRate(subtotals: readonly TaxSubtotal[]): number {
  const [largest] = subtotals.toSorted((left, right) => Math.abs(right.baseCents) - Math.abs(left.baseCents));
  return largest?.rate ?? 0;
}

export function lineRow({ type, service, description, cents, isTaxed, tax, corrects }: DocumentLine) {
  const taxed = (tax === undefined ? isTaxed : tax.category === 'S') ? 1 : 0;
  const amounts = { amount_cents: cents, taxed, tax_position: null };
  return { type, service_id: service ?? null, description, ...amounts, corrects_line_id: corrects ?? null };
}

/** `taxes` is the VAT breakdown of its invoice. */
export function lineOfRow(row: InvoiceLine, taxes: readonly InvoiceTax[]): DocumentLine {
  const { type, description, amount_cents: cents } = row;
  const line = { type, service: row.service_id ?? undefined, description, cents, isTaxed: row.taxed === 1 };
  const tax = taxes.find(({ position }) => position === row.tax_position);
  return tax === undefined ? line : { ...line, tax: subtotalOfRow(tax) };
}

function positionOf({ tax }: DocumentLine, subtotals: readonly TaxSubtotal[]): number | null {
  if (tax === undefined) return null;
  return subtotals.findIndex((subtotal) => isSameTax(subtotal, tax));
}

function taxRow(account: AccountId, invoice: number, position: number, subtotal: TaxSubtotal): InvoiceTax {
  const { category, rate, country, reason, reasonCode, baseCents, taxCents } = subtotal;
  const amounts = { reason_code: reasonCode, base_cents: baseCents, tax_cents: taxCents };
  return { invoice_id: invoice, position, account_id: account, category, rate, country, reason, ...amounts };
}

export function subtotalOfRow(row: InvoiceTax): TaxSubtotal {
  const { category, rate, country, reason, reason_code: reasonCode, base_cents, tax_cents } = row;
  return { category, rate, country, reason, reasonCode, baseCents: base_cents, taxCents: tax_cents };
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

/** Credit notes have a separate series if the site file has a pattern for them. */
function numberPattern(
  { numbers, creditNoteNumbers = numbers }: BillingSettings,
  kind: 'Invoice' | 'CreditNote',
): string {
  return kind === 'CreditNote' ? creditNoteNumbers : numbers;
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
