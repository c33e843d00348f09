// The error of every failed call. It carries the server's error code, so that programs compare codes instead of messages.
import type { ErrorCode } from './generated/errors.ts';

/** Codes of the client itself: there was no response, or one that is not from Hostyard. */
export type ClientErrorCode = 'connection_failed' | 'unexpected_answer';

export interface ErrorDetails {
  readonly status: number;
  readonly code: ErrorCode | ClientErrorCode;
  readonly message: string;
  readonly errors?: Readonly<Record<string, string>>;
  readonly requestId?: string;
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

export class HostyardError extends Error {
  override readonly name = 'HostyardError';
  /** HTTP status, or 0 if there was no response. */
  readonly status: number;
  readonly code: ErrorCode | ClientErrorCode;
  /** Maps parameters to their problems. */
  readonly errors: Readonly<Record<string, string>>;
  /** Identifies the request in the provider's log. */
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(details: ErrorDetails) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause });
    this.status = details.status;
    this.code = details.code;
    this.errors = details.errors ?? {};
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}
