// A payment provider: charges payment methods, refunds charges, and reports both. Every request has a key, and repeating
// a request with the same key has no further effect. A method that throws `PaymentUnknownError` leaves open whether the
// request had an effect.

/** A payment method that the provider has stored. */
export interface StoredMethod {
  /** Our key of the method. */
  readonly key: string;
  readonly externalId: string;
  readonly externalCustomer: string;
}

export interface CheckoutRequest {
  readonly key: string;
  readonly purpose: 'pay' | 'save method';
  /** For `pay`. */
  readonly payment?: { readonly cents: number; readonly currency: string; readonly description: string };
  /** The customer at the provider if there is one; otherwise the provider creates it if it needs one. */
  readonly externalCustomer: string;
  readonly email: string;
  /** The page to which the browser returns. */
  readonly returnUrl: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}
export interface Checkout {
  readonly externalId: string;
  readonly externalCustomer: string;
  /** For the person's browser. */
  readonly url: string;
}

export interface ChargeRequest {
  readonly key: string;
  readonly cents: number;
  readonly currency: string;
  /** On the statement or in the dashboard, such as the invoice number. */
  readonly description: string;
  readonly method: StoredMethod;
  /** When the charge was created; milliseconds since 1970. */
  readonly createdAt: number;
}
export type CreatedCharge = Pick<ChargeRequest, 'key' | 'method' | 'createdAt'>;
export type ChargeOutcome =
  | { readonly state: 'succeeded'; readonly externalId: string; readonly cents: number }
  /** The result comes later, as a notice or a statement. */
  | { readonly state: 'submitted'; readonly externalId: string }
  | {
      readonly state: 'failed';
      readonly externalId: string;
      readonly code: string;
      readonly message: string;
      /** False if charging the same method again is pointless. */
      readonly isRetryable: boolean;
    }
  /** The person has to confirm it, for example at their bank. */
  | { readonly state: 'needs_action'; readonly externalId: string };

export interface RefundRequest {
  readonly key: string;
  /** The provider's id of the charge. */
  readonly chargeExternalId: string;
  readonly cents: number;
  readonly currency: string;
  readonly createdAt: number;
}
export type RefundOutcome =
  | { readonly state: 'succeeded' | 'submitted'; readonly externalId: string }
  | { readonly state: 'failed'; readonly externalId: string; readonly code: string };

export interface SavedMethod {
  readonly kind: string;
  readonly label: string;
  readonly externalId: string;
  readonly externalCustomer: string;
  /** Of the bank that issued the card or keeps the account, by its two letters; undefined if the provider does not say. */
  readonly country?: string | undefined;
}
export type CheckoutOutcome =
  | { readonly state: 'open'; readonly url: string }
  | { readonly state: 'expired' }
  | { readonly state: 'paid'; readonly outcome: ChargeOutcome }
  | { readonly state: 'saved'; readonly method: SavedMethod };

/** The subject of a notice, by our keys or the provider's ids. */
export interface PaymentNotice {
  /** The provider's id of the notice, by which a repetition is recognised. */
  readonly eventId: string;
  readonly at: number;
  readonly about:
    | { readonly type: 'charge'; readonly chargeKey: string; readonly outcome: ChargeOutcome }
    /** The checkout has changed; its state is read from the provider. */
    | { readonly type: 'checkout'; readonly externalId: string; readonly key: string }
    | {
        readonly type: 'refund';
        /** Empty if the refund was not started here. */
        readonly refundKey: string;
        readonly chargeExternalId: string;
        readonly cents: number;
        readonly outcome: RefundOutcome;
      }
    /** Money that the customer's bank took back, or returned after a dispute. */
    | {
        readonly type: 'chargeback' | 'chargeback reversed';
        readonly externalId: string;
        readonly chargeExternalId: string;
        readonly cents: number;
        readonly reason: string;
      };
}

export interface NoticeHeaders {
  readonly [name: string]: string | readonly string[] | undefined;
}

export interface PaymentDriver {
  /** Throws if the provider does not answer or rejects our key. Absent if there is nobody to ask. */
  check?(): Promise<void>;
  /** Returns the page on which a person pays once, or saves a method. Absent if the provider has none. */
  createCheckout?(request: CheckoutRequest, signal: AbortSignal): Promise<Checkout>;
  readCheckout?(externalId: string, signal: AbortSignal): Promise<CheckoutOutcome>;
  /** Charges a stored method without the person. */
  charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeOutcome>;
  /**
   * Returns what became of a charge whose response was lost, after asking the provider; undefined if the provider knows
   * nothing of it. Absent if `charge` is purely local.
   */
  findCharge?(created: CreatedCharge, signal: AbortSignal): Promise<ChargeOutcome | undefined>;
  refund(request: RefundRequest, signal: AbortSignal): Promise<RefundOutcome>;
  /** Makes the provider forget the method. Has no effect if it has done so already. */
  removeMethod?(method: StoredMethod, signal: AbortSignal): Promise<void>;
  /** Authenticates and translates a notice. Returns undefined if it is of no interest. */
  readNotice?(headers: NoticeHeaders, body: Buffer, now: number): PaymentNotice | undefined;
}

/** Nobody knows whether the request had an effect: ask again, with the same key. */
export class PaymentUnknownError extends Error {
  override readonly name = 'PaymentUnknownError';
}

/** The provider takes no payment of so little. */
export class PaymentTooSmallError extends Error {
  override readonly name = 'PaymentTooSmallError';
}

/** A notice without a valid signature. */
export class ForgedNoticeError extends Error {
  override readonly name = 'ForgedNoticeError';
}
