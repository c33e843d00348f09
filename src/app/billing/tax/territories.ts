// The territories of value-added tax, which are not those of ISO 3166: some parts of member states lie outside of the EU
// for VAT, some other countries count as a part of one, and some regions have their own rate. A code is that of the
// country, or of the region such as `ES-CN`.

const memberStates = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);

/** Countries with their own ISO code that VAT treats as part of another country. */
const partOf: Readonly<Record<string, string>> = { MC: 'FR', IM: 'GB' };

/** Regions without an ISO code, by the beginning of their postcodes. */
const regions: readonly { country: string; code: string; postcodes: RegExp; isEu: boolean }[] = [
  { country: 'ES', code: 'ES-CN', postcodes: /^(?:35|38)/, isEu: false },
  { country: 'ES', code: 'ES-CE', postcodes: /^51/, isEu: false },
  { country: 'ES', code: 'ES-ML', postcodes: /^52/, isEu: false },
  { country: 'FI', code: 'AX', postcodes: /^22/, isEu: false },
  { country: 'FR', code: 'FR-OM', postcodes: /^97/, isEu: false },
  { country: 'DE', code: 'DE-HEL', postcodes: /^27498$/, isEu: false },
  { country: 'DE', code: 'DE-BUS', postcodes: /^78266$/, isEu: false },
  { country: 'IT', code: 'IT-LIV', postcodes: /^23041$/, isEu: false },
  { country: 'GR', code: 'GR-69', postcodes: /^63086$/, isEu: false },
  { country: 'AT', code: 'AT-JM', postcodes: /^(?:6691|699[1-3])$/, isEu: true },
  { country: 'PT', code: 'PT-20', postcodes: /^9[5-9]/, isEu: true },
  { country: 'PT', code: 'PT-30', postcodes: /^9[0-4]/, isEu: true },
];

export interface Territory {
  /** Selects the rate. */
  readonly code: string;
  /** The country whose VAT applies; the code itself outside of the EU. */
  readonly country: string;
  readonly isEu: boolean;
}

export function territoryOf(isoCountry: string, postcode: string): Territory {
  const capital = isoCountry.toUpperCase();
  const country = partOf[capital] ?? capital;
  const digits = postcode.replaceAll(/[^0-9]/g, '');
  const region = regions.find((candidate) => candidate.country === country && candidate.postcodes.test(digits));
  if (region === undefined) return { code: country, country, isEu: memberStates.has(country) };
  return { code: region.code, country: region.isEu ? country : region.code, isEu: region.isEu };
}

/** The letters that VAT numbers of a country begin with. Greece has its own, and Northern Ireland a second. */
export function vatPrefixes(country: string): readonly string[] {
  if (country === 'GR') return ['EL'];
  if (country === 'GB') return ['GB', 'XI'];
  return [country];
}
