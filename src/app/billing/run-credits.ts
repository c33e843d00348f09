// What billing runs have credited of earlier charges, because days of them were not used. A credit belongs to the last charge for
// its days: days that were credited may have been billed again.
import { moneyPart } from '#lib/money.ts';
import type { AccountId } from '#store/account-id.ts';
import { chargesOfInvoice, chargesOfSubject, type Charge } from '#store/billing/charges.ts';
import { invoiceLines, type InvoiceLine } from '#store/billing/invoices.ts';
import { termsOfAccount } from '#store/billing/service-terms.ts';
import type { Queries } from '#store/store.ts';
import { spanText, termSubject } from './charges.ts';

/** Returns what runs have credited of each line of an invoice, by id. It has the opposite sign of the line. */
export async function runCreditsOfInvoice(
  queries: Queries,
  account: AccountId,
  invoice: number,
): Promise<ReadonlyMap<number, number>> {
  const services = new Map(
    (await termsOfAccount(queries, account, 0)).map((term) => [termSubject(term), term.service_id]),
  );
  const lines = await invoiceLines(queries, account, invoice);
  const credits = new Map<number, number>();
  for (const charge of await chargesOfInvoice(queries, account, invoice)) {
    if (!isCreditable(charge)) continue;
    const cents = creditedByRuns(charge, await chargesOfSubject(queries, account, charge));
    const line = findChargedLine(lines, charge, services.get(charge.subject.split(' coupon ')[0]!));
    if (cents !== 0 && line !== undefined) credits.set(line.id, cents);
  }
  return credits;
}

/** Runs take back charges by plan, and with them their discounts. */
function isCreditable({ kind, amount_cents }: Charge): boolean {
  return kind === 'Hosting' ? amount_cents > 0 : kind === 'Discount' && amount_cents < 0;
}

/** Returns what runs have credited of a charge, which is one of `charges`: all those of its kind and subject. */
export function creditedByRuns(charge: Charge, charges: readonly Charge[]): number {
  const later = charges.filter(({ period_day }) => period_day > charge.period_day);
  const [again, credits] = [true, false].map((same) =>
    later.filter(({ amount_cents }) => (amount_cents > 0 === charge.amount_cents > 0) === same),
  ) as [Charge[], Charge[]];
  let cents = 0;
  for (const credit of credits) {
    let days = 0;
    for (let day = credit.from_day; day < credit.until_day; day++)
      if (covers(charge, day) && !again.some((other) => other.period_day < credit.period_day && covers(other, day)))
        days++;
    cents += moneyPart(credit.amount_cents, 0, days, credit.until_day - credit.from_day);
  }
  return cents;
}

function covers({ from_day, until_day }: Charge, day: number): boolean {
  return from_day <= day && day < until_day;
}

/** Returns the line of a charge among those of its invoice. */
export function findChargedLine(
  lines: readonly InvoiceLine[],
  { kind, from_day, until_day, amount_cents }: Charge,
  service: number | undefined,
): InvoiceLine | undefined {
  return lines.find(
    (row) =>
      row.type === kind &&
      row.service_id === service &&
      row.amount_cents === amount_cents &&
      row.description.includes(spanText(from_day, until_day)),
  );
}
