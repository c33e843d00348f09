// Row types of the tables for snapshots of virtual machines and the images made from them.
import type { Generated } from 'kysely';
import type { AccountId } from '../account-id.ts';
import type { MachineKind } from './machine-tables.ts';

export type CopyState = 'creating' | 'ready' | 'deleting' | 'failed';

interface CopyTable {
  id: Generated<number>;
  account_id: AccountId;
  /** The machine that it was made from. Images may outlive it. */
  service_id: number;
  name: string;
  state: CopyState;
  /** Why it failed; empty otherwise. */
  reason: Generated<string>;
  /** On the hypervisor; null if unknown. */
  size_bytes: number | null;
  created_at: number;
  /** The template of the system that was copied; for an image, the provider's one that it goes back to. */
  template: string;
}
export interface MachineSnapshotTable extends CopyTable {
  /** 1 if the machine was off or its file systems were frozen, 0 if not, null if unknown. */
  is_consistent: number | null;
}
export interface MachineImageTable extends CopyTable {
  kind: MachineKind;
  node: string;
  /** The smallest disk that it fits on. */
  disk_gb: number;
}
