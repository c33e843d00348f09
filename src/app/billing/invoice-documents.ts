// The PDF of an invoice, rendered on request. The issued data never changes, so neither does the file.
import type { WholeFile } from '#contract/shapes/file.ts';
import { requireFound } from '#lib/api-error.ts';
import { accountFind } from '#store/account/accounts.ts';
import type { AccountId } from '#store/account-id.ts';
import * as store from '#store/billing/invoices.ts';
import type { Queries } from '#store/store.ts';
import { createCrossIndustryInvoice, hasCrossIndustryForm } from './documents/cross-industry-invoice.ts';
import type { InvoiceDocument } from './documents/invoice-document.ts';
import { renderInThread } from './documents/render-in-thread.ts';
import { getInvoiceParties } from './invoice-parties.ts';
import { lineOfRow } from './issue.ts';
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
  const invoice = requireFound(await store.invoiceFind(queries, owner, id));
  const account = requireFound(await accountFind(queries, owner));
  const { seller, buyer } = await getInvoiceParties(queries, owner, id);
  const corrected =
    invoice.corrects_id === null ? undefined : await store.invoiceFind(queries, owner, invoice.corrects_id);
  const document: InvoiceDocument = {
    kind: invoice.kind === 'CreditNote' ? 'credit note' : 'invoice',
    number: invoice.number,
    corrects: corrected?.number,
    day: invoice.day,
    dueDay: invoice.due_day,
    account: account.id,
    seller,
    buyer,
    currency: { code: account.currency, prefix: account.currency_prefix, suffix: account.currency_suffix },
    lines: (await store.invoiceLines(queries, owner, id)).map(lineOfRow),
    subtotalCents: invoice.subtotal_cents,
    taxes: [
      { rate: invoice.tax_rate, cents: invoice.tax_cents },
      { rate: invoice.tax_rate2, cents: invoice.tax2_cents },
    ],
    creditCents: invoice.credit_cents,
    totalCents: invoice.total_cents,
    notes: invoice.notes,
  };
  const isElectronic = seller.electronicInvoices.includes(buyer.country) && hasCrossIndustryForm(document);
  const embeddedXml = isElectronic ? createCrossIndustryInvoice(document) : undefined;
  const { bytes, missing } = await renderInThread({ kind: 'invoice', document, embeddedXml });
  const details = { invoice: invoice.number, letters: missing.join(' ') };
  if (missing.length > 0) log.warn(details, 'no installed font has some characters of an invoice');
  return { name: `${invoice.number}.pdf`, bytes, xml: embeddedXml };
}
