// Row types of the tables for backups of machines.
import type { Generated } from 'kysely';
import type { AccountId } from '../account-id.ts';
import type { MachineKind } from './machine-tables.ts';

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
  /** The size of the repository when it was last measured. */
  stored_bytes: number;
  /** 1 if the repository has something to remove. */
  needs_prune: number;
  /** 1 if backups include the volumes that are attached to the machine. */
  with_volumes: Generated<number>;
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
  kind: Generated<MachineKind>;
  disk_gb: Generated<number>;
  /** In the repository; null until it is stored. */
  snapshot: string | null;
  /** SHA-256 of the content. */
  digest: string | null;
  /** Of the system disk and the volumes. */
  size_bytes: number;
  /** How much the repository grew. */
  added_bytes: number;
  is_consistent: number;
  created_at: number;
  /** When a test restored it; null if none has. */
  verified_at: number | null;
  /** Why the last test failed, for operators; empty if it did not. */
  verify_error: string;
}

export interface MachineBackupVolumeTable {
  backup_id: string;
  /** At that time. The volume may be gone. */
  volume_id: number;
  account_id: AccountId;
  name: string;
  size_gb: number;
  /** As of a backup. */
  snapshot: string | null;
  digest: string | null;
  size_bytes: number;
}

/** Content on its way to or from the repository. The job moves it, and the workflow with the same id waits for it. */
export interface BackupTransferTable {
  id: string;
  account_id: AccountId;
  service_id: number;
  backup_id: string;
  /** `template` is for a new machine, `volume` for a new volume. */
  kind: 'store' | 'restore' | 'template' | 'volume';
  /** The service whose machine receives the content; null if it is the service of the backup. */
  target_id: Generated<number | null>;
  /** Which volume of the backup; null for the system disk. */
  part: Generated<number | null>;
  /** The new volume. */
  volume_id: Generated<number | null>;
  /** `cancelling` until the job that moves it has stopped. */
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelling' | 'cancelled';
  /** An error code, if it failed. */
  code: string;
  /** The last error, for operators. */
  detail: string;
  created_at: number;
}
