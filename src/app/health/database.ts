// Readiness: this process can serve requests if its database responds.
import { ApiError } from '#lib/api-error.ts';
import { pingStore } from '#store/store.ts';
import { isUnavailable } from '#store/engine/unavailable.ts';
import type { App } from '../app.ts';

const timeoutMs = 2000;
const retryAfterSeconds = 1;

/** Returns the error for the caller if the database is temporarily unavailable, or undefined for any other error. */
export function unavailableError(error: unknown): ApiError | undefined {
  return isUnavailable(error) ? new ApiError('overloaded', { cause: error, retryAfterSeconds }) : undefined;
}

export async function isDatabaseAvailable(app: App): Promise<boolean> {
  const ping = pingStore(app.store).then(
    () => true,
    () => false,
  );
  const tooLate = new Promise<false>((resolve) => setTimeout(resolve, timeoutMs, false).unref());
  return Promise.race([ping, tooLate]);
}
