// The documents of an invoice, created on request. The issued data never changes, so neither do the files.
import type { WholeFile } from '#contract/shapes/file.ts';
import type { InvoiceFormat } from '#contract/shapes/tax.ts';
import { ApiError, conflict, requireFound } from '#lib/api-error.ts';
import { accountFind } from '#store/account/accounts.ts';
import type { AccountId } from '#store/account-id.ts';
import { accountTaxFind } from '#store/billing/account-taxes.ts';
import { invoiceExchangeFind } from '#store/billing/exchange-rates.ts';
import { invoiceTaxes } from '#store/billing/invoice-taxes.ts';
import * as store from '#store/billing/invoices.ts';
import type { Queries } from '#store/store.ts';
import { hasElectronicForm, type Buyer, type InvoiceDocument } from './documents/invoice-document.ts';
import { renderInThread } from './documents/render-in-thread.ts';
import { requireUblParties } from './documents/ubl-invoice.ts';
import { getInvoiceParties, type StoredSeller } from './invoice-parties.ts';
import { lineOfRow, subtotalOfRow } from './issue.ts';
import type { App, Context } from '../app.ts';

export function invoiceFile({ app, queries, caller }: Context, id: number): Promise<WholeFile> {
  return renderInvoice(app, queries, caller.account, id);
}

export async function renderInvoice(
  { log }: Pick<App, 'log'>,
  queries: Queries,
  owner: AccountId,
  id: number,
): Promise<WholeFile & { readonly xml: string | undefined }> {
  const document = await loadInvoiceDocument(queries, owner, id);
  const { number } = document;
  const isElectronic = embedsXml(document) && hasElectronicForm(document);
  const job = { kind: 'invoice', document, embedsXml: isElectronic } as const;
  const { bytes, missing, xml } = await renderInThread(owner, job);
  const details = { invoice: number, letters: missing.join(' ') };
  if (missing.length > 0) log.warn(details, 'no installed font has some characters of an invoice');
  return { name: `${number}.pdf`, bytes, xml };
}

/** The customer chooses, or else the provider by country. */
function embedsXml({ seller, buyer }: { readonly seller: StoredSeller; readonly buyer: Buyer }): boolean {
  const { pdf = 'automatic', country } = buyer;
  return pdf === 'automatic' ? seller.electronicInvoices.includes(country) : pdf === 'facturx';
}

export async function electronicInvoiceFile(
  { queries, caller }: Context,
  id: number,
  format: InvoiceFormat,
): Promise<WholeFile> {
  return createElectronicInvoice(caller.account, await loadInvoiceDocument(queries, caller.account, id), format);
}

/**
 * Returns the e-invoice that the account wants in emails, as a list of at most one. If it cannot be created, the log says
 * why: the email with the PDF must not wait for it.
 */
export async function wantedElectronicInvoice(
  { log }: Pick<App, 'log'>,
  queries: Queries,
  owner: AccountId,
  id: number,
): Promise<WholeFile[]> {
  const format = (await accountTaxFind(queries, owner))?.attachment ?? 'none';
  if (format === 'none') return [];
  try {
    return [await createElectronicInvoice(owner, await loadInvoiceDocument(queries, owner, id), format)];
  } catch (error) {
    if (!isImpossible(error)) throw error;
    log.warn({ err: error, invoice: id }, 'an invoice has no e-invoice to attach');
    return [];
  }
}

/** Returns true if there is no such document, rather than no time for it at the moment. */
export function isImpossible(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code !== 'overloaded';
}

/** Rejects if the invoice cannot be expressed in EN 16931. */
export async function createElectronicInvoice(
  owner: AccountId,
  document: InvoiceDocument,
  format: InvoiceFormat,
): Promise<WholeFile> {
  if (!hasElectronicForm(document))
    throw conflict('This invoice has no e-invoice: it has a second tax, or the provider has no address.');
  if (format !== 'cii') requireUblParties(document, format);
  const { bytes } = await renderInThread(owner, { kind: 'e-invoice', document, format });
  return { name: `${document.number}.xml`, bytes };
}

export async function loadInvoiceDocument(
  queries: Queries,
  owner: AccountId,
  id: number,
): Promise<InvoiceDocument & { readonly seller: StoredSeller }> {
  const invoice = requireFound(await store.invoiceFind(queries, owner, id));
  const account = requireFound(await accountFind(queries, owner));
  const { seller, buyer } = await getInvoiceParties(queries, owner, id);
  const corrected =
    invoice.corrects_id === null ? undefined : await store.invoiceFind(queries, owner, invoice.corrects_id);
  const taxes = await invoiceTaxes(queries, owner, id);
  return {
    kind: invoice.kind === 'CreditNote' ? 'credit note' : 'invoice',
    number: invoice.number,
    corrects: corrected?.number,
    day: invoice.day,
    dueDay: invoice.due_day,
    account: account.id,
    seller,
    buyer,
    currency: { code: account.currency, prefix: account.currency_prefix, suffix: account.currency_suffix },
    lines: (await store.invoiceLines(queries, owner, id)).map((row) => lineOfRow(row, taxes)),
    subtotalCents: invoice.subtotal_cents,
    taxes: [
      { rate: invoice.tax_rate, cents: invoice.tax_cents },
      { rate: invoice.tax_rate2, cents: invoice.tax2_cents },
    ],
    subtotals: taxes.map(subtotalOfRow),
    creditCents: invoice.credit_cents,
    totalCents: invoice.total_cents,
    notes: invoice.notes,
    exchange: await invoiceExchangeFind(queries, owner, id),
  };
}
