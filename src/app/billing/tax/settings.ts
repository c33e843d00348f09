// Tax settings from the site file, stored in the database so that all instances use the same.
import { Type, type Static } from 'typebox';
import type { Site } from '#contract/site/site.ts';
import { pickDefined } from '#lib/defined.ts';
import { metaEntry } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';
import { ratedTerritories } from './rates.ts';
import { hasVatFormat, normalizeVatNumber } from './vat-numbers.ts';
import type { SiteProblem } from '../../site/site-problem.ts';

const TaxSettings = Type.Object({
  hasOss: Type.Boolean(),
  isSmallBusiness: Type.Boolean(),
  registrations: Type.Array(Type.String()),
  recheckDays: Type.Integer(),
  /** The address of the register of VAT numbers; undefined if there is none. */
  registerUrl: Type.Optional(Type.String()),
  /** In which a trusted proxy gives the country of a caller. */
  countryHeader: Type.Optional(Type.String()),
});
export type TaxSettings = Static<typeof TaxSettings>;

const viesUrl = 'https://ec.europa.eu/taxation_customs/vies/rest-api';
const entry = metaEntry('tax', TaxSettings);

export async function storeTaxSettings(queries: Queries, { provider: { tax } }: Site): Promise<void> {
  if (tax === undefined) return entry.remove(queries);
  const registerUrl = tax.register === undefined ? undefined : (tax.register.url ?? viesUrl);
  await entry.put(queries, {
    hasOss: tax.oss === true,
    isSmallBusiness: tax.smallBusiness === true,
    registrations: tax.registrations ?? [],
    recheckDays: tax.recheckDays ?? 30,
    ...pickDefined({ registerUrl, countryHeader: tax.countryHeader }),
  });
}

/** Returns undefined if the site file does not ask for VAT to be computed. */
export async function getTaxSettings(queries: Queries): Promise<TaxSettings | undefined> {
  return entry.find(queries);
}

export function* checkTax({ provider: { seller, tax }, taxes = [] }: Site): Iterable<SiteProblem> {
  if (tax === undefined) return;
  const path = ['provider', 'tax'];
  const rated = ratedTerritories();
  if (seller === undefined) yield [path, 'tax needs seller, whose country determines the VAT'];
  if (taxes.length > 0)
    yield [['taxes'], 'taxes cannot be combined with tax, which has its own rates; remove one of them'];
  for (const [index, country] of (tax.registrations ?? []).entries())
    if (!rated.includes(country)) yield [[...path, 'registrations', index], `the VAT rate of ${country} is unknown`];
  if (seller === undefined) return;
  if (!rated.includes(seller.country))
    yield [['provider', 'seller', 'country'], `the VAT rate of ${seller.country} is unknown; use taxes instead of tax`];
  if ((seller.vatNumber ?? '') === '') {
    if (tax.smallBusiness !== true)
      yield [['provider', 'seller'], 'tax needs vatNumber; only a small business may leave it out'];
    else if ((seller.taxNumber ?? '') === '')
      yield [['provider', 'seller'], 'tax needs vatNumber or taxNumber, because invoices must contain one of them'];
  } else if (!hasVatFormat(normalizeVatNumber(seller.vatNumber!)))
    yield [['provider', 'seller', 'vatNumber'], `${seller.vatNumber} does not have the format of a VAT number`];
}
