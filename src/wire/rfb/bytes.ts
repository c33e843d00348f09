// Exactly so many bytes from a stream, as RFB wants them. What comes after them stays in the stream, so that whoever pipes it
// on afterwards loses nothing.
import type { Duplex } from 'node:stream';
import { RfbError } from './error.ts';

export async function readBytes(stream: Duplex, length: number, signal?: AbortSignal): Promise<Buffer> {
  if (length === 0) return Buffer.alloc(0);
  for (;;) {
    if (signal?.aborted === true) throw new RfbError('closed', 'ended by the caller', { cause: signal.reason });
    const bytes = stream.destroyed ? null : (stream.read(length) as Buffer | null);
    if (bytes?.length === length) return bytes;
    if (bytes !== null || stream.readableEnded || stream.destroyed || stream.errored !== null)
      throw new RfbError('closed', 'the connection ended', { cause: stream.errored });
    await moved(stream, 'readable', signal);
  }
}

/** Like readBytes for a first byte that need not come: undefined where the other side has left in order. */
export async function readByteOrEnd(stream: Duplex, signal?: AbortSignal): Promise<number | undefined> {
  try {
    return (await readBytes(stream, 1, signal))[0];
  } catch (error) {
    if (stream.readableEnded) return undefined;
    throw error;
  }
}

/** Resolves with whichever of the events comes first, with an end of the stream, or with the signal; never rejects. */
export function moved(stream: Duplex, event: 'readable' | 'drain', signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const events = [event, 'end', 'close', 'error'];
  const wake = (): void => resolve();
  for (const each of events) stream.on(each, wake);
  signal?.addEventListener('abort', wake);
  return promise.finally(() => {
    for (const each of events) stream.off(each, wake);
    signal?.removeEventListener('abort', wake);
  });
}
