// Logs why a request failed with a server error. The caller sees only the message of its code.
import type { ApiError } from '#lib/api-error.ts';
import type { Log } from '#lib/log.ts';

export function logFailure(log: Log, requestId: string, error: ApiError): void {
  if (error.status < 500) return;
  const { code, internal, cause = error } = error;
  log.error({ requestId, code, internal, err: cause }, 'request failed');
}
