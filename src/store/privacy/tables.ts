// Row types of the tables for archives of accounts, and for erasure.
import type { GeneratedAlways } from 'kysely';
import type { ErasureStatus, ExportStatus } from '#contract/shapes/privacy.ts';
import type { AccountId } from '../account-id.ts';

export interface AccountExportTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  /** The member of staff who asked for it; null for the account's owner. */
  operator: string | null;
  reason: string;
  status: ExportStatus;
  size_bytes: number;
  error: string;
  created_at: number;
  ready_at: number | null;
  expires_at: number;
}

/** A piece of an archive. It is in the database because instances share no folder. */
export interface AccountExportPartTable {
  export_id: number;
  position: number;
  content: Buffer;
}

export interface ErasureTable {
  account_id: AccountId;
  status: ErasureStatus;
  /** The member of staff who asked for it; null for the account's owner. */
  operator: string | null;
  reason: string;
  requested_at: number;
  erase_at: number;
  erased_at: number | null;
  /** When tax law no longer requires the invoices. */
  kept_until: number | null;
  purged_at: number | null;
}
