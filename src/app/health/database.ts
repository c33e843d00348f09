// Readiness: this process can serve requests if its database responds.
import { ApiError } from '#lib/api-error.ts';
import { pingStore } from '#store/store.ts';
import { isUnavailable } from '#store/engine/unavailable.ts';
import type { App } from '../app.ts';

const timeoutMs = 2000;
const retryAfterSeconds = 1;
/** Strangers can request a check, which must not keep the database busy. */
const reusedForMs = 500;

/** Returns the error for the caller if the database is temporarily unavailable, or undefined for any other error. */
export function unavailableError(error: unknown): ApiError | undefined {
  return isUnavailable(error) ? new ApiError('overloaded', { cause: error, retryAfterSeconds }) : undefined;
}

/** Returns a check of whether the database responds. Calls share its query, and its outcome for another half a second. */
export function createDatabaseCheck(app: Pick<App, 'store'>): () => Promise<boolean> {
  let recent: Promise<boolean> | undefined;
  return () => {
    recent ??= respondsInTime(app).finally(() => setTimeout(() => (recent = undefined), reusedForMs).unref());
    return recent;
  };
}

function respondsInTime({ store }: Pick<App, 'store'>): Promise<boolean> {
  const ping = pingStore(store).then(
    () => true,
    () => false,
  );
  const tooLate = new Promise<false>((resolve) => setTimeout(resolve, timeoutMs, false).unref());
  return Promise.race([ping, tooLate]);
}
