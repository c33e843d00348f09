// Two kinds of invalid DNS data: bytes from the network, and text from a person.

/** Malformed bytes. The sender gets FORMERR, never the message. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

/** Invalid text. The message is shown to whoever wrote it. */
export class PresentationError extends Error {
  override readonly name = 'PresentationError';
  /** Index of the invalid word; a zone file translates it to line and column. */
  readonly word: number | undefined;

  constructor(reason: string, word?: number) {
    super(reason);
    this.word = word;
  }
}

/** Returns undefined for text that is not valid DNS data. */
export function undefinedIfUnreadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof PresentationError) return undefined;
    throw error;
  }
}
