// Row types of the tables for hypervisors, templates and virtual machines.
import type { Generated } from 'kysely';
import type { AccountId } from '../account-id.ts';

export interface HypervisorTable {
  name: string;
  driver: string;
  /** The driver's settings as JSON, sealed. */
  settings: string;
  /** Counts changes of the settings, so that open connections notice that they are outdated. */
  revision: number;
  /** A list, as JSON. */
  name_servers: string;
  /** Where customers place machines by choice; empty if the hypervisor is in none of their locations. */
  location: Generated<string>;
  next_look_at: number;
  next_sample_at: number;
  /** When its machines were first sampled; 0 before that. Moves when the clock is set, so it measures time that passed. */
  sampled_since: number;
  /** When it last responded; null if it never has. */
  seen_at: number | null;
  /** The error of the last check; null if it succeeded. */
  error: string | null;
  /** The driver's message for the error, for operators. */
  error_text: Generated<string>;
  /** A `NodeCapacity`, as JSON, and when it was read. */
  capacity: Generated<string | null>;
  capacity_at: Generated<number | null>;
  /** Since when no machines are placed on it; null if it is in use. The reason is for staff. */
  maintenance_since: Generated<number | null>;
  maintenance_reason: Generated<string>;
  /** Since when its machines migrate to others, and when that ended; null if they stay, or still migrate. */
  evacuation_since: Generated<number | null>;
  evacuation_ended_at: Generated<number | null>;
  evacuation_mode: Generated<'auto' | 'live' | 'cold'>;
  /** When it was removed from the site file; null if it is still there. */
  removed_at: number | null;
}

export type MachineKind = 'Xen' | 'OpenVZ';

export interface TemplateTable {
  value: string;
  name: string;
  kind: MachineKind;
  /** The driver's name for it. */
  source: string;
  /** 1 if its systems run cloud-init, 0 if not; null if only the kind tells. */
  cloud_init: Generated<number | null>;
  /** What its systems need of the machine; 1 for yes. */
  firmware: Generated<'bios' | 'uefi'>;
  secure_boot: Generated<number>;
  tpm: Generated<number>;
  position: number;
}

export interface MachineTable {
  service_id: number;
  account_id: AccountId;
  vmid: number;
  kind: MachineKind;
  /** `pending` until the machine exists on a hypervisor. */
  state: 'pending' | 'ready';
  /** Why it does not exist yet, for operators. */
  reason: string;
  /** The message of the equipment behind the reason, for operators. */
  detail: Generated<string>;
  /** Failed attempts to create it, in a row. */
  attempts: Generated<number>;
  /** While it is pending: when to create it, or to check that a workflow does. */
  next_attempt_at: Generated<number>;
  /** The hypervisor that the site file specifies; null to place it wherever it fits. */
  wanted_node: string | null;
  /** The location that the customer chose; null to place it anywhere. */
  wanted_location: Generated<string | null>;
  /** Machines of a group are on different hypervisors. */
  group_id: Generated<number | null>;
  /** 1 if its customer cannot delete it. */
  is_protected: Generated<number>;
  node: string | null;
  /** Its name on the hypervisor, if Hostyard adopted it under another one; null if it is `machineName`. */
  hypervisor_name: Generated<string | null>;
  /** 1 if its traffic is not filtered, because the provider adopted it that way. */
  unfiltered: Generated<number>;
  /** The cluster member it was last seen on. */
  member: string | null;
  /** The template of its current system. */
  template: string;
  vcpus: number;
  memory_mb: number;
  disk_gb: number;
  bandwidth_gb: number;
  mac: string;
  /** The last known state. It is current only if `power_error` is null. */
  power_state: 'on' | 'off' | null;
  power_source: string | null;
  power_seen_at: number | null;
  power_error: string | null;
  /** The sealed root password during an installation; null afterwards. */
  install_secret: string | null;
  /** The sealed SSH keys and user data (`InstallData`) until the system that they are for is installed; null afterwards. */
  install_data: Generated<string | null>;
  /** The backup that its first system is restored from; null if it has that system, or another. */
  from_backup: Generated<string | null>;
  /**
   * 1 while disks of previous systems may be left on the hypervisor, 2 once its service was terminated and it must be
   * deleted.
   */
  untidy: number;
  /** The blocks that its network filter allows, with commas; null if the hypervisor has not confirmed a filter. */
  networks: string | null;
  /** Of the network settings that its system reads when it boots; null if they are to be compared. */
  addresses_digest: string | null;
  /** Months since year 0, and the bytes that were counted in that month before machines were sampled. */
  traffic_month: number;
  traffic_bytes: number;
}

export interface MachineCopyTable {
  node: string;
  service_id: number;
  account_id: AccountId;
  vmid: number;
  /** The hypervisor that the machine is copied from. */
  source: string;
  workflow_id: string;
  /** Null until the workflow has decided. */
  mode: 'live' | 'cold' | null;
  /** Reserved on the hypervisor while the copy is made. */
  memory_mb: number;
  disk_gb: number;
  copied_bytes: Generated<number>;
  total_bytes: Generated<number>;
  /** When the copy last made progress. */
  progress_at: number;
  /** 1 if the copy is to be removed. */
  is_obsolete: Generated<number>;
  created_at: number;
}
