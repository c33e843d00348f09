// Errors of libvirt calls, as a closed set: callers decide by `kind` and `code`, never by the text.

export type LibvirtErrorKind =
  /** The daemon is not listening, or the connection broke. A pending call may have run. */
  | 'unreachable'
  /** No response before the caller's signal was aborted. The call may have run. */
  | 'timeout'
  /** Too many calls of this kind are running; this one was not sent. */
  | 'busy'
  /** The daemon requires an authentication that this client does not support. */
  | 'auth'
  /** The daemon rejected the call; see `code`. */
  | 'rejected'
  /** The response violates the protocol. */
  | 'badResponse';

export class LibvirtError extends Error {
  readonly kind: LibvirtErrorKind;
  /** libvirt's virErrorNumber, if the daemon rejected the call. */
  readonly code: number | undefined;

  constructor(kind: LibvirtErrorKind, message: string, details: { code?: number; cause?: unknown } = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'LibvirtError';
    this.kind = kind;
    this.code = details.code;
  }
}

export const errorCode = {
  internalError: 1,
  noSupport: 3,
  invalidArgument: 8,
  noDomain: 42,
  noStorageVolume: 50,
  operationInvalid: 55,
  noNwfilter: 62,
  agentUnresponsive: 86,
} as const;

export function timeoutError(signal: AbortSignal): LibvirtError {
  return new LibvirtError('timeout', 'the daemon did not respond in time', { cause: signal.reason });
}
