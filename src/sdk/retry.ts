// Decides whether and when to retry a call. Only calls that are safe to repeat are retried: reads, and those with an
// Idempotency-Key. Delays grow and are random, so that many clients do not return at the same time.
import { HostyardError } from './error.ts';
import type { Repeat, RetrySettings } from './settings.ts';

export type RetryPolicy = Required<RetrySettings>;

export function retryPolicy(settings: RetrySettings = {}): RetryPolicy {
  return {
    attempts: settings.attempts ?? 5,
    firstDelayMs: settings.firstDelayMs ?? 250,
    longestDelayMs: settings.longestDelayMs ?? 30_000,
  };
}

/** Returns the milliseconds until the next attempt, or undefined if there is none. */
export function retryDelay(
  policy: RetryPolicy,
  { attempt, repeat, error }: { readonly attempt: number; readonly repeat: Repeat; readonly error: unknown },
): number | undefined {
  if (repeat === 'never' || !isTransient(error) || attempt >= maxAttempts(policy, error)) return undefined;
  const requestedMs = (error.retryAfterSeconds ?? 0) * 1000;
  if (requestedMs > policy.longestDelayMs) return undefined;
  const backoffMs = Math.min(policy.firstDelayMs * 2 ** (attempt - 1), policy.longestDelayMs);
  return Math.min(requestedMs + backoffMs * (0.5 + Math.random() / 2), Math.max(requestedMs, policy.longestDelayMs));
}

/** Allows more attempts while the first one is still running, as a power cycle does for a while. */
function maxAttempts({ attempts }: RetryPolicy, { code }: HostyardError): number {
  return code === 'idempotency_in_progress' && attempts > 1 ? attempts + 4 : attempts;
}

/** Returns true if the error may go away soon. Equipment errors (502, 504) do not: the server has already retried them. */
function isTransient(error: unknown): error is HostyardError {
  if (!(error instanceof HostyardError)) return false;
  switch (error.code) {
    case 'connection_failed':
    case 'rate_limited':
    case 'overloaded':
    case 'idempotency_in_progress':
      return true;
    // A load balancer without a healthy server responds itself.
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
