// When a call is tried again, and after how long. Only what cannot happen twice by it is repeated: what reads, and what carries
// an Idempotency-Key. Delays grow and are drawn at random, so that many clients do not come back at the same moment.
import { HostyardError } from './error.ts';
import type { Repeat, RetrySettings } from './settings.ts';

export interface RetryPolicy {
  readonly attempts: number;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
}

export function retryPolicy(settings: RetrySettings = {}): RetryPolicy {
  return {
    attempts: settings.attempts ?? 5,
    firstDelayMs: settings.firstDelayMs ?? 250,
    longestDelayMs: settings.longestDelayMs ?? 30_000,
  };
}

/** Milliseconds until the next try; undefined where there is to be none. */
export function delayBefore(
  policy: RetryPolicy,
  { attempt, repeat, error }: { readonly attempt: number; readonly repeat: Repeat; readonly error: unknown },
): number | undefined {
  if (repeat === 'never' || !passes(error) || attempt >= triesOf(policy, error)) return undefined;
  const asked = (error.retryAfterSeconds ?? 0) * 1000;
  if (asked > policy.longestDelayMs) return undefined;
  const grown = Math.min(policy.firstDelayMs * 2 ** (attempt - 1), policy.longestDelayMs);
  return Math.min(asked + grown * (0.5 + Math.random() / 2), Math.max(asked, policy.longestDelayMs));
}

/** The first try of the same call is still at work, as a power cycle is for a while: it is worth more patience. */
function triesOf({ attempts }: RetryPolicy, { code }: HostyardError): number {
  return code === 'idempotency_in_progress' && attempts > 1 ? attempts + 4 : attempts;
}

/** Whether it may be over in a moment. What the equipment behind answered (502, 504) has been tried by the server already. */
function passes(error: unknown): error is HostyardError {
  if (!(error instanceof HostyardError)) return false;
  switch (error.code) {
    case 'connection_failed':
    case 'rate_limited':
    case 'overloaded':
    // The first try is still being carried out.
    case 'idempotency_in_progress':
      return true;
    // A balancer that finds no server speaks for itself.
    case 'unexpected_answer':
      return [429, 502, 503, 504].includes(error.status);
    default:
      return false;
  }
}

export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
