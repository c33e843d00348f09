// Row types of the tables for SEPA.
import type { Generated, GeneratedAlways } from 'kysely';
import type { MatchProblem } from '#contract/shapes/sepa.ts';
import type { AccountId } from '../account-id.ts';

/** A customer's permission to collect from an account; each belongs to a payment method of the driver `sepa`. */
export interface SepaMandateTable {
  method_id: number;
  account_id: AccountId;
  reference: string;
  name: string;
  iban_sealed: string;
  scheme: 'CORE' | 'B2B';
  signed_at: number;
  /** The network address from which the customer agreed. */
  address: string;
  consent_version: string;
  consent_text: string;
  /** When a collection was last put into a file; null before the first one. */
  used_at: number | null;
  /** The first day on which the mandate cannot be used any more; null once it has ended. */
  expires_day: number | null;
}

/** A collection, or a refund if `refund_id` is set, that has been announced or is to be paid. */
export interface SepaOrderTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  charge_id: number;
  refund_id: number | null;
  method_id: number;
  end_to_end_id: string;
  amount_cents: number;
  /** The day on which the money is due. */
  day: number;
  /** Empty until the order is in a file, and for refunds. */
  sequence: '' | 'FRST' | 'RCUR';
  text: string;
  file_id: number | null;
}

/** A file for the bank. Its content follows from this row and its orders, so that it is always the same. */
export interface SepaFileTable {
  id: GeneratedAlways<number>;
  kind: 'debit' | 'refund';
  message_id: string;
  day: number;
  created_at: number;
  orders: number;
  amount_cents: number;
  /** The creditor at that time, as JSON. */
  creditor: string;
  state: 'created' | 'handed_in' | 'rejected';
  decided_at: number | null;
  operator: string;
}

export interface SepaStatementTable {
  id: GeneratedAlways<number>;
  digest: string;
  kind: 'statement' | 'notification';
  /** The bank's id of the statement. */
  bank_id: string;
  iban: string;
  opening_cents: number | null;
  closing_cents: number | null;
  imported_at: number;
  operator: string;
}

export interface SepaEntryTable {
  id: GeneratedAlways<number>;
  statement_id: number;
  /** Identifies the booking, in whichever statement it is. */
  key: string;
  day: number;
  /** Negative if money left the account. */
  amount_cents: number;
  bank_reference: string;
  end_to_end_id: string;
  batch_id: string;
  return_code: string;
  counterparty: string;
  /** Masked. */
  counterparty_iban: string;
  text: string;
  state: 'new' | 'matched' | 'unmatched' | 'ignored';
  matched_as: '' | 'charge' | 'batch' | 'chargeback' | 'refund' | 'returned refund' | 'transfer';
  /** The amount that the ledger has recorded for it: less than the amount if the bank added a fee, or another entry reported it. */
  booked_cents: number;
  /** Why it is not matched, or what staff noted. */
  problem: string;
  /** Empty for entries from before there were codes. */
  problem_code: Generated<'' | MatchProblem>;
  /** The amount that the booking should have had; null if that is not the problem. */
  expected_cents: Generated<number | null>;
  account_id: AccountId | null;
  operator: string;
}
