// The site file's part about payment providers and automatic collection.
import { Type, type Static } from 'typebox';
import * as p from '../parameters.ts';
import { Price } from './billing.ts';
import { Secret } from './secrets.ts';
import { SiteSepa } from './sepa.ts';

export const SitePayments = p.StrictObject({
  /** The address of the panel, to which payment pages return; `stripe` needs it. */
  panel: Type.Optional(Type.String({ pattern: '^https?://', maxLength: 255, 'x-reason': 'must be a URL' })),
  /** True, the default, if invoices are collected on their due date from customers with a default payment method. */
  collect: Type.Optional(Type.Boolean()),
  /** Days after the due date on which a failed collection is retried; 3, 7 and 14 by default. */
  retries: Type.Optional(
    Type.Array(p.Whole(1, 365), { maxItems: 10, 'x-reason': 'must be at most 10 numbers of days' }),
  ),
  /** Where staff are notified of chargebacks. */
  notify: Type.Optional(p.Email),
  /** Limits of a top-up; from 10.00 to 5000.00 by default. */
  topUp: Type.Optional(p.StrictObject({ min: Type.Optional(Price), max: Type.Optional(Price) })),
  /** Direct debits and transfers through your bank. */
  sepa: Type.Optional(SiteSepa),
  stripe: Type.Optional(
    p.StrictObject({
      /** sk_live_… or rk_live_…, or their test counterparts. */
      secretKey: Secret,
      /** Of the webhook endpoint /hooks/payment-notices/stripe: whsec_… */
      webhookSecret: Secret,
      /** The address of the API; Stripe's own by default. */
      url: Type.Optional(Type.String({ pattern: '^https?://', maxLength: 255, 'x-reason': 'must be a URL' })),
    }),
  ),
});
export type SitePayments = Static<typeof SitePayments>;
