// Decides the VAT of one line of an invoice. Pure: everything it depends on is an argument, and docs/explanation/tax.md
// has the same rules as a table. Hosting is an electronic service, so its place of supply is where the customer is.
import type { CustomerKind, TaxCategory, ValidationState } from '#contract/shapes/tax.ts';
import { standardRate } from './rates.ts';
import { territoryOf, vatPrefixes, type Territory } from './territories.ts';

export interface TaxSeller {
  readonly country: string;
  readonly postcode: string;
  readonly vatNumber: string;
  /** Other countries in which the seller is registered for VAT, without being established there. */
  readonly registrations: readonly string[];
  /** Registered for the One Stop Shop: consumers elsewhere in the EU pay the VAT of their country. */
  readonly hasOss: boolean;
  /** Exempt as a small enterprise. */
  readonly isSmallBusiness: boolean;
}

export interface TaxCustomer {
  readonly country: string;
  readonly postcode: string;
  readonly kind: CustomerKind;
  /** Empty if there is none. */
  readonly vatNumber: string;
  readonly validation: ValidationState;
  /** Why staff exempted the customer; empty if they did not. */
  readonly exemption: string;
}

export interface Supply {
  /** Days since 1970. The rate of this day applies. */
  readonly day: number;
  /** Compensation, such as a late fee, is not a supply and never taxed. */
  readonly kind: 'service' | 'compensation';
}

export interface TaxDecision {
  readonly category: TaxCategory;
  /** Hundredths of a percent; zero unless the category is S. */
  readonly rate: number;
  /** The country whose tax it is; for the returns of the One Stop Shop. */
  readonly country: string;
  /** Empty for S. */
  readonly reason: string;
  /** A code of the VATEX list; empty if none fits. */
  readonly reasonCode: string;
}

export const notSubjectReason = 'Not subject to value-added tax';
export const reasons = {
  reverseCharge: 'Reverse charge: the customer accounts for VAT (Article 196 of Directive 2006/112/EC)',
  export: 'Export: supplied outside of the territory of this VAT',
  smallBusiness: 'Exempt: small enterprise scheme (Article 284 of Directive 2006/112/EC)',
} as const;

export function decideTax(seller: TaxSeller, customer: TaxCustomer, supply: Supply): TaxDecision {
  const home = territoryOf(seller.country, seller.postcode);
  const place = territoryOf(customer.country, customer.postcode);
  const untaxed = (category: 'AE' | 'G' | 'E', reason: string, reasonCode = ''): TaxDecision => ({
    category,
    rate: 0,
    country: home.country,
    reason,
    reasonCode,
  });
  const taxedIn = (territory: Territory): TaxDecision => ({
    category: 'S',
    rate: requireRate(territory, supply.day),
    country: territory.country,
    reason: '',
    reasonCode: '',
  });
  const exemptAsSmall = (): TaxDecision =>
    untaxed('E', reasons.smallBusiness, home.country === 'FR' ? 'VATEX-FR-FRANCHISE' : '');

  if (supply.kind === 'compensation') return untaxed('E', notSubjectReason);
  if (customer.exemption !== '') return untaxed('E', customer.exemption);
  // EN 16931 demands the seller's VAT number for a reverse charge and an export; only a small business has none.
  if (seller.isSmallBusiness && seller.vatNumber === '') return exemptAsSmall();
  if (place.country === home.country) return seller.isSmallBusiness ? exemptAsSmall() : taxedIn(place);
  if (place.isEu && isValidatedBusiness(customer, place)) return untaxed('AE', reasons.reverseCharge, 'VATEX-EU-AE');
  if (seller.registrations.includes(place.country) || (place.isEu && seller.hasOss)) return taxedIn(place);
  // Below the threshold of Article 59c, consumers elsewhere in the EU are taxed like those at home.
  if (place.isEu && home.isEu) return seller.isSmallBusiness ? exemptAsSmall() : taxedIn(home);
  return untaxed('G', reasons.export, home.isEu ? 'VATEX-EU-G' : '');
}

/** A number counts if it is one of the customer's own country and the register confirmed it. */
function isValidatedBusiness({ kind, vatNumber, validation }: TaxCustomer, { country }: Territory): boolean {
  return (
    kind === 'business' && validation === 'valid' && vatPrefixes(country).some((prefix) => vatNumber.startsWith(prefix))
  );
}

function requireRate({ code }: Territory, day: number): number {
  const rate = standardRate(code, day);
  if (rate === undefined) throw new Error(`assets/tax/vat-rates.yaml has no rate for ${code}`);
  return rate;
}
