// The last so many bytes of a stream.
export interface Ring {
  push(data: Buffer): void;
  /** Oldest first. */
  contents(): Buffer;
}

export function ring(capacity: number, initial: Buffer): Ring {
  let chunks: Buffer[] = [];
  let length = 0;
  const push = (data: Buffer): void => {
    chunks.push(data);
    length += data.length;
    // Joined only when twice too long, so that a byte is moved about once.
    if (length > 2 * capacity) {
      const kept = Buffer.concat(chunks).subarray(-capacity);
      chunks = [Buffer.from(kept)];
      length = kept.length;
    }
  };
  push(initial);
  return { push, contents: () => Buffer.concat(chunks).subarray(-capacity) };
}
