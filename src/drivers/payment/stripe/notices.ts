// Translates Stripe's events. Only those are of interest that concern what we created: another program may use the same
// Stripe account.
import type { Stripe } from 'stripe';
import type { PaymentNotice } from '../driver.ts';
import { fromStripeAmount } from './amounts.ts';
import { metadataKey, outcomeOfIntent, outcomeOfRefund } from './outcomes.ts';

export function noticeOfEvent(event: Stripe.Event): PaymentNotice | undefined {
  const about = aboutOf(event);
  return about && { eventId: event.id, at: event.created * 1000, about };
}

function aboutOf(event: Stripe.Event): PaymentNotice['about'] | undefined {
  switch (event.type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled': {
      const intent = event.data.object;
      const chargeKey = intent.metadata[metadataKey];
      return chargeKey === undefined ? undefined : { type: 'charge', chargeKey, outcome: outcomeOfIntent(intent) };
    }
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired': {
      const { id, metadata } = event.data.object;
      const key = metadata?.[metadataKey];
      return key === undefined ? undefined : { type: 'checkout', externalId: id, key };
    }
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed': {
      const refund = event.data.object;
      const chargeExternalId = idOf(refund.payment_intent);
      if (chargeExternalId === undefined) return undefined;
      return {
        type: 'refund',
        refundKey: refund.metadata?.[metadataKey] ?? '',
        chargeExternalId,
        cents: fromStripeAmount(refund.amount, refund.currency),
        outcome: outcomeOfRefund(refund),
      };
    }
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated': {
      const dispute = event.data.object;
      const chargeExternalId = idOf(dispute.payment_intent);
      if (chargeExternalId === undefined) return undefined;
      return {
        type: event.type === 'charge.dispute.funds_withdrawn' ? 'chargeback' : 'chargeback reversed',
        externalId: dispute.id,
        chargeExternalId,
        cents: fromStripeAmount(dispute.amount, dispute.currency),
        reason: dispute.reason,
      };
    }
    default:
      return undefined;
  }
}

/** Stripe writes an id, or the whole object. */
function idOf(reference: string | { readonly id: string } | null): string | undefined {
  return typeof reference === 'string' ? reference : reference?.id;
}
