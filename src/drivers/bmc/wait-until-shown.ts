// A BMC accepts a command before the change can be read: its power supplies take a moment to follow, its drive to load.
import { setTimeout as pause } from 'node:timers/promises';
import type { ErrorCode } from '#contract/errors.ts';
import { ApiError } from '#lib/api-error.ts';

const pollIntervalMs = 250;

/** Polls until the condition holds; rejects with `otherwise` if it does not in time. */
export async function waitUntilShown(
  condition: () => Promise<boolean>,
  signal: AbortSignal,
  otherwise: string,
  code: ErrorCode = 'bmc_error',
): Promise<void> {
  const fail = (cause: unknown): never => {
    throw new ApiError(code, { message: otherwise, cause });
  };
  let hasAnswered = false;
  const isMet = (): Promise<boolean> =>
    condition().catch((error: unknown) => {
      // A controller that has responded so far is not unreachable: time is up.
      if (hasAnswered && signal.aborted) return fail(error);
      throw error;
    });
  while (!(await isMet())) {
    hasAnswered = true;
    await pause(pollIntervalMs, undefined, { signal }).catch(fail);
  }
}
