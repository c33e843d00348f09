// The PDF of an invoice, drawn when somebody asks for it: from what was issued it is the same file each time.
import type { FileAnswer } from '#contract/shapes/file.ts';
import { Fault } from '#kernel/fault.ts';
import * as store from '#store/billing/invoices.ts';
import { callersAccount } from '../account/accounts.ts';
import { crossIndustryInvoice, hasCrossIndustryForm } from './documents/cross-industry-invoice.ts';
import type { InvoiceDocument } from './documents/invoice-document.ts';
import { invoicePdf } from './documents/invoice-pdf.ts';
import { invoicePartiesOf } from './invoice-parties.ts';
import type { Context } from '../yard.ts';

export async function invoiceFile(context: Context, id: number): Promise<FileAnswer> {
  const { queries, caller } = context;
  const invoice = await store.invoiceFind(queries, caller.account, id);
  if (invoice === undefined) throw new Fault('not_found');
  const account = await callersAccount(context);
  const { seller, buyer } = await invoicePartiesOf(queries, caller.account, id);
  const corrected =
    invoice.corrects_id === null ? undefined : await store.invoiceFind(queries, caller.account, invoice.corrects_id);
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
    lines: (await store.invoiceLines(queries, caller.account, id)).map((line) => ({
      type: line.type,
      service: line.service_id ?? undefined,
      description: line.description,
      cents: line.amount_cents,
      isTaxed: line.taxed === 1,
    })),
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
  const { bytes, missing } = await invoicePdf(document, isElectronic ? crossIndustryInvoice(document) : undefined);
  if (missing.length > 0)
    context.yard.log.warn(
      { invoice: invoice.number, letters: missing.join(' ') },
      'no font here has letters of an invoice',
    );
  return { name: `${invoice.number}.pdf`, bytes };
}
