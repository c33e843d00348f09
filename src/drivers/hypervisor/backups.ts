// The part of a hypervisor driver for backups of machines and their volumes.
import type { VolumeInfo } from './volumes.ts';

/**
 * Moves the content of a machine off the hypervisor and back. A copy is for one backup, and is discarded after it. Calls that copy
 * reject with `device_busy` while that takes longer, and with `nothing_free` if there is no capacity; calls that take content last
 * as long as it takes to transfer it.
 */
export interface MachineBackups {
  /** Copies the current system, on or off, under an id of letters, digits and hyphens. Completes a copy that exists. */
  copy(name: string, id: string, signal: AbortSignal): Promise<CopyInfo>;
  /** Reads a copy. The content does not depend on this hypervisor, and equal systems have nearly equal content. */
  read(name: string, id: string, signal: AbortSignal): AsyncIterable<Buffer>;
  /** Also of an incomplete copy. */
  discard(name: string, id: string, signal: AbortSignal): Promise<void>;
  /**
   * Builds a system from the content of a copy, alongside the current one, and replaces one of that id that is not current.
   * `systems.use` then switches to it.
   */
  restore(name: string, system: string, content: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void>;
  /**
   * Makes a template from the content of a copy, which `SystemBuild.template` can name on this hypervisor, and replaces one that
   * exists. `snapshots.removeTemplate` removes it.
   */
  createTemplate(template: string, content: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void>;
  /** The same for volumes. The machine has the volume. */
  copyVolume(volume: string, machine: string, id: string, signal: AbortSignal): Promise<CopyInfo>;
  readVolume(volume: string, id: string, signal: AbortSignal): AsyncIterable<Buffer>;
  discardVolume(volume: string, machine: string, id: string, signal: AbortSignal): Promise<void>;
  /**
   * Creates a volume that this machine can use, from the content of a copy of a volume or of a system, and replaces one that is
   * attached to no machine. `size` is at least that of the disk in the copy.
   */
  createVolume(
    volume: VolumeInfo,
    machine: string,
    of: 'volume' | 'system',
    content: AsyncIterable<Buffer>,
    signal: AbortSignal,
  ): Promise<void>;
}

export interface CopyInfo {
  /** True if nothing was being written, because the machine was off or its file systems were frozen. */
  readonly isConsistent: boolean;
}
