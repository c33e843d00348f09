// Taxes by country and rate, as returns such as that of the One-Stop-Shop want them.
import type { Static } from 'typebox';
import type { TaxRow } from '#contract/operator/report.ts';
import { moneyText } from '#lib/money.ts';
import { invoiceBuyer } from '#store/billing/invoice-parties.ts';
import type { Queries } from '#store/store.ts';
import { billedInvoices, timeRange, type InvoiceDetails, type ReportPeriod } from './billed-invoices.ts';

interface TaxShare {
  readonly country: string;
  readonly category: string;
  /** Hundredths of a percent. */
  readonly rate: number;
  readonly base: number;
  readonly tax: number;
}

export async function taxReport(queries: Queries, period: ReportPeriod): Promise<Static<typeof TaxRow>[]> {
  const sums = new Map<string, { share: TaxShare; currency: string; invoices: number; base: number; tax: number }>();
  for await (const details of billedInvoices(queries, timeRange(period))) {
    const { currency } = details.invoice;
    for (const share of taxShares(details)) {
      const key = [share.country, share.category, share.rate, currency].join(' ');
      const sum = sums.get(key) ?? { share, currency, invoices: 0, base: 0, tax: 0 };
      sums.set(key, {
        ...sum,
        invoices: sum.invoices + 1,
        base: sum.base + share.base,
        tax: sum.tax + share.tax,
      });
    }
  }
  return [...sums.values()]
    .toSorted(
      (left, right) =>
        left.currency.localeCompare(right.currency) ||
        left.share.country.localeCompare(right.share.country) ||
        left.share.category.localeCompare(right.share.category) ||
        right.share.rate - left.share.rate,
    )
    .map(({ share, currency, invoices, base, tax }) => ({
      country: share.country,
      category: share.category,
      rate: moneyText(share.rate),
      currency,
      invoices: String(invoices),
      base: moneyText(base),
      tax: moneyText(tax),
    }));
}

/** Invoices without a VAT breakdown have two rates by the country of the customer. */
function taxShares({ invoice, lines, taxes }: InvoiceDetails): TaxShare[] {
  if (taxes.length > 0)
    return taxes.map(({ country, category, rate, base_cents: base, tax_cents: tax }) => ({
      country,
      category,
      rate,
      base,
      tax,
    }));
  const country = invoice.buyer === null ? invoice.country : invoiceBuyer.decode(invoice.buyer).country;
  const base = lines.reduce((sum, { taxed, amount_cents }) => sum + (taxed === 1 ? amount_cents : 0), 0);
  return (
    [
      [invoice.tax_rate, invoice.tax_cents],
      [invoice.tax_rate2, invoice.tax2_cents],
    ] as const
  )
    .filter(([rate, tax]) => rate !== 0 || tax !== 0)
    .map(([rate, tax]) => ({ country, category: '', rate, base, tax }));
}
