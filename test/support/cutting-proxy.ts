// A TCP relay that cuts the connection once the response has started: the work is done, but the caller does not know
// it.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface CuttingProxy extends AsyncDisposable {
  readonly url: string;
  /** Cuts the next `times` connections as soon as the server has sent this text, which is not forwarded. */
  cut(times: number, at?: string): void;
  readonly cuts: number;
}

export async function startCuttingProxy(server: { url: string }): Promise<CuttingProxy> {
  const { port } = new URL(server.url);
  let left = 0;
  let at = '';
  let cuts = 0;
  const callers = new Set<Socket>();
  const relay = createServer((caller) => {
    callers.add(caller);
    const server = connect(Number(port), '127.0.0.1');
    caller
      .on('error', () => server.destroy())
      .on('close', () => {
        callers.delete(caller);
        server.destroy();
      });
    server.on('error', () => caller.destroy()).on('close', () => caller.end());
    caller.pipe(server);
    server.on('data', (bytes) => {
      if (left === 0 || !bytes.includes(at)) return void caller.write(bytes);
      left--;
      cuts++;
      server.destroy();
      caller.destroy();
    });
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', () => resolve()));
  return {
    url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    cut(times, text = '') {
      left = times;
      at = text;
    },
    get cuts() {
      return cuts;
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => relay.close(resolve));
      for (const caller of callers) caller.destroy();
      await closed;
    },
  };
}
