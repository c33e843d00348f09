// DNS over TCP: each message is prefixed with its length (RFC 1035 section 4.2.2).

export function encodeFrame(message: Buffer): Buffer {
  return Buffer.concat([Buffer.of(message.length >> 8, message.length & 0xff), message]);
}

/**
 * Yields the messages of a stream; an incomplete one at the end is dropped. Small chunks are collected before they are
 * concatenated.
 */
export async function* readFrames(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let bufferedBytes = 0;
  let neededBytes = 2;
  for await (const chunk of stream) {
    chunks.push(chunk);
    bufferedBytes += chunk.length;
    while (bufferedBytes >= neededBytes) {
      const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      const frameBytes = bytes.readUInt16BE(0) + 2;
      if (bufferedBytes >= frameBytes) {
        yield bytes.subarray(2, frameBytes);
        chunks = bufferedBytes > frameBytes ? [bytes.subarray(frameBytes)] : [];
        bufferedBytes -= frameBytes;
        neededBytes = 2;
      } else {
        chunks = [bytes];
        neededBytes = frameBytes;
      }
    }
  }
}
