// The site file's parts about the delivery of e-invoices and about exchange rates.
import { Type, type Static } from 'typebox';
import * as p from '../parameters.ts';
import { Secret } from './secrets.ts';

/** The access point that hands e-invoices to a network such as Peppol. */
export const SiteInvoiceDelivery = p.StrictObject({
  driver: p.Choice('access-point'),
  /** Plain HTTP is accepted only for this machine, for a program that translates. */
  url: p.Matching('^(?:https://|http://(?:127\\.0\\.0\\.1|localhost|\\[::1\\])(?::|/|$))', 'must be a URL with https'),
  token: Secret,
  /** Signs the reports that it sends to /hooks/invoices/access-point; without it, Hostyard only asks. whsec_… */
  hookSecret: Type.Optional(Secret),
});
export type SiteInvoiceDelivery = Static<typeof SiteInvoiceDelivery>;

/** Rates between the provider's currency and those of customers, for the tax on their invoices. */
export const SiteExchangeRates = p.StrictObject({
  /** The daily rates of the European Central Bank, from its address, or another that has a file in its format. */
  driver: p.Choice('ecb'),
  url: Type.Optional(p.Matching('^https?://', 'must be a URL')),
  /** Read instead of a URL. */
  file: Type.Optional(p.Text({ max: 4096 })),
  /** Days after which a rate is too old for an invoice; 7 by default. */
  maxAgeDays: Type.Optional(p.Whole(1, 31)),
});
export type SiteExchangeRates = Static<typeof SiteExchangeRates>;
