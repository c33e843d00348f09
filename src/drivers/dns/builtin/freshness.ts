// Reports whether the image has every change that this process has committed. A customer who got the response to a change may query it
// at once, so queries wait for it; but not for long, because a database that is down must not stop answers.

export interface Freshness {
  /** Returns true if there is a change that the image lacks. */
  isStale(): boolean;
  /** Resolves once the image has all changes, and after a short time in any case. Never rejects. */
  catchUp(): Promise<void>;
}

export function isFresh(freshness: Freshness | undefined): boolean {
  return freshness === undefined || !freshness.isStale();
}
