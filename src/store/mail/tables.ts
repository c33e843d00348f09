// Row types of the tables for email.
import type { GeneratedAlways } from 'kysely';
import type { MailStatus } from '#contract/shapes/mail.ts';
import type { AccountId } from '../account-id.ts';

export interface MailTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  /** Null for the account itself. */
  contact_id: number | null;
  address: string;
  kind: string;
  /** The event it is about; null if the details are given. */
  sequence: number | null;
  /** Sealed: the values of a message that is not about an event. */
  details: string | null;
  /** Empty for the provider's default. */
  language: string;
  status: MailStatus;
  attempts: number;
  /** When it is sent, or sent again, or summarized. */
  next_at: number;
  created_at: number;
  sent_at: number | null;
  /** The relay that accepted it. */
  relay: string;
  error: string;
  /** Both are empty until it was first composed; without what only the recipient may see. */
  subject: string;
  body: string;
  resend_of: number | null;
  /** The message that summarized it. */
  summary_id: number | null;
}

export interface MailChoiceTable {
  account_id: AccountId;
  /** 0 for the account itself. */
  contact_id: number;
  /** Empty if the person has not chosen. */
  language: string;
  /** JSON: the kinds that the person does not receive. */
  off_kinds: string;
}

/** Messages to an address that came back for good. */
export interface MailBounceTable {
  account_id: AccountId;
  address: string;
  count: number;
  /** The reason that the last mail server gave. */
  diagnostic: string;
  bounced_at: number;
  /** Null until there were too many: from then on, nothing is sent there. */
  undeliverable_since: number | null;
}
