// Slows down password and code guessing: after a few free attempts, each wrong one doubles the wait before the next.
// Counted in memory per process: a restart resets the counters, which an attacker cannot cause.
import { ApiError } from '#lib/api-error.ts';

const maxWaitMs = 15 * 60_000;
const maxSubjects = 100_000;

/** By email address: at sign-in, and wherever a password or a code is asked for again. */
export const customerAttempts = createAttemptCounter(5);
/** By operator name. */
export const operatorAttempts = createAttemptCounter(5);

export function createAttemptCounter(freeAttempts: number) {
  const attemptsBySubject = new Map<string, { readonly failed: number; readonly waitUntil: number }>();
  return {
    /**
     * Counts an attempt before its outcome is known, so that parallel attempts are not all free. Rejects it if it must
     * wait.
     */
    begin(subject: string, now: number): void {
      const { failed, waitUntil } = attemptsBySubject.get(subject) ?? { failed: 0, waitUntil: 0 };
      // A wait beyond the maximum means that the clock has been set back.
      if (now < waitUntil && waitUntil - now <= maxWaitMs) {
        throw new ApiError('rate_limited', {
          message: 'Too many failed attempts. Wait before you try again.',
          retryAfterSeconds: Math.ceil((waitUntil - now) / 1000),
        });
      }
      if (attemptsBySubject.size >= maxSubjects) attemptsBySubject.clear();
      const beyondFree = failed + 1 - freeAttempts;
      const waitMs = beyondFree < 0 ? 0 : Math.min(maxWaitMs, 1000 * 2 ** beyondFree);
      attemptsBySubject.set(subject, { failed: failed + 1, waitUntil: now + waitMs });
    },
    /** Resets the count after a correct attempt. */
    forgive: (subject: string): void => void attemptsBySubject.delete(subject),
  };
}
