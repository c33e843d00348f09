// The objects of the fake of Stripe. Fields that neither the driver nor a test reads are left out.
import type { FormRequest } from './stripe-requests.ts';

/** What happens when a card is charged without its owner; people can always pay with it on a page. */
export type CardBehaviour = 'good' | 'insufficient_funds' | 'expired_card' | 'authentication_required' | 'slow';

export type Metadata = Record<string, string>;
export interface StripeObject {
  readonly id: string;
  readonly object: string;
  readonly created: number;
}
export interface Customer extends StripeObject {
  email: string | null;
  livemode: boolean;
  metadata: Metadata;
}
export interface PaymentMethod extends StripeObject {
  type: string;
  customer: string | null;
  livemode: boolean;
  metadata: Metadata;
  card: { brand: string; last4: string; exp_month: number; exp_year: number; country: string };
}
export interface PaymentIntent extends StripeObject {
  amount: number;
  amount_received: number;
  currency: string;
  customer: string | null;
  description: string | null;
  livemode: boolean;
  metadata: Metadata;
  payment_method: string | null;
  status: string;
  cancellation_reason: string | null;
  last_payment_error: null | { type: string; code: string; decline_code?: string; message: string };
}
export interface Refund extends StripeObject {
  amount: number;
  currency: string;
  payment_intent: string | null;
  metadata: Metadata;
  status: string;
  failure_reason?: string;
}
export interface Dispute extends StripeObject {
  amount: number;
  currency: string;
  payment_intent: string | null;
  livemode: boolean;
  metadata: Metadata;
  reason: string;
  status: string;
}
export interface SetupIntent extends StripeObject {
  customer: string | null;
  livemode: boolean;
  metadata: Metadata;
  payment_method: string | null;
  status: string;
  usage: string;
}
export interface Session extends StripeObject {
  mode: 'payment' | 'setup';
  status: string;
  payment_status: string;
  url: string | null;
  customer: string | null;
  customer_email: string | null;
  success_url: string;
  cancel_url: string;
  expires_at: number;
  livemode: boolean;
  metadata: Metadata;
  amount_total: number | null;
  currency: string | null;
  payment_intent: string | null;
  setup_intent: string | null;
}
export interface Event extends StripeObject {
  api_version: string;
  data: { object: object };
  livemode: boolean;
  pending_webhooks: number;
  request: { id: null; idempotency_key: null };
  type: string;
}

export interface StripeObjects {
  readonly customers: Map<string, Customer>;
  readonly methods: Map<string, PaymentMethod>;
  readonly intents: Map<string, PaymentIntent>;
  readonly setups: Map<string, SetupIntent>;
  readonly refunds: Map<string, Refund>;
  readonly disputes: Map<string, Dispute>;
  readonly sessions: Map<string, Session>;
  readonly events: Event[];
  perform(request: FormRequest): object;
  completeCheckout(session: string, card: CardBehaviour): void;
  expireCheckout(session: string): void;
  /** Decides a charge of a slow card. */
  decide(intent: string, status: 'succeeded' | 'failed'): void;
  /** The customer's bank takes the money of a payment back. */
  dispute(intent: string, cents?: number): string;
  /** The dispute is won, and the money returned. */
  winDispute(dispute: string): void;
  /** A refund from the dashboard, without our key. */
  refundByHand(intent: string, amount: number): string;
  /** A bank returns a refund. */
  failRefund(refund: string): void;
  /** What Stripe holds for us. */
  balance(): number;
}
