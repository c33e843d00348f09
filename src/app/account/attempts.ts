// Wrong attempts to sign in: each makes the next wait longer, so that guessing is slow and a mistyped password is not. Kept
// per process and in memory: a restart forgives, which an attacker cannot bring about.
import { Fault } from '#kernel/fault.ts';

const longestWaitMs = 15 * 60_000;
const subjectsRemembered = 100_000;

interface Attempts {
  readonly failed: number;
  readonly waitUntil: number;
}

export interface AttemptCounter {
  /** Counts an attempt, before it is known to be right, so that many at once are not all free. Refused where it has to wait. */
  begin(subject: string, now: number): void;
  /** It was right. */
  forgive(subject: string): void;
}

export function attemptCounter(freeAttempts: number): AttemptCounter {
  const attemptsOf = new Map<string, Attempts>();
  return {
    begin(subject, now) {
      const { failed, waitUntil } = attemptsOf.get(subject) ?? { failed: 0, waitUntil: 0 };
      // Longer than the longest it is only where the clock was set back meanwhile.
      if (now < waitUntil && waitUntil - now <= longestWaitMs) {
        throw new Fault('rate_limited', {
          message: 'Too many wrong attempts; wait before the next.',
          retryAfterSeconds: Math.ceil((waitUntil - now) / 1000),
        });
      }
      if (attemptsOf.size >= subjectsRemembered) attemptsOf.clear();
      const beyond = failed + 1 - freeAttempts;
      const waitMs = beyond < 0 ? 0 : Math.min(longestWaitMs, 1000 * 2 ** beyond);
      attemptsOf.set(subject, { failed: failed + 1, waitUntil: now + waitMs });
    },
    forgive: (subject) => void attemptsOf.delete(subject),
  };
}
