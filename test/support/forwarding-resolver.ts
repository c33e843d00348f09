// A resolver that knows only what one name server knows, such as the built-in one of a test app. Hostyard's lookups use TCP.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

const lengthBytes = 2;
const authoritative = 0x04;
const recursionAvailable = 0x80;

/** Returns its address and port. It does not keep the process alive. */
export async function startForwardingResolver(nameServer: { address: string; port: number }): Promise<string> {
  const server = createServer((client) => {
    const upstream = connect(nameServer.port, nameServer.address);
    client.pipe(upstream);
    let received = Buffer.alloc(0);
    upstream.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < lengthBytes || received.length < lengthBytes + received.readUInt16BE()) return;
      received[lengthBytes + 2] = received[lengthBytes + 2]! & ~authoritative;
      received[lengthBytes + 3] = received[lengthBytes + 3]! | recursionAvailable;
      client.write(received);
      received = Buffer.alloc(0);
    });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
