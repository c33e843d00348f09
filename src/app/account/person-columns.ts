// Names and addresses of people as columns, whether they come from a request or from the site file.
import { countryCodes } from '#contract/countries.ts';
import { invalid } from '#lib/api-error.ts';

export interface PersonFields {
  readonly firstname: string;
  readonly lastname: string;
  readonly company?: string;
  readonly email: string;
  readonly phone?: string;
  readonly address1: string;
  readonly address2?: string;
  readonly city: string;
  readonly state: string;
  readonly postcode: string;
  readonly country: string;
}

export function personColumns(person: PersonFields) {
  return normalizeTexts({
    firstname: person.firstname,
    lastname: person.lastname,
    companyname: person.company ?? '',
    email: person.email,
    address1: person.address1,
    address2: person.address2 ?? '',
    city: person.city,
    state: person.state,
    postcode: person.postcode,
    country: person.country.toUpperCase(),
    phonenumber: person.phone ?? '',
  });
}

type PersonColumns = ReturnType<typeof personColumns>;

/** Returns these columns of a row that also has others. */
export function pickPerson({ firstname, lastname, companyname, email, ...row }: PersonColumns): PersonColumns {
  const { address1, address2, city, state, postcode, country, phonenumber } = row;
  return { firstname, lastname, companyname, email, address1, address2, city, state, postcode, country, phonenumber };
}

/** Some keyboards compose é of two characters, and a search for the other spelling would not find it. */
export function normalizeTexts<T extends object>(fields: T): T {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.normalize('NFC') : value,
  ]);
  return Object.fromEntries(entries) as T;
}

/** The parameter of the country, which the legacy API misspells. */
export type CountryField = 'country' | 'county';

/** Rejects a country that does not exist. One that was stored before this was checked stays. */
export async function requireCountry(
  code: string,
  findStored?: () => Promise<string>,
  field: CountryField = 'country',
): Promise<void> {
  const country = code.toUpperCase();
  if (countryCodes.includes(country) || country === (await findStored?.())) return;
  throw invalid({ [field]: 'must be the two-letter code of a country (ISO 3166), such as NL' });
}

/** Defaults of a new contact: not a sub-account, and subscribed to general notifications only. */
export const contactDefaults = {
  subaccount: 0,
  permissions: '',
  domainemails: 0,
  generalemails: 1,
  invoiceemails: 0,
  productemails: 0,
  supportemails: 0,
  affiliateemails: 0,
  status: 'Active',
} as const;
