// The part of a hypervisor driver for snapshots of machines, and templates made from them.

/**
 * Copies of the disk of a machine's system. They belong to the machine, not to the system: they stay when it is reinstalled, and
 * go with the machine. Calls that copy reject with `device_busy` while that takes longer; call them again until they succeed.
 */
export interface Snapshots {
  /** Lists the complete snapshots of a machine. */
  list(name: string, signal: AbortSignal): Promise<readonly SnapshotInfo[]>;
  /**
   * Copies the disk of the current system, on or off; memory is not part of it. Returns the snapshot if it exists. Rejects with
   * `nothing_free` if there is no capacity.
   */
  create(name: string, id: string, signal: AbortSignal): Promise<SnapshotInfo>;
  /** Builds a system from a snapshot, alongside the current one. `systems.use` then switches to it. */
  restore(name: string, id: string, system: string, signal: AbortSignal): Promise<void>;
  /** Also of an incomplete snapshot. */
  remove(name: string, id: string, signal: AbortSignal): Promise<void>;
  /**
   * Makes a template from a snapshot, which `SystemBuild.template` can name on this hypervisor. Systems that were built from it do
   * not need it any more. Returns its size in bytes, if known.
   */
  createTemplate(name: string, id: string, template: string, signal: AbortSignal): Promise<number | undefined>;
  /** Removes a template that `createTemplate` made, also incompletely. */
  removeTemplate(template: string, signal: AbortSignal): Promise<void>;
}
export interface SnapshotInfo {
  /** Chosen by Hostyard: letters, digits and hyphens. */
  readonly id: string;
  /** True if nothing was being written, because the machine was off or its file systems were frozen. */
  readonly isConsistent: boolean;
  /** Undefined if unknown. */
  readonly sizeBytes: number | undefined;
}
