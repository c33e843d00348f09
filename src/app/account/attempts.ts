// Slows down password and code guessing. Counted in memory per process: a restart resets the counters, which an attacker
// cannot cause.
import { budgetNetwork } from '#lib/addresses.ts';
import { ApiError } from '#lib/api-error.ts';
import { BoundedMap } from '#lib/bounded-map.ts';
import type { App } from '../app.ts';
import type { Caller } from '../caller.ts';

const freeAttempts = 5;
const maxWaitMs = 15 * 60_000;
/** Attempts count until there has been none for this long. */
const countedMs = 3_600_000;
const maxSubjects = 100_000;
/** How many attempts a name allows from all networks together, and how long until it allows another. */
const nameAttempts = 20;
const nameRefillMs = 30_000;

/** By email address and network. */
export const customerSignIns = createSignInBudget();
/** By operator name and network. */
export const operatorSignIns = createSignInBudget();
/** By session, wherever a password or a code is asked for again: only the person can use up their attempts. */
export const sessionAttempts = createAttemptCounter();

export function sessionSubject({ instanceId }: Pick<App, 'instanceId'>, { key }: Pick<Caller, 'key'>): string {
  return `${instanceId} ${key}`;
}

/** After a few free attempts, each wrong one doubles the wait before the next. */
export function createAttemptCounter() {
  const attempts = new BoundedMap<string, { readonly failed: number; readonly at: number; readonly waitMs: number }>(
    maxSubjects,
  );
  const failedBefore = (subject: string, now: number): number => {
    const last = attempts.get(subject);
    return last === undefined || Math.abs(now - last.at) > countedMs ? 0 : last.failed;
  };
  return {
    /**
     * Counts an attempt before its outcome is known, so that parallel attempts are not all free. Rejects it if it must
     * wait.
     */
    begin(subject: string, now: number): void {
      const { at, waitMs } = attempts.get(subject) ?? { at: now, waitMs: 0 };
      // An attempt in the future means that the clock has been set back.
      const leftMs = at > now ? 0 : at + waitMs - now;
      if (leftMs > 0) throw mustWait(leftMs);
      const failed = failedBefore(subject, now) + 1;
      const beyondFree = failed - freeAttempts;
      attempts.set(subject, {
        failed,
        at: now,
        waitMs: beyondFree < 0 ? 0 : Math.min(maxWaitMs, 1000 * 2 ** beyondFree),
      });
    },
    /** Takes back a correct attempt. Wrong ones before it stay: another person may have made them. */
    forgive(subject: string, now: number): void {
      attempts.set(subject, { failed: Math.max(0, failedBefore(subject, now) - 1), at: now, waitMs: 0 });
    },
  };
}

/**
 * Attempts to sign in. Guesses are limited by name and network, which does not lock out anyone else. Guesses from many
 * networks share a slower budget of the name, which does not apply to a person at networks from which they have signed in before.
 */
export function createSignInBudget() {
  const byNetwork = createAttemptCounter();
  const names = new BoundedMap<string, { readonly left: number; readonly at: number }>(maxSubjects);
  const leftFor = (name: string, now: number): number => {
    const { left, at } = names.get(name) ?? { left: nameAttempts, at: now };
    return Math.min(nameAttempts, left + Math.max(0, now - at) / nameRefillMs);
  };
  return {
    begin(name: string, address: string, now: number) {
      const subject = `${name} ${budgetNetwork(address)}`;
      byNetwork.begin(subject, now);
      let price = 0;
      /** Takes back an attempt that was correct, or that could not be checked. */
      function takeBack(): void {
        byNetwork.forgive(subject, now);
        if (price > 0) names.set(name, { left: leftFor(name, now) + price, at: now });
      }
      return {
        /** Returns those whose password may be tried: all, or only those who have signed in from this network before. */
        select<P extends { readonly isKnownNetwork: boolean }>(people: readonly P[]): readonly P[] {
          const known = people.filter(({ isKnownNetwork }) => isKnownNetwork);
          if (people.length > 0 && known.length === people.length) return people;
          const left = leftFor(name, now);
          if (left >= 1) {
            price = 1;
            names.set(name, { left: left - price, at: now });
            return people;
          }
          if (known.length > 0) return known;
          takeBack();
          throw mustWait((1 - left) * nameRefillMs);
        },
        takeBack,
      };
    },
  };
}

function mustWait(ms: number): ApiError {
  return new ApiError('rate_limited', {
    message: 'Too many failed attempts. Wait before you try again.',
    retryAfterSeconds: Math.ceil(ms / 1000),
  });
}
