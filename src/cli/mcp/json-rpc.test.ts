// JSON-RPC: responses as they are ready, none for cancelled requests, all of them before the end.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { RpcError, serveRpc, type Methods } from './json-rpc.ts';

interface Response {
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number };
}

async function responsesTo(lines: readonly string[], methods: Methods): Promise<Response[]> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  input.end(lines.map((line) => `${line}\n`).join(''));
  await serveRpc(input, output, methods);
  output.end();
  const outputLines = (await text(output)).split('\n').filter((line) => line !== '');
  return outputLines.map((line) => JSON.parse(line) as Response);
}
const request = (id: unknown, method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

describe('JSON-RPC', () => {
  test('sends responses in the order they are ready', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const quick = (): string => {
      setImmediate(resolve, 'late');
      return 'early';
    };
    const methods = { slow: () => promise, quick };
    const responses = await responsesTo([request(1, 'slow'), request(2, 'quick')], methods);
    assert.deepEqual(responses, [
      { jsonrpc: '2.0', id: 2, result: 'early' },
      { jsonrpc: '2.0', id: 1, result: 'late' },
    ]);
  });

  test('aborts a cancelled request and sends no response', async () => {
    const waits = (_: object, signal: AbortSignal): Promise<never> =>
      new Promise((__, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
    const cancel = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    const responses = await responsesTo([request(1, 'waits'), cancel, request(2, 'ping')], { waits, ping: () => ({}) });
    assert.deepEqual(responses, [{ jsonrpc: '2.0', id: 2, result: {} }]);
  });

  test('reads characters that end a line elsewhere as part of a text', async () => {
    const echo = ({ text: sent }: { readonly text?: unknown }): unknown => sent;
    const sent = 'before\u2028after\u2029\u0085 東京';
    const [response] = await responsesTo([request(1, 'echo', { text: sent })], { echo });
    assert.deepEqual(response, { jsonrpc: '2.0', id: 1, result: sent });
  });

  test('reports errors by code', async () => {
    const methods = {
      wrong: () => {
        throw new RpcError(-32_602, 'no');
      },
      broken: () => Promise.reject(new Error('oops')),
    };
    const lines = [request(1, 'wrong'), request('b', 'broken'), request(3, 'absent'), request(4, 'constructor')];
    const codes = new Map((await responsesTo(lines, methods)).map(({ id, error }) => [id, error?.code]));
    assert.deepEqual([codes.get(1), codes.get('b'), codes.get(3), codes.get(4)], [-32_602, -32_603, -32_601, -32_601]);
  });

  test('survives any line and responds to the next', async () => {
    const line = fc.oneof(fc.string(), fc.json()).map((text) => text.replaceAll('\n', ' '));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 5 }), async (lines) => {
        const responses = await responsesTo([...lines, request('last', 'ping')], { ping: () => 'here' });
        assert.deepEqual(responses.at(-1), { jsonrpc: '2.0', id: 'last', result: 'here' });
      }),
      { numRuns: 50 },
    );
  });
});
