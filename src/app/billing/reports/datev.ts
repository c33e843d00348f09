// Exports the ledger of a period to DATEV. Each entry becomes one booking; those of invoices are divided by how their
// lines are taxed, because DATEV has an account for each treatment.
import type { InputOf } from '#contract/endpoint.ts';
import type { reportOperator } from '#contract/operator/report.ts';
import type { WholeFile } from '#contract/shapes/file.ts';
import { invalid } from '#lib/api-error.ts';
import { dayText } from '#lib/time.ts';
import type { BookedEntry } from '#store/billing/reports.ts';
import type { Queries } from '#store/store.ts';
import { getSeller } from '../invoice-parties.ts';
import { isBilling, ledgerSlices, loadInvoices, timeRange, type InvoiceDetails } from './billed-invoices.ts';
import { DatevAccounts, getDatevSettings, type TaxTreatment } from './datev-accounts.ts';
import { datevBooking, datevHeader, maxBookings, type DatevBooking } from './datev-file.ts';

type Input = InputOf<typeof reportOperator.reportDatev>;

export async function reportDatev(
  { queries, now }: { readonly queries: Queries; readonly now: number },
  { from, until, currency = 'EUR' }: Input,
): Promise<WholeFile> {
  const settings = await getDatevSettings(queries);
  const range = timeRange({ from, until });
  const yearStart = businessYear(from, settings.yearStart ?? '01-01');
  if (until >= nextYear(yearStart)) throw invalid({ until: 'must be in the same business year as from' });
  const accounts = new DatevAccounts(settings, (await getSeller(queries)).country);
  const { consultant, client } = settings;
  const { accountLength } = accounts;
  const chart = settings.chart === 'skr03' ? '03' : '04';
  const header = {
    consultant,
    client,
    chart,
    accountLength,
    yearStart,
    from,
    until,
    currency,
    createdAt: now,
  } as const;
  const lines: Buffer[] = [datevHeader(header)];
  for await (const entries of ledgerSlices(queries, range)) {
    const chosen = entries.filter((entry) => entry.currency === currency);
    const ids = new Set(chosen.filter(isBilling).map(({ invoice_id }) => invoice_id!));
    const invoices = ids.size === 0 ? new Map<number, InvoiceDetails>() : await loadInvoices(queries, [...ids]);
    for (const entry of chosen)
      for (const booking of bookingsOf(accounts, entry, invoices.get(entry.invoice_id ?? 0)))
        lines.push(datevBooking(booking));
    if (lines.length > maxBookings)
      throw invalid({ until: `must be earlier: a file has at most ${maxBookings} bookings` });
  }
  return { name: `EXTF_Buchungsstapel_${from}_${until}.csv`, bytes: Buffer.concat(lines) };
}

/** Returns the bookings of one entry; `details` is its invoice if it books a line or the tax of one. */
function bookingsOf(accounts: DatevAccounts, entry: BookedEntry, details: InvoiceDetails | undefined): DatevBooking[] {
  const { account_id, debit, credit, amount_cents, at, kind, number, reference } = entry;
  const common = { day: dayText(at), document: number ?? reference, text: [kind, reference].join(' ').trim() };
  const shares = (isBilling(entry) ? sharesOf(entry, details) : undefined) ?? [{ cents: amount_cents }];
  return shares.map(({ cents, treatment }) => {
    const [account, offset] = [debit, credit].map((book) => accounts.accountOf(book, account_id, treatment)) as [
      number,
      number,
    ];
    const sides = cents > 0 ? { account, offset } : { account: offset, offset: account };
    return { ...common, cents: Math.abs(cents), ...sides };
  });
}

interface Share {
  readonly cents: number;
  readonly treatment?: TaxTreatment;
}

/** Divides an entry by the VAT breakdown of its invoice; undefined if that does not add up to the entry. */
function sharesOf(entry: BookedEntry, details: InvoiceDetails | undefined): Share[] | undefined {
  const book = [entry.debit, entry.credit].find((candidate) => candidate !== 'receivable');
  if (details === undefined || details.taxes.length === 0 || book === undefined) return undefined;
  const sign = entry.credit === book ? 1 : -1;
  const shares = details.taxes
    .map((tax) => {
      const ofLines = details.lines
        .filter(({ type, tax_position }) => book === `revenue:${type}` && tax_position === tax.position)
        .reduce((sum, { amount_cents }) => sum + amount_cents, 0);
      return { cents: sign * (book === 'tax' ? tax.tax_cents : ofLines), treatment: tax };
    })
    .filter(({ cents }) => cents !== 0);
  return shares.reduce((sum, { cents }) => sum + cents, 0) === entry.amount_cents ? shares : undefined;
}

/** Returns the first day of the business year that the day is in. */
function businessYear(day: string, start: string): string {
  const year = Number(day.slice(0, 4));
  return `${day.slice(5) < start ? year - 1 : year}-${start}`;
}

function nextYear(start: string): string {
  return `${Number(start.slice(0, 4)) + 1}${start.slice(4)}`;
}
