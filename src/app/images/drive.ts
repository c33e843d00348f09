// How an image gets into a device, whichever kind it is: a controller fetches it under a link of ours, a node has it already.
import { Fault } from '#kernel/fault.ts';
import type { DeviceImage } from '#store/devices/device-images.ts';
import type { CatalogueImage } from './catalogue.ts';

/** The drive of a device. */
export interface DeviceDrive {
  /** One command at a time. `purpose` is what others are told meanwhile. */
  use<T>(purpose: string, work: (drive: ImageDrive) => Promise<T>): Promise<T>;
  /** For who only looks: without a turn, since nothing is changed. */
  isIn(row: DeviceImage): Promise<boolean>;
  /** Before the device is touched: that the image can be handed out. */
  ready(image: CatalogueImage): Promise<void>;
}

/** The same while it is one's turn. */
export interface ImageDrive {
  /** Whether that image is in which was last on its way, as far as anybody can tell. */
  holds(row: DeviceImage): Promise<boolean>;
  /** How it is to be put in, and what to write down of it before. */
  prepare(image: CatalogueImage): { readonly linkHash: string | null; insert(): Promise<void> };
  eject(): Promise<void>;
}

export function noFile(cause?: unknown): Fault {
  return new Fault('not_in_catalogue', { message: 'The provider has no file for this image yet.', cause });
}
