// What the image of a device goes through. A device has one image at a time; where it has none there is no state. Every change
// of state is one of these; the store writes no other.
export const imageStates = {
  /** Chosen and ready, and not in the drive. */
  Set: ['Set', 'Mounting'],
  /** On its way into the drive; what becomes of it the controller says. */
  Mounting: ['Mounted', 'Set'],
  /** In the drive, as the controller says. A controller that restarts may lose it. */
  Mounted: ['Unmounting', 'Set'],
  /** On its way out. */
  Unmounting: ['Set', 'Mounted'],
} as const satisfies Record<string, readonly string[]>;

export type ImageState = keyof typeof imageStates;

export function imageMayBecome(from: ImageState, to: ImageState): boolean {
  const next: readonly ImageState[] = imageStates[from];
  return next.includes(to);
}
