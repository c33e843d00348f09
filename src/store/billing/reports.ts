// Queries of reports over all accounts. Each reads a slice of an index, so that a report never blocks other calls.
import { sql } from 'kysely';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { Invoice, InvoiceLine } from './invoices.ts';
import type { InvoiceTax } from './invoice-taxes.ts';
import type { LedgerEntry } from './ledger.ts';

/** A range of times in milliseconds; `until` is not part of it. */
export interface TimeRange {
  readonly from: number;
  readonly until: number;
}
export type BookedEntry = LedgerEntry & { readonly currency: string; readonly number: string | null };

/**
 * Returns the entries of all accounts in order, after a position, with currencies and invoice numbers. Those of the same
 * time are read separately: many entries can have one, and SQLite does not skip within it.
 */
export async function ledgerSlice(
  queries: Queries,
  { from, until }: TimeRange,
  after: Pick<LedgerEntry, 'at' | 'id'> | undefined,
  limit: number,
): Promise<BookedEntry[]> {
  const entries = queries
    .selectFrom('ledger')
    .innerJoin('accounts', 'accounts.id', 'ledger.account_id')
    .leftJoin('invoices', 'invoices.id', 'ledger.invoice_id')
    .selectAll('ledger')
    .select(['accounts.currency', 'invoices.number'])
    .orderBy('ledger.at')
    .orderBy('ledger.id');
  const simultaneous =
    after === undefined
      ? []
      : await entries.where('ledger.at', '=', after.at).where('ledger.id', '>', after.id).limit(limit).execute();
  if (simultaneous.length === limit) return simultaneous;
  const later = await entries
    .where('ledger.at', '>', after?.at ?? from - 1)
    .where('ledger.at', '<', until)
    .limit(limit - simultaneous.length)
    .execute();
  return [...simultaneous, ...later];
}

export type BilledLine = Pick<InvoiceLine, 'invoice_id' | 'type' | 'amount_cents' | 'taxed' | 'tax_position'> & {
  /** The plan that the service had when it was billed. */
  readonly plan: string | null;
};
/** Returns the lines of these invoices. */
export async function linesOfInvoices(queries: Queries, invoices: readonly number[]): Promise<BilledLine[]> {
  return queries
    .selectFrom('invoice_lines')
    .innerJoin('invoices', 'invoices.id', 'invoice_lines.invoice_id')
    .select([
      'invoice_lines.invoice_id',
      'invoice_lines.type',
      'invoice_lines.amount_cents',
      'invoice_lines.taxed',
      'invoice_lines.tax_position',
    ])
    .select((select) =>
      select
        .selectFrom('service_terms')
        .select('service_terms.plan')
        .whereRef('service_terms.account_id', '=', 'invoice_lines.account_id')
        .whereRef('service_terms.service_id', '=', 'invoice_lines.service_id')
        .whereRef('service_terms.from_day', '<=', 'invoices.day')
        .orderBy('service_terms.from_day', 'desc')
        .limit(1)
        .as('plan'),
    )
    .where('invoice_lines.invoice_id', 'in', invoices)
    .orderBy('invoice_lines.id')
    .execute();
}

export type BilledInvoice = Pick<
  Invoice,
  'id' | 'account_id' | 'day' | 'tax_cents' | 'tax2_cents' | 'tax_rate' | 'tax_rate2'
> & { readonly currency: string; readonly country: string; readonly buyer: string | null };
/** Returns these invoices, with the country that the account is in today. */
export async function invoicesByIds(queries: Queries, ids: readonly number[]): Promise<BilledInvoice[]> {
  return queries
    .selectFrom('invoices')
    .innerJoin('accounts', 'accounts.id', 'invoices.account_id')
    .leftJoin('invoice_parties', 'invoice_parties.invoice_id', 'invoices.id')
    .select(['invoices.id', 'invoices.account_id', 'invoices.day', 'invoices.tax_cents', 'invoices.tax2_cents'])
    .select(['invoices.tax_rate', 'invoices.tax_rate2', 'accounts.currency', 'accounts.country'])
    .select('invoice_parties.buyer')
    .where('invoices.id', 'in', ids)
    .execute();
}

export async function taxesOfInvoices(queries: Queries, invoices: readonly number[]): Promise<InvoiceTax[]> {
  return queries
    .selectFrom('invoice_taxes')
    .selectAll()
    .where('invoice_id', 'in', invoices)
    .orderBy('invoice_id')
    .orderBy('position')
    .execute();
}

/** The open amount of an invoice at the end of a day. */
export interface OpenItem {
  readonly id: number;
  readonly account_id: AccountId;
  readonly due_day: number;
  readonly open_cents: number;
}
/** Times from `until` on do not count. */
const openBefore = (until: number) =>
  sql<number>`total_cents - (select coalesce(sum(amount_cents), 0) from payments
    where payments.invoice_id = invoices.id and payments.paid_at < ${until})`.as('open_cents');

/** Returns unpaid invoices that were issued up to a day, ordered by id, after one. */
export async function unpaidSlice(
  queries: Queries,
  { day, until }: { readonly day: number; readonly until: number },
  after: number,
  limit: number,
): Promise<OpenItem[]> {
  return queries
    .selectFrom('invoices')
    .select(['id', 'account_id', 'due_day', openBefore(until)])
    .where('status', '=', 'Unpaid')
    .where('id', '>', after)
    .where('day', '<=', day)
    .orderBy('id')
    .limit(limit)
    .execute();
}

export interface PaymentPosition {
  readonly id: number;
  readonly paid_at: number;
  readonly invoice_id: number;
}
/** Returns payments from a time on, or after one of them, in order: their invoices may have been open before. */
export async function paymentSlice(
  queries: Queries,
  from: number,
  after: PaymentPosition | undefined,
  limit: number,
): Promise<PaymentPosition[]> {
  const payments = queries.selectFrom('payments').select(['id', 'paid_at', 'invoice_id']);
  const ordered = payments.orderBy('paid_at').orderBy('id');
  const simultaneous =
    after === undefined
      ? []
      : await ordered.where('paid_at', '=', after.paid_at).where('id', '>', after.id).limit(limit).execute();
  if (simultaneous.length === limit) return simultaneous;
  const later = ordered.where('paid_at', '>', after?.paid_at ?? from - 1).limit(limit - simultaneous.length);
  return [...simultaneous, ...(await later.execute())];
}

/** Returns what was open of these invoices, without those that are unpaid today. */
export async function settledItems(
  queries: Queries,
  ids: readonly number[],
  { day, until }: { readonly day: number; readonly until: number },
): Promise<OpenItem[]> {
  return queries
    .selectFrom('invoices')
    .select(['id', 'account_id', 'due_day', openBefore(until)])
    .where('id', 'in', ids)
    .where('status', '<>', 'Unpaid')
    .where('day', '<=', day)
    .execute();
}

export interface NamedAccount {
  readonly id: AccountId;
  readonly firstname: string;
  readonly lastname: string;
  readonly companyname: string;
  readonly currency: string;
}
export async function accountNames(queries: Queries, ids: readonly AccountId[]): Promise<NamedAccount[]> {
  return queries
    .selectFrom('accounts')
    .select(['id', 'firstname', 'lastname', 'companyname', 'currency'])
    .where('id', 'in', ids)
    .execute();
}
