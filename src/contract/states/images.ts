// States of a device's image. A device has at most one image, and no state without one. The store allows only these
// changes.
export const imageStates = {
  /** Selected, and not in the drive. */
  Set: ['Set', 'Mounting'],
  /** Being inserted; the BMC reports the result. */
  Mounting: ['Mounted', 'Set'],
  /** In the drive, according to the BMC. A BMC that restarts may lose it. */
  Mounted: ['Unmounting', 'Set'],
  /** Being ejected. */
  Unmounting: ['Set', 'Mounted'],
} as const satisfies Record<string, readonly string[]>;

export type ImageState = keyof typeof imageStates;

export function imageMayBecome(from: ImageState, to: ImageState): boolean {
  const next: readonly ImageState[] = imageStates[from];
  return next.includes(to);
}
