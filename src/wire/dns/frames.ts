// DNS over TCP: each message has its length in front (RFC 1035 section 4.2.2).

export function frame(message: Buffer): Buffer {
  return Buffer.concat([Buffer.of(message.length >> 8, message.length & 0xff), message]);
}

/** The messages of a stream; what is left over when it ends is dropped. Bytes that trickle in are gathered before they are joined. */
export async function* framesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let have = 0;
  let need = 2;
  for await (const chunk of stream) {
    chunks.push(chunk);
    have += chunk.length;
    while (have >= need) {
      const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      const whole = bytes.readUInt16BE(0) + 2;
      if (have >= whole) {
        yield bytes.subarray(2, whole);
        chunks = have > whole ? [bytes.subarray(whole)] : [];
        have -= whole;
        need = 2;
      } else {
        chunks = [bytes];
        need = whole;
      }
    }
  }
}
