// An invoice as plain values: everything that is printed on it. None of it, including the two parties, changes after
// the issue, so the same document can be rendered at any time.
import type { LineType } from '#contract/shapes/account.ts';
import type { TaxCategory } from '#contract/shapes/tax.ts';
import { notSubjectReason, type TaxDecision } from '../tax/rules.ts';
import type { PdfForm } from '#contract/shapes/invoice-delivery.ts';
import type { TaxExchange } from '../currency/exchange.ts';
import type { TaxSubtotal } from '../tax/totals.ts';

export interface Party {
  readonly name: string;
  /** Street and number, in one or two lines. */
  readonly street: readonly string[];
  readonly city: string;
  readonly postcode: string;
  readonly state: string;
  /** Two letters. */
  readonly country: string;
  readonly email: string;
  /** Empty if there is none. */
  readonly vatNumber: string;
  /** Electronic address for e-invoices, as scheme and identifier; empty for the email address. */
  readonly endpoint: string;
}

export interface Seller extends Party {
  /** Number in the company register; empty if there is none. */
  readonly registration: string;
  readonly iban: string;
  /** Number of the tax office; empty if there is none. */
  readonly taxNumber: string;
  readonly contact: string;
  readonly phone: string;
}

export interface Buyer extends Party {
  /** The buyer's reference, printed on every invoice; may be empty. */
  readonly reference: string;
  /** Content of the PDF; chosen by the provider if undefined. */
  readonly pdf?: PdfForm;
}

export interface DocumentLine {
  readonly type: LineType;
  readonly service: number | undefined;
  readonly description: string;
  readonly cents: number;
  readonly isTaxed: boolean;
  /** The last day of the supply. Without one, the day of the invoice. */
  readonly supplyDay?: number;
  /** If the line takes back a charge: the tax of that, if its invoice has a VAT breakdown. */
  readonly chargedTax?: TaxDecision | undefined;
  /** Undefined if the site file has rates by country instead. */
  readonly tax?: TaxDecision;
  /** On a credit note, the line of the invoice that this one credits. */
  readonly corrects?: number;
}

export interface DocumentTax {
  /** Hundredths of a percent. */
  readonly rate: number;
  readonly cents: number;
}

export interface InvoiceDocument {
  readonly kind: 'invoice' | 'credit note';
  readonly number: string;
  /** Number of the invoice that a credit note corrects. */
  readonly corrects: string | undefined;
  /** Days since 1970. */
  readonly day: number;
  readonly dueDay: number;
  readonly account: number;
  readonly seller: Seller;
  readonly buyer: Buyer;
  readonly currency: { readonly code: string; readonly prefix: string; readonly suffix: string };
  readonly lines: readonly DocumentLine[];
  readonly subtotalCents: number;
  readonly taxes: readonly [DocumentTax, DocumentTax];
  /** The VAT by category and rate; empty if the tax is not decided per line. */
  readonly subtotals: readonly TaxSubtotal[];
  /** Credit of the account that was used. */
  readonly creditCents: number;
  readonly totalCents: number;
  readonly notes: string;
  /** The tax in the seller's own currency, if the document is in another. */
  readonly exchange?: TaxExchange | undefined;
}

export function partyAddress(party: Party): string[] {
  const town = [party.postcode, party.city].filter((part) => part !== '').join(' ');
  return [
    ...party.street,
    town,
    [party.state, countryName(party.country)].filter((part) => part !== '').join(', '),
  ].filter((line) => line !== '');
}

const countryNames = new Intl.DisplayNames('en', { type: 'region' });

/** Mail from abroad needs more than a two-letter country code. */
function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? countryNames.of(code)! : code;
}

/** Returns the category and rate of a line. A line without its own tax uses the invoice's rate or is exempt. */
export function lineTax(
  { taxes }: InvoiceDocument,
  { tax, isTaxed }: DocumentLine,
): { readonly category: TaxCategory; readonly rate: number } {
  if (tax !== undefined) return tax;
  const rate = isTaxed ? taxes[0].rate : 0;
  return { category: rate > 0 ? 'S' : 'E', rate };
}

/** Returns the VAT by category and rate. For an invoice without one, its first tax: EN 16931 knows no other. */
export function taxBreakdown(document: InvoiceDocument): readonly TaxSubtotal[] {
  const { lines, taxes, subtotals, seller } = document;
  if (subtotals.length > 0) return mergeCountries(subtotals);
  const categories = (['S', 'E'] as const).map((category) => ({
    category,
    inCategory: lines.filter((line) => lineTax(document, line).category === category),
  }));
  return categories
    .filter(({ inCategory }) => inCategory.length > 0)
    .map(({ category, inCategory }) => ({
      category,
      rate: category === 'S' ? taxes[0].rate : 0,
      country: seller.country,
      reason: category === 'S' ? '' : notSubjectReason,
      reasonCode: '',
      baseCents: inCategory.reduce((sum, { cents }) => sum + cents, 0),
      taxCents: category === 'S' ? taxes[0].cents : 0,
    }));
}

/** EN 16931 has one entry for each category and rate, whichever countries the tax belongs to. */
function mergeCountries(subtotals: readonly TaxSubtotal[]): readonly TaxSubtotal[] {
  const groups = Map.groupBy(subtotals, ({ category, rate }) => `${category} ${rate}`);
  return [...groups.values()].map((group) => ({
    ...group[0]!,
    baseCents: group.reduce((sum, { baseCents }) => sum + baseCents, 0),
    taxCents: group.reduce((sum, { taxCents }) => sum + taxCents, 0),
  }));
}

/** EN 16931 credit notes have positive amounts; ours have negative ones. */
export function negateAmounts(document: InvoiceDocument): InvoiceDocument {
  const negate = <T extends { readonly cents: number }>(part: T): T => ({ ...part, cents: -part.cents });
  return {
    ...document,
    lines: document.lines.map(negate),
    subtotalCents: -document.subtotalCents,
    subtotals: document.subtotals.map((part) => ({
      ...part,
      baseCents: -part.baseCents,
      taxCents: -part.taxCents,
    })),
    taxes: [negate(document.taxes[0]), negate(document.taxes[1])],
    creditCents: -document.creditCents,
    totalCents: -document.totalCents,
    ...(document.exchange && { exchange: { ...document.exchange, tax_cents: 0 - document.exchange.tax_cents } }),
  };
}

/** Returns false for an invoice with a second tax: EN 16931 knows one kind of tax. */
export function hasElectronicForm({ taxes, seller }: InvoiceDocument): boolean {
  return taxes[1].cents === 0 && seller.country !== '';
}

export interface ElectronicAddress {
  /** Of the EAS code list. */
  readonly scheme: string;
  readonly id: string;
}

/** Returns where e-invoices are sent, as a list of at most one: the endpoint, or the email address. */
export function electronicAddress({ endpoint, email }: Party): ElectronicAddress[] {
  const colon = endpoint.indexOf(':');
  if (colon > 0) return [{ scheme: endpoint.slice(0, colon), id: endpoint.slice(colon + 1) }];
  return email === '' ? [] : [{ scheme: 'EM', id: email }];
}
