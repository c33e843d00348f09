// Row types of the tables for backups of machines.
import type { AccountId } from '../account-id.ts';

export type BackupFrequency = 'off' | 'daily' | 'weekly';

/** A machine's schedule and repository. */
export interface MachineBackupPlanTable {
  service_id: number;
  account_id: AccountId;
  /** Of the repository, sealed. */
  password: string;
  /** 1 once the repository was created: from then on, a missing one is an error. */
  is_created: number;
  frequency: BackupFrequency;
  /** 0 is Sunday; of a weekly backup. */
  weekday: number;
  /** UTC. */
  hour: number;
  keep_daily: number;
  keep_weekly: number;
  keep_monthly: number;
  /** When the next scheduled backup starts. */
  next_at: number | null;
  /** Backups that failed in a row. */
  failures: number;
  /** The message of the last failure, for operators; empty after a success. */
  error: string;
  /** What the repository stores, as last measured. */
  stored_bytes: number;
  /** 1 if the repository has something to remove. */
  needs_prune: number;
}

export interface MachineBackupTable {
  id: string;
  account_id: AccountId;
  service_id: number;
  /** `removing` until the repository has removed its content. */
  state: 'creating' | 'stored' | 'removing';
  source: 'schedule' | 'request';
  /** Of the machine at that time. */
  hostname: string;
  template: string;
  /** In the repository; null until it is stored. */
  snapshot: string | null;
  /** SHA-256 of the content. */
  digest: string | null;
  size_bytes: number;
  /** What the repository grew by. */
  added_bytes: number;
  is_consistent: number;
  created_at: number;
  /** When a test restored it; null if none has. */
  verified_at: number | null;
  /** Why the last test failed, for operators; empty if it did not. */
  verify_error: string;
}

/** Content on its way to or from the repository. The job moves it, and the workflow with the same id waits for it. */
export interface BackupTransferTable {
  id: string;
  account_id: AccountId;
  service_id: number;
  backup_id: string;
  kind: 'store' | 'restore';
  /** `cancelling` until the job that moves it has stopped. */
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelling' | 'cancelled';
  /** An error code, if it failed. */
  code: string;
  /** The last error, for operators. */
  detail: string;
  created_at: number;
}
