// An invoice as plain values: everything that is printed on it. None of it, including the two parties, changes after
// the issue, so the same document can be rendered at any time.
import type { LineType } from '#contract/shapes/account.ts';

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
}

export interface Seller extends Party {
  /** Number in the company register; empty if there is none. */
  readonly registration: string;
  readonly iban: string;
}

export interface DocumentLine {
  readonly type: LineType;
  readonly service: number | undefined;
  readonly description: string;
  readonly cents: number;
  readonly isTaxed: boolean;
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
  readonly buyer: Party;
  readonly currency: { readonly code: string; readonly prefix: string; readonly suffix: string };
  readonly lines: readonly DocumentLine[];
  readonly subtotalCents: number;
  readonly taxes: readonly [DocumentTax, DocumentTax];
  /** Credit of the account that was used. */
  readonly creditCents: number;
  readonly totalCents: number;
  readonly notes: string;
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

/** Returns the taxed and the untaxed subtotal: the base of each tax. */
export function taxBases({ lines }: InvoiceDocument): { readonly taxed: number; readonly untaxed: number } {
  const sum = (isTaxed: boolean): number =>
    lines.filter((line) => line.isTaxed === isTaxed).reduce((total, line) => total + line.cents, 0);
  return { taxed: sum(true), untaxed: sum(false) };
}
