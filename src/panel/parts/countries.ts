// Countries by their ISO 3166 codes, with the names that the browser knows.
import { countryCodes } from '#contract/countries.ts';
import { locale } from '../text/text.ts';

export interface Country {
  readonly value: string;
  readonly label: string;
}

const names = new Intl.DisplayNames([locale()], { type: 'region', fallback: 'none' });

export function countryName(code: string): string {
  return (countryCodes.includes(code) ? names.of(code) : undefined) ?? code;
}

/** Returns all countries by name. A stored code that is none of them stays selectable, so that a form can be saved with it. */
export function countriesWith(stored: string): readonly Country[] {
  const all = countryCodes.map((value) => ({ value, label: `${countryName(value)} (${value})` }));
  const sorted = all.toSorted((left, right) => left.label.localeCompare(right.label, locale()));
  return stored === '' || countryCodes.includes(stored) ? sorted : [...sorted, { value: stored, label: stored }];
}

/** Finds countries by a part of the name or by the code, whose country comes first. */
export function searchCountries(countries: readonly Country[], search: string): Country[] {
  const text = plain(search.trim());
  const found = countries.filter(({ label }) => plain(label).includes(text));
  const rank = ({ value, label }: Country): number =>
    value.toLowerCase() === text ? 0 : plain(label).startsWith(text) ? 1 : 2;
  return found.toSorted((left, right) => rank(left) - rank(right));
}

/** Without case and accents, which few people type. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase();
}
