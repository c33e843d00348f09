// The ledger and the invoices of a period, slice by slice. Reports start from the ledger, so that their sums are the
// ledger's: an invoice that was imported as cancelled is not in it.
import { invalid } from '#lib/api-error.ts';
import { pauseWork } from '#lib/slices.ts';
import { dayMs, dayNumber } from '#lib/time.ts';
import type { InvoiceTax } from '#store/billing/invoice-taxes.ts';
import {
  invoicesByIds,
  ledgerSlice,
  linesOfInvoices,
  taxesOfInvoices,
  type BilledInvoice,
  type BilledLine,
  type BookedEntry,
  type TimeRange,
} from '#store/billing/reports.ts';
import type { Queries } from '#store/store.ts';

const sliceLength = 200;
const maxDays = 731;

/** Days as the API gives them; both are part of the period. */
export interface ReportPeriod {
  readonly from: string;
  readonly until: string;
}

export function readPeriod({ from, until }: ReportPeriod): { readonly fromDay: number; readonly untilDay: number } {
  const [fromDay, untilDay] = [requireDay('from', from), requireDay('until', until)];
  if (untilDay < fromDay) throw invalid({ until: 'must not be before from' });
  if (untilDay - fromDay >= maxDays) throw invalid({ until: 'must be at most two years after from' });
  return { fromDay, untilDay };
}

export function requireDay(name: string, text: string): number {
  const day = dayNumber(text);
  if (day === undefined) throw invalid({ [name]: 'must be a date such as 2026-01-31' });
  return day;
}

export function timeRange(period: ReportPeriod): TimeRange {
  const { fromDay, untilDay } = readPeriod(period);
  return { from: fromDay * dayMs, until: (untilDay + 1) * dayMs };
}

/** Yields the ledger entries of a period in order, a slice at a time. */
export async function* ledgerSlices(queries: Queries, range: TimeRange): AsyncGenerator<BookedEntry[]> {
  for (let after: BookedEntry | undefined; ;) {
    const entries = await ledgerSlice(queries, range, after, sliceLength);
    if (entries.length > 0) yield entries;
    if (entries.length < sliceLength) return;
    after = entries.at(-1)!;
    await pauseWork('outside a transaction');
  }
}

export interface InvoiceDetails {
  readonly invoice: BilledInvoice;
  readonly lines: readonly BilledLine[];
  readonly taxes: readonly InvoiceTax[];
}

/** Yields the invoices and credit notes that were booked in a period, each once. */
export async function* billedInvoices(queries: Queries, range: TimeRange): AsyncGenerator<InvoiceDetails> {
  const seen = new Set<number>();
  for await (const entries of ledgerSlices(queries, range)) {
    const ids = new Set(entries.filter(isBilling).map(({ invoice_id }) => invoice_id!));
    const added = [...ids].filter((id) => !seen.has(id));
    for (const id of added) seen.add(id);
    if (added.length > 0) yield* (await loadInvoices(queries, added)).values();
  }
}

export async function loadInvoices(queries: Queries, ids: readonly number[]): Promise<Map<number, InvoiceDetails>> {
  const lines = Map.groupBy(await linesOfInvoices(queries, ids), ({ invoice_id }) => invoice_id);
  const taxes = Map.groupBy(await taxesOfInvoices(queries, ids), ({ invoice_id }) => invoice_id);
  const invoices = await invoicesByIds(queries, ids);
  return new Map(
    invoices.map((invoice) => {
      const { id } = invoice;
      return [id, { invoice, lines: lines.get(id) ?? [], taxes: taxes.get(id) ?? [] }];
    }),
  );
}

/** Returns true if an entry books a line or the tax of an invoice. */
export function isBilling({ kind, debit, credit, invoice_id }: BookedEntry): boolean {
  const isOfInvoice = (kind === 'invoice' || kind === 'opening') && invoice_id !== null;
  return isOfInvoice && [debit, credit].some((book) => book.startsWith('revenue:') || book.startsWith('tax'));
}
