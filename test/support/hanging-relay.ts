// A TCP relay whose connections can hang, as on a network that drops packets: neither side learns of it.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface HangingRelay extends AsyncDisposable {
  /** The server's address, through the relay. */
  readonly url: string;
  /** Forwards nothing until `resume`. */
  hang(): void;
  resume(): void;
}

export async function startHangingRelay(server: string): Promise<HangingRelay> {
  const target = new URL(server);
  const sockets = new Set<Socket>();
  let hangs = false;
  const forward = (from: Socket, to: Socket): void => {
    sockets.add(from);
    if (hangs) from.pause();
    from.on('data', (bytes) => void to.write(bytes));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const relay = createServer((caller) => {
    const connection = connect(Number(target.port), target.hostname);
    forward(caller, connection);
    forward(connection, caller);
  });
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(server);
  url.host = `127.0.0.1:${(relay.address() as AddressInfo).port}`;
  return {
    url: url.href,
    hang() {
      hangs = true;
      for (const socket of sockets) socket.pause();
    },
    resume() {
      hangs = false;
      for (const socket of sockets) socket.resume();
    },
    async [Symbol.asyncDispose]() {
      const closed = once(relay, 'close');
      relay.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
