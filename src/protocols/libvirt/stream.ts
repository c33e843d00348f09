// A libvirt stream as a Node stream: writing sends chunks, ending waits until the daemon has received everything,
// destroying aborts. The connection is shared, so a reader that falls far behind is disconnected instead of slowing
// others down.
import { Duplex } from 'node:stream';
import { LibvirtError } from './error.ts';
import { maxStreamChunkBytes, messageStatus, type Message } from './message.ts';

export interface StreamLink {
  send(status: number, payload: Buffer, sent?: (error?: Error | null) => void): void;
  toError(payload: Buffer): LibvirtError;
  /** Called when nothing more is sent or received. */
  release(): void;
}

export interface RpcStream {
  readonly duplex: Duplex;
  receive(message: Message): void;
  fail(error: LibvirtError): void;
}

const noPayload = Buffer.alloc(0);
const maxBacklogBytes = 4 * 2 ** 20;

export function rpcStream({ send, toError, release }: StreamLink): RpcStream {
  let isFinished = false;
  let onFinished: ((error?: Error | null) => void) | undefined;
  const finish = (): void => {
    isFinished = true;
    release();
  };
  const duplex = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      const pieces = Array.from({ length: Math.ceil(chunk.length / maxStreamChunkBytes) }, (_, index) =>
        chunk.subarray(index * maxStreamChunkBytes, (index + 1) * maxStreamChunkBytes),
      );
      // An empty chunk would mean the end.
      if (pieces.length === 0) return done();
      for (const [index, piece] of pieces.entries())
        send(messageStatus.continue, piece, index === pieces.length - 1 ? done : undefined);
    },
    final(done) {
      if (isFinished) return done();
      onFinished = done;
      send(messageStatus.ok, noPayload);
    },
    destroy(error, done) {
      if (!isFinished) send(messageStatus.error, noPayload);
      finish();
      onFinished?.(error);
      done(error);
    },
  });
  return {
    duplex,
    receive({ status, payload }) {
      if (status === messageStatus.error) {
        finish();
        duplex.destroy(toError(payload));
      } else if (status === messageStatus.ok) {
        finish();
        onFinished?.();
        onFinished = undefined;
        duplex.push(null);
      } else if (payload.length === 0) duplex.push(null);
      else if (!duplex.push(payload) && duplex.readableLength > maxBacklogBytes)
        duplex.destroy(new LibvirtError('timeout', 'the reader fell too far behind'));
    },
    fail(error) {
      finish();
      duplex.destroy(error);
    },
  };
}
