import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { it } from 'node:test';
import { createPipelines } from './pipelines.ts';

it('a connection with too many requests is ended once, without stack traces for the requests that it leaves', async () => {
  await using server = createServer();
  const closed: Socket[] = [];
  const addToPipeline = createPipelines((socket) => closed.push(socket.destroy()));
  const stacks: (string | undefined)[] = [];
  let left = 0;
  server.on('request', (request, response) => {
    request.on('error', ({ stack }) => stacks.push(stack));
    if (!addToPipeline(request, response)) left++;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { stackTraceLimit } = Error;
  const caller = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  caller.resume().write('GET / HTTP/1.1\r\nhost: hostyard\r\n\r\n'.repeat(1000));
  await once(caller, 'close');
  assert.ok(left > 1);
  assert.equal(closed.length, 1);
  assert.deepEqual(new Set(stacks), new Set(['Error: aborted']));
  assert.equal(Error.stackTraceLimit, stackTraceLimit);
});
