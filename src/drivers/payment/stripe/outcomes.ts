// Translates Stripe's objects and errors into outcomes. Only an error that says that nothing was charged is a failure;
// after all others nobody knows.
import type { Stripe } from 'stripe';
import { connectionReason } from '#lib/connection-reason.ts';
import { PaymentUnknownError, type ChargeOutcome, type RefundOutcome, type SavedMethod } from '../driver.ts';
import { fromStripeAmount } from './amounts.ts';

/** The key of our row, in the metadata of what we create at Stripe. */
export const metadataKey = 'hostyard_key';

/** Charging the same card again is pointless. https://docs.stripe.com/declines/codes */
const finalCodes = new Set([
  'card_not_supported',
  'currency_not_supported',
  'expired_card',
  'incorrect_number',
  'invalid_account',
  'invalid_number',
  'lost_card',
  'new_account_information_available',
  'payment_method_unactivated',
  'pickup_card',
  'resource_missing',
  'restricted_card',
  'stolen_card',
]);
const needsPerson = new Set(['authentication_required', 'authentication_not_handled']);

export function outcomeOfIntent(intent: Stripe.PaymentIntent): ChargeOutcome {
  const { id: externalId, status } = intent;
  switch (status) {
    case 'succeeded':
      return { state: 'succeeded', externalId, cents: fromStripeAmount(intent.amount_received, intent.currency) };
    case 'processing':
    case 'requires_capture':
      return { state: 'submitted', externalId };
    case 'requires_action':
    case 'requires_confirmation':
      return { state: 'needs_action', externalId };
    case 'canceled':
      return failure(externalId, intent.cancellation_reason ?? 'canceled', 'The payment was cancelled.');
    case 'requires_payment_method': {
      const error = intent.last_payment_error;
      return outcomeOfDecline(externalId, error?.code, error?.decline_code, error?.message);
    }
  }
  throw new PaymentUnknownError(`Stripe has a payment in the unknown state ${String(status)}`);
}

function outcomeOfDecline(
  externalId: string,
  code = 'declined',
  declineCode?: string,
  message?: string,
): ChargeOutcome {
  if (needsPerson.has(code) || needsPerson.has(declineCode ?? '')) return { state: 'needs_action', externalId };
  return failure(externalId, declineCode ?? code, message ?? 'The payment was declined.');
}

function failure(externalId: string, code: string, message: string): ChargeOutcome {
  return { state: 'failed', externalId, code, message, isRetryable: !finalCodes.has(code) };
}

interface ErrorFields {
  readonly type?: unknown;
  readonly code?: unknown;
  readonly decline_code?: unknown;
  readonly payment_intent?: { readonly id?: unknown };
  readonly message: string;
  /** Of a broken connection: the error of the system. */
  readonly detail?: unknown;
}

/** Returns the outcome of a charge that was answered by an error. Throws PaymentUnknownError if there is none. */
export function outcomeOfError(error: unknown): ChargeOutcome {
  const { type, code, decline_code, payment_intent, message } = error as ErrorFields;
  const externalId = textOf(payment_intent?.id) ?? '';
  if (type === 'StripeCardError') return outcomeOfDecline(externalId, textOf(code), textOf(decline_code), message);
  if (type === 'StripeInvalidRequestError') return failure(externalId, textOf(code) ?? 'invalid_request', message);
  throw unknownError(error);
}

/** For errors of other requests: those are definite which say that the request is invalid. */
export function isDefinite(error: unknown): boolean {
  const { type } = error as ErrorFields;
  return type === 'StripeInvalidRequestError' || type === 'StripeCardError';
}

/** Without the cause, which has secrets of the payment and would be logged. */
export function unknownError(error: unknown): PaymentUnknownError {
  const { type, message, detail } = error as ErrorFields;
  const isSilent = type === undefined || type === 'StripeConnectionError';
  const reason = detail === undefined ? message : connectionReason(detail);
  return new PaymentUnknownError(`Stripe ${isSilent ? 'did not answer' : 'reported'}: ${reason}`);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function outcomeOfRefund({ id: externalId, status, failure_reason }: Stripe.Refund): RefundOutcome {
  if (status === 'succeeded') return { state: 'succeeded', externalId };
  if (status === 'failed' || status === 'canceled')
    return { state: 'failed', externalId, code: failure_reason ?? status };
  return { state: 'submitted', externalId };
}

export function savedMethod(method: Stripe.PaymentMethod, externalCustomer: string): SavedMethod {
  const { type: kind, id: externalId, card, sepa_debit } = method;
  const country = card?.country ?? sepa_debit?.country ?? undefined;
  return { kind, label: labelOf(method), externalId, externalCustomer, country };
}

function labelOf({ type, card, sepa_debit }: Stripe.PaymentMethod): string {
  if (card) return `${capitalize(card.brand)} •••• ${card.last4}, ${card.exp_month}/${card.exp_year}`;
  if (sepa_debit) return `SEPA •••• ${sepa_debit.last4 ?? ''}`;
  return capitalize(type);
}

function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
}
