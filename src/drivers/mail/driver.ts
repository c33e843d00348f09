// The interface of a mail relay.

export interface OutgoingMail {
  /** The same at every attempt, so that mailboxes recognize a repetition. */
  readonly messageId: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly replyTo?: string | undefined;
  /** Where mail servers report that they could not deliver it; the sender's address by default. */
  readonly returnPath?: string | undefined;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly MailAttachment[];
}
export interface MailAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Uint8Array;
  /** For an image that the HTML shows as `cid:…`. */
  readonly cid?: string;
}

/**
 * Why a message was not accepted. `rejected`: for ever; `deferred`: for now; `unusable`: the relay does not respond, or
 * would accept no message from us.
 */
export type MailProblem = 'rejected' | 'deferred' | 'unusable';

export class MailError extends Error {
  override readonly name = 'MailError';
  readonly problem: MailProblem;
  constructor(problem: MailProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

export interface MailRelay {
  /** For staff: host and port. */
  readonly name: string;
  /** Returns the relay's response once it has accepted the message; otherwise throws MailError. */
  send(mail: OutgoingMail): Promise<string>;
  /** Connects, encrypts and signs in, and throws MailError if that fails. */
  check(): Promise<void>;
  /** Messages that are being sent still are. */
  close(): void;
}
