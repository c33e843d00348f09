// The error that callers of the API see. Its code comes from the contract's closed list. The message for the caller and the detail
// for the log are separate, so that internal names cannot leak.
import { errorKinds, type ErrorCode } from '#contract/errors.ts';

export interface ApiErrorDetail {
  /** Replaces the code's default message. Must not contain internal ids, paths, addresses or secrets. */
  readonly message?: string;
  /** Parameter names, each with the reason why its value was rejected. */
  readonly fields?: Readonly<Record<string, string>>;
  /** For the log only. */
  readonly internal?: string;
  readonly cause?: unknown;
  readonly retryAfterSeconds?: number;
}

export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly fields: Readonly<Record<string, string>> | undefined;
  readonly internal: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, detail: ApiErrorDetail = {}) {
    super(detail.message ?? errorKinds[code].message, { cause: detail.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = errorKinds[code].status;
    this.fields = detail.fields;
    this.internal = detail.internal;
    this.retryAfterSeconds = detail.retryAfterSeconds;
  }
}

export function invalid(fields: Record<string, string>): ApiError {
  const message = Object.entries(fields)
    .map(([name, reason]) => `${name} ${reason}`)
    .join('; ');
  return new ApiError('invalid_parameter', { message: `${message}.`, fields });
}

/** Rejects the other filters of a list that returns the items of its `ids`. */
export function rejectWithIds(filter: object): void {
  const reasons = Object.fromEntries(Object.keys(filter).map((name) => [name, 'cannot be combined with ids']));
  if (Object.keys(reasons).length > 0) throw invalid(reasons);
}

/** For a call that is valid but does not fit the current state. */
export function conflict(message: string): ApiError {
  return new ApiError('state_conflict', { message });
}

/** Returns what a query has found. Throws `not_found` if it found nothing. */
export function requireFound<T>(value: T | undefined, message?: string): T {
  if (value === undefined) throw new ApiError('not_found', message === undefined ? {} : { message });
  return value;
}

/** Returns the message of the equipment behind an error, for the log and operators. Customers get the error's message. */
export function operatorMessage(error: unknown): string {
  if (error instanceof ApiError) {
    const cause = error.cause instanceof Error ? error.cause.message : undefined;
    return error.internal ?? cause ?? error.message;
  }
  return error instanceof Error ? error.message : String(error);
}
