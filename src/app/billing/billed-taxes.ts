// Days that were billed in advance are credited with the tax that was charged for them, whatever the customer's tax is by now.
import type { AccountId } from '#store/account-id.ts';
import { chargesOfSubject, type Charge } from '#store/billing/charges.ts';
import { invoiceTaxes } from '#store/billing/invoice-taxes.ts';
import { invoiceLines } from '#store/billing/invoices.ts';
import type { ServiceTerm } from '#store/billing/service-terms.ts';
import type { Queries } from '#store/store.ts';
import { spanText, termSubject } from './charges.ts';
import { subtotalOfRow } from './issue.ts';
import type { TaxDecision } from './tax/rules.ts';
import { isSameTax } from './tax/totals.ts';

export interface BilledTax {
  /** Undefined if the invoice has no VAT breakdown. */
  readonly tax: TaxDecision | undefined;
  /** The next day that was billed with another tax. */
  readonly until: number;
}

/** Returns a function that finds the tax with which a day of the term was billed. */
export async function billedTaxes(
  queries: Queries,
  account: AccountId,
  term: ServiceTerm,
): Promise<(day: number) => BilledTax> {
  const billed: { readonly charge: Charge; readonly tax: TaxDecision | undefined }[] = [];
  for (const charge of await chargesOfSubject(queries, account, { kind: 'Hosting', subject: termSubject(term) }))
    billed.push({ charge, tax: await taxOfCharge(queries, charge, term.service_id) });
  // A day that was credited may have been billed again: the last time counts.
  const taxOn = (day: number) =>
    billed.findLast(({ charge: { from_day, until_day } }) => from_day <= day && day < until_day)?.tax;
  const limits = billed
    .flatMap(({ charge: { from_day, until_day } }) => [from_day, until_day])
    .toSorted((left, right) => left - right);
  return (day) => {
    const tax = taxOn(day);
    return { tax, until: limits.find((limit) => limit > day && !isSameTax(tax, taxOn(limit))) ?? Infinity };
  };
}

async function taxOfCharge(queries: Queries, charge: Charge, service: number): Promise<TaxDecision | undefined> {
  const { account_id: account, invoice_id: invoice, kind, from_day, until_day, amount_cents } = charge;
  const taxes = await invoiceTaxes(queries, account, invoice);
  if (taxes.length <= 1) return taxes[0] && subtotalOfRow(taxes[0]);
  // Lines of the same days have the same tax, except for credits.
  const line = (await invoiceLines(queries, account, invoice)).find(
    (row) =>
      row.type === kind &&
      row.service_id === service &&
      row.amount_cents === amount_cents &&
      row.description.includes(spanText(from_day, until_day)),
  );
  const row = taxes.find(({ position }) => position === line?.tax_position);
  return row && subtotalOfRow(row);
}
