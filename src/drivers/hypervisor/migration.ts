// The part of a hypervisor that moves machines to another one.

/**
 * Moves machines to another hypervisor of the same driver. Nothing is shared: disks are copied. `target` is this part of the
 * other hypervisor. What a move leaves behind, here or there, goes with `machines.remove` and `volumes.remove`.
 */
export interface MachineMigration {
  /** False if a machine with volumes cannot move. */
  readonly movesVolumes: boolean;
  /**
   * Returns true if the storage here has files of a machine of this name. If the machine is elsewhere, both hypervisors may use
   * the same storage, and a copy would replace what it copies. Absent if hypervisors of this driver cannot share it.
   */
  hasFiles?(name: string, signal: AbortSignal): Promise<boolean>;
  /** Returns why a machine cannot move there while it runs, in a sentence for staff; undefined if it can. */
  findLiveObstacle(name: string, target: MachineMigration, signal: AbortSignal): Promise<string | undefined>;
  /**
   * Moves a running machine. Starts that or continues it, and returns after a few seconds: call it again until it is complete.
   * Then the machine runs there and is off here. Rejects if the move failed; the machine then still runs here.
   */
  moveLive(
    name: string,
    target: MachineMigration,
    networks: readonly string[],
    signal: AbortSignal,
  ): Promise<CopyProgress>;
  /** Ends a move of a running machine. Succeeds if there is none, so that the machine may be on either side afterwards. */
  cancelLive(name: string, signal: AbortSignal): Promise<void>;
  /**
   * Copies a machine that is off, from this position on, and returns after a while: call it again until it is complete. Then
   * it exists there too, off. Rejects with `nothing_free` if there is no capacity.
   */
  copy(
    name: string,
    target: MachineMigration,
    networks: readonly string[],
    position: number,
    signal: AbortSignal,
  ): Promise<CopyProgress>;
}

/** The members of a cluster that counts as one hypervisor. */
export interface ClusterMembers {
  /** Returns those that are up; none if the hypervisor is a single server. */
  list(signal: AbortSignal): Promise<readonly string[]>;
  /**
   * Moves a machine that is off to another member, with its snapshots. Starts that or continues it, and returns after a few
   * seconds, true once it is complete. Rejects if the move failed; the machine has not moved.
   */
  move(name: string, member: string, signal: AbortSignal): Promise<boolean>;
  /** Returns true while the cluster is still moving the machine. */
  isMoving(name: string, signal: AbortSignal): Promise<boolean>;
}

export interface CopyProgress {
  /** Where the next call continues. */
  readonly copiedBytes: number;
  readonly totalBytes: number;
  readonly isComplete: boolean;
}
