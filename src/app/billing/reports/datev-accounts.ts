// The accounts that ledger entries are booked on in DATEV: those of SKR03 or SKR04, or the site file's.
import { Type } from 'typebox';
import type { Site } from '#contract/site/site.ts';
import type { SiteDatev } from '#contract/site/datev.ts';
import { conflict } from '#lib/api-error.ts';
import { metaEntry } from '#store/meta.ts';
import type { AccountId } from '#store/account-id.ts';
import type { InvoiceTax } from '#store/billing/invoice-taxes.ts';
import type { Book } from '#store/billing/tables.ts';
import type { Queries } from '#store/store.ts';

export type DatevAccountName = keyof NonNullable<SiteDatev['accounts']>;

/** None of them computes tax automatically. */
const chartAccounts: Readonly<Record<SiteDatev['chart'], Readonly<Record<DatevAccountName, number>>>> = {
  skr03: {
    revenue: 8200,
    oss: 8339,
    reverseCharge: 8336,
    export: 8338,
    exempt: 8100,
    tax: 1776,
    ossTax: 1768,
    tax2: 1770,
    credit: 1710,
    goodwill: 8700,
    writtenOff: 2400,
    opening: 9000,
    paid: 1360,
  },
  skr04: {
    revenue: 4200,
    oss: 4339,
    reverseCharge: 4336,
    export: 4338,
    exempt: 4100,
    tax: 3806,
    ossTax: 3818,
    tax2: 3800,
    credit: 3250,
    goodwill: 4700,
    writtenOff: 6930,
    opening: 9000,
    paid: 1460,
  },
};

const entry = metaEntry('datev', Type.Union([Type.Unsafe<SiteDatev>(Type.Object({})), Type.Null()]));

export async function storeDatevSettings(queries: Queries, { billing }: Site): Promise<void> {
  await entry.put(queries, billing?.datev ?? null);
}

export async function getDatevSettings(queries: Queries): Promise<SiteDatev> {
  const settings = await entry.find(queries);
  if (settings === undefined || settings === null)
    throw conflict('The site file has no settings for DATEV. Add billing.datev.');
  return settings;
}

/** Tax that belongs to the seller's own country is domestic. */
export type TaxTreatment = Pick<InvoiceTax, 'category' | 'country'>;

export class DatevAccounts {
  readonly #settings: SiteDatev;
  readonly #sellerCountry: string;
  constructor(settings: SiteDatev, sellerCountry: string) {
    this.#settings = settings;
    this.#sellerCountry = sellerCountry;
  }

  get accountLength(): number {
    return this.#settings.accountLength ?? 4;
  }

  /** `treatment` is undefined if the invoice has no VAT breakdown. */
  accountOf(book: Book, customer: AccountId, treatment?: TaxTreatment): number {
    if (book === 'receivable') return this.#customerAccount(customer);
    if (book === 'refunds') return this.#account('paid');
    if (book === 'written-off') return this.#account('writtenOff');
    if (book.startsWith('paid:')) return this.#methodAccount(book.slice('paid:'.length));
    if (book.startsWith('revenue:')) return this.#account(this.#revenueAccount(treatment));
    if (book === 'tax') return this.#account(this.#isForeign(treatment) ? 'ossTax' : 'tax');
    return this.#account(book as Extract<Book, DatevAccountName>);
  }

  #account(name: DatevAccountName): number {
    return this.#settings.accounts?.[name] ?? chartAccounts[this.#settings.chart][name];
  }

  #methodAccount(method: string): number {
    const own = this.#settings.methods?.find((candidate) => candidate.method === method);
    return own?.account ?? this.#account('paid');
  }

  #revenueAccount(treatment: TaxTreatment | undefined): DatevAccountName {
    switch (treatment?.category) {
      case 'AE':
        return 'reverseCharge';
      case 'G':
        return 'export';
      case 'E':
        return 'exempt';
      default:
        return this.#isForeign(treatment) ? 'oss' : 'revenue';
    }
  }

  #isForeign(treatment: TaxTreatment | undefined): boolean {
    return treatment?.category === 'S' && treatment.country !== this.#sellerCountry;
  }

  /** Customers have the numbers from 1 to 6 with one more digit than other accounts. */
  #customerAccount(customer: AccountId): number {
    const first = 10 ** this.accountLength;
    if (customer >= 6 * first)
      throw conflict(`Customer ${customer} has no account number in DATEV. Increase billing.datev.accountLength.`);
    return first + customer;
  }
}
