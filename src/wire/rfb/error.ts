// How a conversation in RFB, the protocol of VNC, can fail, as a closed set: a caller decides by `kind`, never by the text.

export type RfbErrorKind =
  /** The other side does not take the password, or none was given and one is wanted. */
  | 'auth'
  /** The other side says no before it asks who we are. */
  | 'refused'
  /** The bytes break the protocol, or ask for what we do not speak. */
  | 'protocol'
  /** The connection ended in the middle, or the caller's signal ended it. */
  | 'closed';

export class RfbError extends Error {
  readonly kind: RfbErrorKind;

  constructor(kind: RfbErrorKind, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'RfbError';
    this.kind = kind;
  }
}
