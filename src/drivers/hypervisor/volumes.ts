// The part of a hypervisor driver for volumes.

/** Disks that outlive the systems of the machine that they are attached to, and the machine itself. */
export interface Volumes {
  /** Lists the volumes that are attached to a machine. */
  list(machine: string, signal: AbortSignal): Promise<readonly VolumeInfo[]>;
  /**
   * Creates an empty volume that this machine can use, and does not attach it. Keeps one that exists. Rejects with
   * `nothing_free` and creates nothing if there is no capacity.
   */
  create(volume: VolumeInfo, machine: string, signal: AbortSignal): Promise<void>;
  /**
   * Attaches a volume to a machine, whether it is on or off. The caller makes sure that no other machine has the volume. A
   * machine with its own kernel sees it as /dev/disk/by-id/virtio-ID, a container as the directory /mnt/ID.
   */
  attach(id: string, machine: string, signal: AbortSignal): Promise<void>;
  /** Rejects with `state_conflict` if the running guest keeps the volume. Succeeds if the machine does not exist. */
  detach(id: string, machine: string, signal: AbortSignal): Promise<void>;
  /** Grows a volume, never shrinks it. `machine` has it, if any does. Rejects with `nothing_free` if there is no capacity. */
  grow(volume: VolumeInfo, machine: string | undefined, signal: AbortSignal): Promise<void>;
  /**
   * Removes a volume and its copies, and erases them if the storage would show their content to others. Rejects with
   * `device_busy` while that takes longer, and with `state_conflict` if a machine has the volume.
   */
  remove(id: string, signal: AbortSignal): Promise<void>;
}

export interface VolumeInfo {
  /** Chosen by Hostyard: `vol-` and at most 16 digits, because guests see 20 characters. */
  readonly id: string;
  readonly sizeGb: number;
}
