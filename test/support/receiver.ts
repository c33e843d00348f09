// The customer's side of a webhook: an HTTP server on loopback that keeps what it is sent and answers as it is told.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  event: {
    id: string;
    type: string;
    version: number;
    timestamp: string;
    service: string;
    data: Record<string, unknown>;
  };
  /** What it was answered. */
  status: number;
}

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** All that came, in the order of arrival. */
  readonly received: Received[];
  /** Decides the status number; 204 unless told. */
  answer: (event: Received) => number;
  /** Resolves when so many were answered with 2xx. */
  accepted(count: number): Promise<Received[]>;
  /** Resolves when so many came, whatever they were answered. */
  came(count: number): Promise<Received[]>;
}

export async function startReceiver(port = 0): Promise<Receiver> {
  const changed = new EventTarget();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk as string;
    const event = JSON.parse(body) as Received['event'];
    const received: Received = { path: request.url ?? '', headers: request.headers, body, event, status: 0 };
    received.status = receiver.answer(received);
    receiver.received.push(received);
    if (received.status >= 300 && received.status < 400) response.setHeader('location', '/elsewhere');
    response.writeHead(received.status).end(received.status >= 400 ? `no: ${'x'.repeat(5000)}` : undefined);
    changed.dispatchEvent(new Event('change'));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;

  async function until(enough: () => Received[] | undefined): Promise<Received[]> {
    for (;;) {
      const found = enough();
      if (found !== undefined) return found;
      await once(changed, 'change', { signal: AbortSignal.timeout(60_000) });
    }
  }
  const atLeast = (count: number, list: Received[]): Received[] | undefined =>
    list.length >= count ? list : undefined;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${address.port}/hook`,
    port: address.port,
    received: [],
    answer: () => 204,
    accepted: (count) =>
      until(() =>
        atLeast(
          count,
          receiver.received.filter(({ status }) => status < 300),
        ),
      ),
    came: (count) => until(() => atLeast(count, receiver.received)),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}
