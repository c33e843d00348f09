// Reads a stream into memory, up to a limit: whoever sends it must not be able to fill our memory.

/** Throws as soon as there are more bytes, without reading further. */
export async function readLimited(
  stream: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
  tooLongError: () => Error = () => new Error('the response is too long'),
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw tooLongError();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
