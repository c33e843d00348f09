// The customer's side of a webhook: an HTTP server on loopback that records deliveries and responds as the test
// decides.
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
  /** The status it responded with. */
  status: number;
}

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** All deliveries, in order of arrival. */
  readonly received: Received[];
  /** Returns the status to respond with; 204 by default. */
  respond: (event: Received) => number | Promise<number>;
  /** Sends the status and the beginning of a body that never ends. */
  holdsBody: boolean;
  /** Resolves when `count` deliveries got a 2xx response. */
  accepted(count: number): Promise<Received[]>;
  /** Resolves when `count` deliveries have arrived, whatever the response. */
  arrived(count: number): Promise<Received[]>;
}

export async function startReceiver(port = 0): Promise<Receiver> {
  const changed = new EventTarget();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk as string;
    const event = JSON.parse(body) as Received['event'];
    const received: Received = { path: request.url ?? '', headers: request.headers, body, event, status: 0 };
    received.status = await receiver.respond(received);
    receiver.received.push(received);
    if (received.status >= 300 && received.status < 400) response.setHeader('location', '/elsewhere');
    if (receiver.holdsBody) response.writeHead(200).write('.');
    else response.writeHead(received.status).end(received.status >= 400 ? `no: ${'x'.repeat(5000)}` : undefined);
    changed.dispatchEvent(new Event('change'));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;

  async function waitFor(enough: () => Received[] | undefined): Promise<Received[]> {
    for (;;) {
      const deliveries = enough();
      if (deliveries !== undefined) return deliveries;
      await once(changed, 'change', { signal: AbortSignal.timeout(60_000) });
    }
  }
  const atLeast = (count: number, list: Received[]): Received[] | undefined =>
    list.length >= count ? list : undefined;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${address.port}/hook`,
    port: address.port,
    received: [],
    respond: () => 204,
    holdsBody: false,
    accepted: (count) =>
      waitFor(() =>
        atLeast(
          count,
          receiver.received.filter(({ status }) => status < 300),
        ),
      ),
    arrived: (count) => waitFor(() => atLeast(count, receiver.received)),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}
