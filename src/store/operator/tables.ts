// Row types of the tables for operators.
import type { Generated, GeneratedAlways } from 'kysely';
import type { OperatorRole } from '#contract/roles.ts';
import type { MaintenanceStatus } from '#contract/shapes/maintenance.ts';
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
  /** In lower case; empty if it is unknown. Links for a forgotten password and notices go there. */
  email: Generated<string>;
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

/** Planned maintenance. A draft is known to staff only. */
export interface MaintenanceTable {
  id: GeneratedAlways<number>;
  title: string;
  text: string;
  start_at: number;
  end_at: number;
  status: MaintenanceStatus;
  /** JSON: the equipment that it affects. */
  targets: string;
  /** The name of the operator who created it. */
  operator: string;
  /** Counts changes, so that the notification of an earlier one ends. */
  revision: number;
  created_at: number;
  updated_at: number;
}

/** A service that maintenance affects, as its account was last notified. */
export interface MaintenanceServiceTable {
  maintenance_id: number;
  account_id: AccountId;
  service_id: number;
}
