// Payments by month and method, with refunds and chargebacks.
import type { Static } from 'typebox';
import type { PaymentRow } from '#contract/operator/report.ts';
import { moneyText } from '#lib/money.ts';
import { dayText } from '#lib/time.ts';
import type { Queries } from '#store/store.ts';
import { ledgerSlices, timeRange, type ReportPeriod } from './billed-invoices.ts';

const monthLength = 7;
const paid = 'paid:';

export async function paymentReport(queries: Queries, period: ReportPeriod): Promise<Static<typeof PaymentRow>[]> {
  const sums = new Map<string, { payments: Set<string>; received: number; returned: number }>();
  for await (const entries of ledgerSlices(queries, timeRange(period)))
    for (const { at, debit, credit, amount_cents, currency, account_id, reference } of entries) {
      const book = [debit, credit].find((candidate) => candidate.startsWith(paid));
      if (book === undefined) continue;
      const key = JSON.stringify([dayText(at).slice(0, monthLength), book.slice(paid.length), currency]);
      const sum = sums.get(key) ?? { payments: new Set(), received: 0, returned: 0 };
      if (debit === book) {
        sum.received += amount_cents;
        // A payment of several invoices is an entry for each.
        sum.payments.add(`${account_id} ${reference}`);
      } else sum.returned += amount_cents;
      sums.set(key, sum);
    }
  return [...sums]
    .toSorted(([left], [right]) => left.localeCompare(right))
    .map(([key, { payments, received, returned }]) => {
      const [month, method, currency] = JSON.parse(key) as [string, string, string];
      const amounts = { received: moneyText(received), returned: moneyText(returned) };
      return { month, method, currency, payments: String(payments.size), ...amounts };
    });
}
