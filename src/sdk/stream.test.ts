// Server-sent events in the SDK: split in any way, and resumed after a broken connection.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { openTransport } from './client.ts';
import { HostyardError } from './error.ts';
import { openStream } from './stream.ts';

type Responder = (request: IncomingMessage, response: ServerResponse) => void;
const route = { method: 'GET', path: '/log/{service}', repeat: 'freely', streams: true } as const;

/** Returns the events that a reader receives from a server that handles its connections with these responders in turn. */
async function readEvents(responders: readonly Responder[], input = { service: 7 }): Promise<unknown[]> {
  const remaining = [...responders];
  const server = createServer((request, response) => remaining.shift()!(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const transport = openTransport({ url, retry: { firstDelayMs: 1, attempts: 3 } });
  const events: unknown[] = [];
  try {
    for await (const event of openStream(transport, route, input)) events.push(event);
    return events;
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const ended: Responder = (_, response) => response.writeHead(204).end();
/** Breaks the connection in the middle of the next event. */
const sending =
  (...pieces: readonly (string | Buffer)[]): Responder =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) response.write(piece);
    response.write('id: 99\ndata: {"half"', () => response.destroy());
  };

describe('a stream', () => {
  test('is assembled from any chunks, and ends when the server says so', async () => {
    const snowman = Buffer.from('id: 2\ndata: {"text":"☃"}\n\n');
    const pieces = [
      'retry: 1\n\n',
      'id: 1\nda',
      'ta: {"text":"a"}\n',
      '\n',
      snowman.subarray(0, 22),
      snowman.subarray(22),
    ];
    assert.deepEqual(await readEvents([sending(...pieces), ended]), [{ text: 'a' }, { text: '☃' }]);
  });

  test('resumes after the last event, on the same path', async () => {
    const requests: unknown[] = [];
    const resumed: Responder = ({ url, headers }, response) => {
      requests.push([url, headers['last-event-id']]);
      sending('id: 6\ndata: 2\n\n')({} as IncomingMessage, response);
    };
    assert.deepEqual(await readEvents([sending('id: 5\ndata: 1\n\n', ': still here\n\n'), resumed, ended]), [1, 2]);
    assert.deepEqual(requests, [['/log/7', '5']]);
  });

  test('resumes after the cursor of a heartbeat', async () => {
    const requests: unknown[] = [];
    const resumed: Responder = ({ headers }, response) => {
      requests.push(headers['last-event-id']);
      response.writeHead(204).end();
    };
    assert.deepEqual(await readEvents([sending('id: 5\ndata: 1\n\n', ': still here\nid: 8\n\n'), resumed]), [1]);
    assert.deepEqual(requests, ['8']);
  });

  test('fails with the error of the server, or after several attempts without a response', async () => {
    const rejected: Responder = (_, response) =>
      response
        .writeHead(403, { 'content-type': 'application/problem+json' })
        .end(JSON.stringify({ status: 403, code: 'scope_missing', title: 'No.' }));
    await assert.rejects(
      readEvents([rejected]),
      (error) => error instanceof HostyardError && error.code === 'scope_missing',
    );
    const broken: Responder = (_, response) => response.destroy();
    await assert.rejects(
      readEvents([broken, broken, broken]),
      (error) => error instanceof HostyardError && error.code === 'connection_failed',
    );
  });
});
