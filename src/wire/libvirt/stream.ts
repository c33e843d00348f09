// A stream within a connection, as Node knows streams: writing sends a piece, ending waits until the daemon has taken all of
// it, destroying aborts. The connection is shared, so a reader that falls far behind is cut off rather than waited for.
import { Duplex } from 'node:stream';
import { LibvirtError } from './error.ts';
import { longestStreamPiece, messageStatus, type Message } from './message.ts';

export interface StreamLink {
  send(status: number, payload: Buffer, sent?: (error?: Error | null) => void): void;
  refusal(payload: Buffer): LibvirtError;
  /** Nothing more is to be sent or received. */
  forget(): void;
}

export interface RpcStream {
  readonly duplex: Duplex;
  receive(message: Message): void;
  fail(error: LibvirtError): void;
}

const noPayload = Buffer.alloc(0);
const longestBacklogBytes = 4 * 2 ** 20;

export function rpcStream({ send, refusal, forget }: StreamLink): RpcStream {
  let isOver = false;
  let finished: ((error?: Error | null) => void) | undefined;
  const over = (): void => {
    isOver = true;
    forget();
  };
  const duplex = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      const pieces = Array.from({ length: Math.ceil(chunk.length / longestStreamPiece) }, (_, index) =>
        chunk.subarray(index * longestStreamPiece, (index + 1) * longestStreamPiece),
      );
      // An empty piece would mean the end.
      if (pieces.length === 0) return done();
      for (const [index, piece] of pieces.entries())
        send(messageStatus.continue, piece, index === pieces.length - 1 ? done : undefined);
    },
    final(done) {
      if (isOver) return done();
      finished = done;
      send(messageStatus.ok, noPayload);
    },
    destroy(error, done) {
      if (!isOver) send(messageStatus.error, noPayload);
      over();
      finished?.(error);
      done(error);
    },
  });
  return {
    duplex,
    receive({ status, payload }) {
      if (status === messageStatus.error) {
        over();
        duplex.destroy(refusal(payload));
      } else if (status === messageStatus.ok) {
        over();
        finished?.();
        finished = undefined;
        duplex.push(null);
      } else if (payload.length === 0) duplex.push(null);
      else if (!duplex.push(payload) && duplex.readableLength > longestBacklogBytes)
        duplex.destroy(new LibvirtError('timeout', 'the reader fell too far behind'));
    },
    fail(error) {
      over();
      duplex.destroy(error);
    },
  };
}
