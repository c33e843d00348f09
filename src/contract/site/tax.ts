// The site file's part about VAT: how the seller is registered, and the register that confirms customers' numbers.
import { Type, type Static } from 'typebox';
import * as p from '../parameters.ts';

/** With this section Hostyard computes VAT itself; without it, `taxes` has the rates. Needs `seller`. */
export const SiteTax = p.StrictObject({
  /** Registered for the One Stop Shop: consumers elsewhere in the EU pay the VAT of their country. */
  oss: Type.Optional(Type.Boolean()),
  /** Exempt as a small enterprise. */
  smallBusiness: Type.Optional(Type.Boolean()),
  /** Other countries in which you are registered for VAT; consumers there pay the VAT of their country. */
  registrations: Type.Optional(Type.Array(p.CapitalCountryCode)),
  /** Days after which the register is asked again; 30 by default. An answer counts for three times as long. */
  recheckDays: Type.Optional(p.Whole(1, 120)),
  /** The header in which a trusted proxy gives the country of the caller's IP address, such as cf-ipcountry. */
  countryHeader: Type.Optional(p.Matching('^[A-Za-z0-9-]{1,64}$', 'must be the name of a header')),
  /** The register of VAT numbers; without it, numbers stay unchecked and no reverse charge applies. */
  register: Type.Optional(
    p.StrictObject({
      driver: p.Choice('vies'),
      /** The address of the REST API; that of the European Commission by default. */
      url: Type.Optional(p.Matching('^https?://', 'must be a URL')),
    }),
  ),
});
export type SiteTax = Static<typeof SiteTax>;
