// The last bytes of a stream, up to a capacity.
export interface Ring {
  push(data: Buffer): void;
  /** Oldest byte first. */
  contents(): Buffer;
}

export function ring(capacity: number, initial: Buffer): Ring {
  let chunks: Buffer[] = [];
  let length = 0;
  const push = (data: Buffer): void => {
    chunks.push(data);
    length += data.length;
    // Joined only at twice the capacity, so that each byte is copied about once.
    if (length > 2 * capacity) {
      const tail = Buffer.concat(chunks).subarray(-capacity);
      chunks = [Buffer.from(tail)];
      length = tail.length;
    }
  };
  push(initial);
  return { push, contents: () => Buffer.concat(chunks).subarray(-capacity) };
}
