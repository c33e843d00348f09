// How days were billed that a run takes back. They are credited with the tax that was charged for them, whatever the customer's tax
// is by now, and not at all if credit notes and earlier runs have credited the whole line already.
import type { AccountId } from '#store/account-id.ts';
import { chargesOfSubject, type Charge } from '#store/billing/charges.ts';
import { invoiceTaxes } from '#store/billing/invoice-taxes.ts';
import { invoiceCorrections, invoiceLines } from '#store/billing/invoices.ts';
import type { ServiceTerm } from '#store/billing/service-terms.ts';
import type { Queries } from '#store/store.ts';
import { termSubject } from './charges.ts';
import { subtotalOfRow } from './issue.ts';
import { creditedByRuns, findChargedLine } from './run-credits.ts';
import type { TaxDecision } from './tax/rules.ts';
import { isSameTax } from './tax/totals.ts';

interface Billing {
  /** Undefined if the invoice has no VAT breakdown. */
  readonly tax: TaxDecision | undefined;
  /** Credit notes for the invoice, and earlier runs, have taken the whole line back. */
  readonly isCredited: boolean;
}

export interface BilledDay extends Billing {
  /** The next day that was billed differently. */
  readonly until: number;
}

/** Returns a function that finds how a day of the term was billed. */
export async function billedDays(
  queries: Queries,
  account: AccountId,
  term: ServiceTerm,
): Promise<(day: number) => BilledDay> {
  const billed: { readonly charge: Charge; readonly billing: Billing }[] = [];
  const charges = await chargesOfSubject(queries, account, { kind: 'Hosting', subject: termSubject(term) });
  for (const charge of charges.filter(({ amount_cents }) => amount_cents > 0))
    billed.push({ charge, billing: await billingOf(queries, charge, charges, term.service_id) });
  // A day that was credited may have been billed again: the last time counts.
  const billingOn = (day: number): Billing =>
    billed.findLast(({ charge: { from_day, until_day } }) => from_day <= day && day < until_day)?.billing ?? unknown;
  const limits = billed
    .flatMap(({ charge: { from_day, until_day } }) => [from_day, until_day])
    .toSorted((left, right) => left - right);
  return (day) => {
    const billing = billingOn(day);
    const until = limits.find((limit) => limit > day && !isSame(billing, billingOn(limit))) ?? Infinity;
    return { ...billing, until };
  };
}

const unknown: Billing = { tax: undefined, isCredited: false };

function isSame(left: Billing, right: Billing): boolean {
  return left.isCredited === right.isCredited && isSameTax(left.tax, right.tax);
}

async function billingOf(
  queries: Queries,
  charge: Charge,
  charges: readonly Charge[],
  service: number,
): Promise<Billing> {
  const { account_id: account, invoice_id: invoice, amount_cents } = charge;
  const taxes = await invoiceTaxes(queries, account, invoice);
  const line = findChargedLine(await invoiceLines(queries, account, invoice), charge, service);
  let rest = amount_cents + creditedByRuns(charge, charges);
  for (const note of await invoiceCorrections(queries, account, invoice))
    for (const { corrects_line_id, amount_cents: cents } of await invoiceLines(queries, account, note.id))
      if (corrects_line_id !== null && corrects_line_id === line?.id) rest += cents;
  const tax = taxes.length === 1 ? taxes[0] : taxes.find(({ position }) => position === line?.tax_position);
  return { tax: tax && subtotalOfRow(tax), isCredited: rest <= 0 };
}
