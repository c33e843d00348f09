// Carries the bytes of a console over LXD's two websockets, and closes them in the order that the daemon survives. When
// the control socket closes, the daemon writes a final message to the line while its terminal mirror may be writing
// too; two concurrent writers panic the whole daemon (fixed by canonical/lxd#18477 of June 2026, which Debian 12
// lacks). After a closing handshake on the line it no longer writes, so the line is closed first and the control socket
// afterwards.
import { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

/** Must be called before the sockets open, because the line's handshake is observed on its connection. */
export function closeControlAfterLine(line: WebSocket, control: WebSocket): void {
  line.once('upgrade', ({ socket }) => socket.once('finish', () => control.terminate()));
  // If the line breaks, there is nothing to wait for.
  line.once('close', () => control.terminate());
}

export function consoleStream(line: WebSocket): Duplex {
  const stream = new Duplex({
    read: () => line.resume(),
    write: (chunk: Buffer, _encoding, written) => line.send(chunk, written),
    final(ended) {
      line.close();
      ended();
    },
    destroy(error, destroyed) {
      if (line.readyState === line.CLOSED) return destroyed(error);
      line.once('close', () => destroyed(error));
      // The closing handshake is queued behind all pending output, so the output must be read.
      line.resume();
      line.close();
    },
  });
  line.on('message', (data: Buffer, isBinary) => {
    // A text message means that the terminal has ended, for example because the machine was powered off.
    if (!isBinary) line.close();
    else if (!stream.destroyed && !stream.push(data)) line.pause();
  });
  line.on('close', () => stream.push(null));
  return stream;
}
