// Row types of the tables for payment methods, charges, refunds and notices of payment providers. `key` is random and
// identifies the row at the provider, so that a repeated request has no further effect. `next_look_at` is when the
// reconciler handles the row; null if nothing is left to do.
import type { GeneratedAlways } from 'kysely';
import type { AccountId } from '../account-id.ts';

export interface PaymentMethodTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  key: string;
  driver: string;
  /** Such as `card` or `sepa_debit`; empty until the person has chosen one. */
  kind: string;
  /** What people read, such as `Visa •••• 4242`. */
  label: string;
  /** The provider's id; for a pending method, the id of the page on which it is saved. */
  external_id: string;
  external_customer: string;
  state: 'pending' | 'active' | 'expired' | 'revoked';
  is_default: number;
  created_at: number;
  changed_at: number;
  next_look_at: number | null;
}

/** One attempt to move money from a customer to the provider. */
export interface PaymentChargeTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  key: string;
  driver: string;
  /** Null if the person pays on a page of the payment provider. */
  method_id: number | null;
  purpose: 'invoice' | 'top-up';
  invoice_id: number | null;
  amount_cents: number;
  currency: string;
  state: 'created' | 'submitted' | 'needs_action' | 'succeeded' | 'failed';
  /** The provider's id of the payment; empty until it is known. */
  external_id: string;
  /** The provider's id of the page on which the person pays; empty if there is none. */
  checkout_id: string;
  failure_code: string;
  failure_message: string;
  /** Counts the automatic attempts for an invoice from 1; 0 if a person started it. */
  attempt: number;
  refunded_cents: number;
  charged_back_cents: number;
  created_at: number;
  changed_at: number;
  next_look_at: number | null;
}

export interface PaymentRefundTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  charge_id: number;
  key: string;
  amount_cents: number;
  state: 'created' | 'submitted' | 'succeeded' | 'failed';
  external_id: string;
  failure_code: string;
  reason: string;
  created_at: number;
  changed_at: number;
  next_look_at: number | null;
}

/** A notice of a payment provider, stored before it is acknowledged. */
export interface PaymentNoticeTable {
  id: GeneratedAlways<number>;
  driver: string;
  event_id: string;
  /** A `PaymentNotice` as JSON. */
  contents: string;
  received_at: number;
  attempts: number;
  /** Why the last attempt to process it failed. */
  error: string;
  /** Null once it has been processed. */
  next_look_at: number | null;
}
