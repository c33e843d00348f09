// Revenue by month, plan and kind of line. The tax of an invoice is divided among its lines, so that the sums with tax
// are those of the invoices to the cent.
import type { Static } from 'typebox';
import type { RevenueRow } from '#contract/operator/report.ts';
import { moneyText } from '#lib/money.ts';
import { dayNumberText } from '#lib/time.ts';
import type { BilledLine } from '#store/billing/reports.ts';
import type { Queries } from '#store/store.ts';
import { billedInvoices, timeRange, type InvoiceDetails, type ReportPeriod } from './billed-invoices.ts';

const monthLength = 7;

export async function revenueReport(queries: Queries, period: ReportPeriod): Promise<Static<typeof RevenueRow>[]> {
  const sums = new Map<string, { -readonly [Name in 'net' | 'tax']: number }>();
  for await (const details of billedInvoices(queries, timeRange(period))) {
    const { day, currency } = details.invoice;
    const month = dayNumberText(day).slice(0, monthLength);
    for (const [line, tax] of lineTaxes(details)) {
      const key = JSON.stringify([month, line.plan ?? '', line.type, currency]);
      const sum = sums.get(key) ?? { net: 0, tax: 0 };
      sum.net += line.amount_cents;
      sum.tax += tax;
      sums.set(key, sum);
    }
  }
  return [...sums]
    .map(([key, { net, tax }]) => {
      const [month, plan, type, currency] = JSON.parse(key) as [string, string, BilledLine['type'], string];
      return { month, plan, type, currency, net: moneyText(net), tax: moneyText(tax), gross: moneyText(net + tax) };
    })
    .toSorted((left, right) => orderOf(left).localeCompare(orderOf(right)));
}

function orderOf({ month, plan, type, currency }: Static<typeof RevenueRow>): string {
  return [month, currency, plan, type].join('\n');
}

/** Returns each line with its part of the tax. */
function* lineTaxes({ invoice, lines, taxes }: InvoiceDetails): Iterable<readonly [BilledLine, number]> {
  const groups = Map.groupBy(lines, ({ tax_position, taxed }) => tax_position ?? (taxed === 1 ? 'taxed' : 'untaxed'));
  const whole = invoice.tax_cents + invoice.tax2_cents;
  for (const [position, group] of groups) {
    const tax =
      typeof position === 'number'
        ? (taxes.find((candidate) => candidate.position === position)?.tax_cents ?? 0)
        : position === 'taxed'
          ? whole
          : 0;
    const parts = divideCents(
      tax,
      group.map(({ amount_cents }) => amount_cents),
    );
    for (const [index, line] of group.entries()) yield [line, parts[index]!];
  }
}

/** Divides an amount in proportion to the weights. The parts add up to the amount. */
export function divideCents(cents: number, weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return weights.map((_, index) => (index === 0 ? cents : 0));
  let [weight, given] = [0, 0];
  return weights.map((next) => {
    weight += next;
    const part = Math.round((cents * weight) / total) - given;
    given += part;
    return part;
  });
}
