// Errors of RFB, the protocol of VNC, as a closed set: callers decide by `kind`, never by the text.

export type RfbErrorKind =
  /** The other side rejects the password, or requires one. */
  | 'auth'
  /** The other side rejects the connection before authentication. */
  | 'rejected'
  /** The bytes violate the protocol, or request something unsupported. */
  | 'protocol'
  /** The connection ended early, or the caller's signal was aborted. */
  | 'closed';

export class RfbError extends Error {
  readonly kind: RfbErrorKind;

  constructor(kind: RfbErrorKind, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'RfbError';
    this.kind = kind;
  }
}
