// The bytes of a console as a stream, over the two websockets that LXD has for one, and the way to hang up that the daemon
// survives. Who loses the control socket writes a last word to the line, and its mirror of the terminal may be writing there
// at that moment: two writers at once are a panic, and the whole daemon is gone until it is started again
// (canonical/lxd#18477, of June 2026, mends it; Debian 12 lacks that). After a closing handshake it writes to the
// line no more. So the line is closed with its handshake first, and the control socket when that is over.
import { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

/** Of sockets that are not open yet: the line's handshake is heard on the connection below it. */
export function hangUpInOrder(line: WebSocket, control: WebSocket): void {
  line.once('upgrade', ({ socket }) => socket.once('finish', () => control.terminate()));
  // Where it breaks instead, there is nothing to wait for.
  line.once('close', () => control.terminate());
}

export function consoleLine(line: WebSocket): Duplex {
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
      // The answer to the farewell stands behind all that the machine has still to say.
      line.resume();
      line.close();
    },
  });
  line.on('message', (data: Buffer, isBinary) => {
    // A text is LXD's word for the end of the terminal, as where the machine was switched off.
    if (!isBinary) line.close();
    else if (!stream.destroyed && !stream.push(data)) line.pause();
  });
  line.on('close', () => stream.push(null));
  return stream;
}
