// How long to wait before something is tried again.

export interface DelayLimits {
  readonly shortestMs: number;
  readonly longestMs: number;
}

/** Returns three quarters of the interval up to all of it, so that devices that started together drift apart. */
export function jittered(milliseconds: number): number {
  return Math.round(milliseconds * (0.75 + Math.random() / 4));
}

/** Returns a delay as long as something has been failing, so that delays about double, within the limits. */
export function growingDelay(failingMs: number, { shortestMs, longestMs }: DelayLimits): number {
  return jittered(Math.min(longestMs, Math.max(shortestMs, failingMs)));
}
