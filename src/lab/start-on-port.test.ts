import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { test } from 'node:test';
import { startOnPort } from './start-on-port.ts';

async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

test('a simulator starts on another port only if its own is in use', async () => {
  await using first = await listen(0);
  await using second = await startOnPort(portOf(first), listen);
  assert.notEqual(portOf(second), portOf(first));
  const tried: number[] = [];
  await startOnPort(4000, async (port) => tried.push(port));
  assert.deepEqual(tried, [4000]);
});

test('other errors are not hidden by another port', async () => {
  const fail = async () => Promise.reject(new Error('no such address'));
  await assert.rejects(startOnPort(4000, fail), /no such address/);
});
