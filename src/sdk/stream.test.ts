// Server-sent events as the SDK reads them: in whatever pieces they arrive, and on from where a connection broke off.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { openTransport } from './client.ts';
import { HostyardError } from './error.ts';
import { streamOf } from './stream.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const route = { method: 'GET', path: '/log/{service}', repeat: 'freely', streams: true } as const;

/** What a reader is told by a server that answers its connections one after the other in these ways. */
async function told(answers: readonly Answer[], input = { service: 7 }): Promise<unknown[]> {
  const left = [...answers];
  const server = createServer((request, response) => left.shift()!(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const transport = openTransport({ url, retry: { firstDelayMs: 1, attempts: 3 } });
  const seen: unknown[] = [];
  try {
    for await (const event of streamOf(transport, route, input)) seen.push(event);
    return seen;
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const over: Answer = (_, response) => response.writeHead(204).end();
/** Then breaks off in the middle of the next one. */
const saying =
  (...pieces: readonly (string | Buffer)[]): Answer =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) response.write(piece);
    response.write('id: 99\ndata: {"half"', () => response.destroy());
  };

describe('a stream', () => {
  test('is put together from any pieces, and ends where the server says that all is told', async () => {
    const snowman = Buffer.from('id: 2\ndata: {"text":"☃"}\n\n');
    const pieces = [
      'retry: 1\n\n',
      'id: 1\nda',
      'ta: {"text":"a"}\n',
      '\n',
      snowman.subarray(0, 22),
      snowman.subarray(22),
    ];
    assert.deepEqual(await told([saying(...pieces), over]), [{ text: 'a' }, { text: '☃' }]);
  });

  test('is taken up again after the last that was told, under its own path', async () => {
    const came: unknown[] = [];
    const again: Answer = ({ url, headers }, response) => {
      came.push([url, headers['last-event-id']]);
      saying('id: 6\ndata: 2\n\n')({} as IncomingMessage, response);
    };
    assert.deepEqual(await told([saying('id: 5\ndata: 1\n\n', ': still here\n\n'), again, over]), [1, 2]);
    assert.deepEqual(came, [['/log/7', '5']]);
  });

  test('that is refused fails with the reason, and one that nobody answers after several tries', async () => {
    const refused: Answer = (_, response) =>
      response
        .writeHead(403, { 'content-type': 'application/problem+json' })
        .end(JSON.stringify({ status: 403, code: 'scope_missing', title: 'No.' }));
    await assert.rejects(told([refused]), (error) => error instanceof HostyardError && error.code === 'scope_missing');
    const lost: Answer = (_, response) => response.destroy();
    await assert.rejects(
      told([lost, lost, lost]),
      (error) => error instanceof HostyardError && error.code === 'connection_failed',
    );
  });
});
