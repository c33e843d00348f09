// Row types of the tables for groups, deletions and volumes of machines.
import type { GeneratedAlways } from 'kysely';
import type { AccountId } from '../account-id.ts';

export interface MachineGroupTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  name: string;
  created_at: number;
}

export interface MachineDeletionTable {
  service_id: number;
  account_id: AccountId;
  deleted_at: number;
  /** When it is removed for good. */
  expires_at: number;
  /** When it was powered off; null if that is still to be done. */
  stopped_at: number | null;
  /** The day after the last one that is billed; null if the service is not billed. */
  until_day: number | null;
  /** When the service would end without the deletion; null if not. */
  otherwise_day: number | null;
}

export interface VolumeTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  /** The machine that it is attached to, or was last attached to; it is billed with this service. */
  service_id: number;
  /** The hypervisor that has it. */
  node: string;
  name: string;
  size_gb: number;
  /** While a workflow grows it. */
  grows_to_gb: number | null;
  /** `Changing` while a workflow attaches, detaches or grows it. */
  state: 'Creating' | 'Ready' | 'Changing' | 'Deleting';
  is_attached: number;
  created_at: number;
}
