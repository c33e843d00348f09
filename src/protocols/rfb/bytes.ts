// Reads an exact number of bytes from a stream. The rest stays in the stream, so that it can be piped on.
import type { Duplex } from 'node:stream';
import { RfbError } from './error.ts';

export async function readBytes(stream: Duplex, length: number, signal?: AbortSignal): Promise<Buffer> {
  if (length === 0) return Buffer.alloc(0);
  for (;;) {
    if (signal?.aborted === true) throw new RfbError('closed', 'aborted by the caller', { cause: signal.reason });
    const bytes = stream.destroyed ? null : (stream.read(length) as Buffer | null);
    if (bytes?.length === length) return bytes;
    if (bytes !== null || stream.readableEnded || stream.destroyed || stream.errored !== null)
      throw new RfbError('closed', 'the connection ended', { cause: stream.errored });
    await waitForEvent(stream, 'readable', signal);
  }
}

/** Reads a byte, or returns undefined if the other side has ended the stream. */
export async function readByteOrEnd(stream: Duplex): Promise<number | undefined> {
  try {
    return (await readBytes(stream, 1))[0];
  } catch (error) {
    if (stream.readableEnded) return undefined;
    throw error;
  }
}

/** Resolves on the event, the end of the stream, or the signal; never rejects. */
export function waitForEvent(stream: Duplex, event: 'readable' | 'drain', signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const events = [event, 'end', 'close', 'error'];
  const wake = (): void => resolve();
  for (const name of events) stream.on(name, wake);
  signal?.addEventListener('abort', wake);
  return promise.finally(() => {
    for (const name of events) stream.off(name, wake);
    signal?.removeEventListener('abort', wake);
  });
}
