// The two ways in which DNS data can be wrong: as bytes from the network, and as text from a person.

/** Malformed bytes. Whoever sent them gets FORMERR, never the message. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

/** Text that its place does not allow. The message is a reason fit to be shown to whoever wrote the text. */
export class PresentationError extends Error {
  override readonly name = 'PresentationError';
  /** Which word of the text is meant, counted from 0; a master file turns it into line and column. */
  readonly word: number | undefined;

  constructor(reason: string, word?: number) {
    super(reason);
    this.word = word;
  }
}
