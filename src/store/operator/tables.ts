// Row types of the tables for operators.
import type { GeneratedAlways } from 'kysely';
import type { OperatorRole } from '#contract/roles.ts';
import type { SupportEnding } from '#contract/shapes/support.ts';
import type { AccountId } from '../account-id.ts';

export interface OperatorTable {
  id: GeneratedAlways<number>;
  name: string;
  role: OperatorRole;
  status: 'Active' | 'Ended';
  password_hash: string | null;
  /** Sealed; null if none is enrolled. */
  totp_secret: string | null;
  /** When a code was first confirmed; null until then. */
  totp_since: number | null;
  /** The time step of the last code used, so that no code works twice. */
  totp_step: number;
  created_at: number;
}

/** What staff write down about a customer, who never sees it. */
export interface AccountNoteTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  /** The name of its author. */
  operator: string;
  text: string;
  created_at: number;
  changed_at: number | null;
}

export interface ImpersonationTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  operator_id: number;
  /** The operator's name. */
  operator: string;
  reason: string;
  /** The session, which is deleted some time after it has expired. */
  key_id: number;
  created_at: number;
  expires_at: number;
  ended_at: number | null;
  /** Null for one that expired. */
  ended_by: SupportEnding | null;
}
