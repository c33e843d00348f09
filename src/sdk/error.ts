// The one error that a call ends with, wherever it went wrong. It carries the server's own code, so that a program compares
// codes and never words.
import type { ErrorCode } from './generated/errors.ts';

/** What the client itself has to say: no answer came, or one that is not Hostyard's. */
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
  /** HTTP status, 0 where no answer came. */
  readonly status: number;
  readonly code: ErrorCode | ClientErrorCode;
  /** Parameter to what is wrong with it; empty where it is not about parameters. */
  readonly errors: Readonly<Record<string, string>>;
  /** Names the request in the provider's log. */
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
