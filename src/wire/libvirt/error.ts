// How a conversation with libvirt can fail, as a closed set: a caller decides by `kind` and `code`, never by the text.

export type LibvirtErrorKind =
  /** Nobody listens, or the connection broke. Where a call was under way it may or may not have run. */
  | 'unreachable'
  /** No answer before the caller's signal was aborted. The call may or may not have run. */
  | 'timeout'
  /** The daemon wants a login that this client does not have. */
  | 'auth'
  /** The daemon understood and says no; `code` says why. */
  | 'refused'
  /** The answer breaks the protocol. */
  | 'badAnswer';

export class LibvirtError extends Error {
  readonly kind: LibvirtErrorKind;
  /** libvirt's own number (virErrorNumber), where the daemon refused. */
  readonly code: number | undefined;

  constructor(kind: LibvirtErrorKind, message: string, details: { code?: number; cause?: unknown } = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'LibvirtError';
    this.kind = kind;
    this.code = details.code;
  }
}

export const errorCode = {
  noDomain: 42,
  noStorageVolume: 50,
  operationInvalid: 55,
  agentUnresponsive: 86,
} as const;

export function timedOut(signal: AbortSignal): LibvirtError {
  return new LibvirtError('timeout', 'the daemon did not answer in time', { cause: signal.reason });
}
