// An invoice as a document: everything that is printed on it, as plain values. What it is drawn from never changes after the
// issue, the two parties included, so the same document can be drawn again at any time.
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
  /** Of the value-added tax; empty where it has none. */
  readonly vatNumber: string;
}

export interface Seller extends Party {
  /** Of the register of companies; empty where it has none. */
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
  /** Of the invoice that a credit note corrects. */
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

/** A letter that comes from abroad needs more than two letters. */
function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? countryNames.of(code)! : code;
}

/** What is taxed and what is not, each with its sum: the base of every tax. */
export function taxBases({ lines }: InvoiceDocument): { readonly taxed: number; readonly untaxed: number } {
  const sum = (isTaxed: boolean): number =>
    lines.filter((line) => line.isTaxed === isTaxed).reduce((total, line) => total + line.cents, 0);
  return { taxed: sum(true), untaxed: sum(false) };
}
